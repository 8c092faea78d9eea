"""What a checkpoint holds: its state, what there is to compare in it, and the run it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from zeroth_store.run_detail import CheckpointSummary, JsonText, RelatedRows, RunDetail
from zeroth_store.summaries import RunKey

PartPath = tuple[str, ...]
"""Where a part of a state is: a member, or a member of `metadata` or of its `thread_state`."""


class CheckpointState(msgspec.Struct, frozen=True, kw_only=True):
    """The state in a checkpoint, decrypted where that is possible."""

    checkpoint_id: str
    text: JsonText | None = None
    """JSON as it was stored; None where it cannot be read."""
    problem: str | None = None
    """Why the state cannot be read, in words; None where it can."""


class StatePart(msgspec.Struct, frozen=True):
    """What two states are compared by, instead of the whole of a value."""

    digest: int
    """Equal for equal texts while the program runs."""
    count: int | None = None
    """How many items a list or an object has."""
    shown: str | None = None
    """What a short string says."""


class CheckpointFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of a checkpoint in a list, beyond its row."""

    checkpoint_id: str
    problem: str | None = None
    """Why there is nothing to compare, in words."""
    parts: Mapping[PartPath, StatePart] = msgspec.field(default_factory=dict)
    """What the state holds; a `null` counts as not there."""

    def shown(self, *path: str) -> str | None:
        """Return what a short string of the state says."""
        part = self.parts.get(path)
        return None if part is None else part.shown

    def count(self, *path: str) -> int | None:
        """Return how many items a list or an object of the state has."""
        part = self.parts.get(path)
        return None if part is None else part.count


class RunAsOf(msgspec.Struct, frozen=True):
    """A run as it was when a checkpoint was saved."""

    detail: RunDetail
    related: RelatedRows
    """Without what came later; of what changed later, only what is known to have been so then."""


class CheckpointBrowser(Protocol):
    """The part of a RunBrowser that is about checkpoints."""

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        ...

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint in the run's scope, as text."""
        ...

    async def checkpoint_state(self, key: RunKey, checkpoint_id: str) -> CheckpointState | None:
        """Return the state of one checkpoint in the run's scope; None when it is gone."""
        ...

    async def checkpoint_facts(
        self, key: RunKey, checkpoint_ids: tuple[str, ...]
    ) -> tuple[CheckpointFacts, ...]:
        """Return what to compare checkpoints of the run's scope by; those that are gone lack."""
        ...

    async def run_as_of(self, key: RunKey, checkpoint_id: str) -> RunAsOf | None:
        """Return the run that a checkpoint in the scope of `key` holds; None when none can be read.

        It is named by the run id in the checkpoint, which may be another one of the thread.
        """
        ...
