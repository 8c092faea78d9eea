"""From where a run is restored or forked: a checkpoint, or before a step of its history."""

from __future__ import annotations

from typing import Final, NamedTuple

from zeroth_store.browse import RunKey
from zeroth_tui.views.layout import short
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.step import find
from zeroth_tui.views.step_words import title

_NOT_DONE: Final = frozenset({"in_flight", "waiting"})


class Source(NamedTuple):
    """A saved state, or one that can be worked out from the history."""

    key: RunKey
    """The run."""
    words: str
    """The place, for people."""
    checkpoint_id: str | None = None
    step: int | None = None
    """Position in the stored history."""


def from_checkpoint(key: RunKey, checkpoint_id: str) -> Source:
    """Return a run's checkpoint as a source."""
    return Source(key, f"from checkpoint {short(checkpoint_id)}", checkpoint_id=checkpoint_id)


def source_of(run: LoadedRun, index: int | None) -> Source | None:
    """Return where a fork starts that is to do the step of this index again; None for nowhere.

    A step that is not done yet is where the run stands, which its last checkpoint holds. A run that
    is shown as of a checkpoint is forked from that.
    """
    key = run.detail.summary.key
    if run.as_of is not None:
        return from_checkpoint(key, run.as_of.checkpoint_id)
    step = None if index is None else find(run.steps, index)
    if step is not None and step.index >= 0:
        return Source(key, f"before {title(step)}", step=step.index)
    latest = dict(run.detail.columns).get("checkpoint_id")
    if not isinstance(latest, str) or (step is not None and step.origin not in _NOT_DONE):
        return None
    return Source(key, f"from where it stands, checkpoint {short(latest)}", checkpoint_id=latest)
