"""One visit of one node as the views know it, and the names by which rows point at things."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import (
    ApprovalEntry,
    AuditEntry,
    ConditionEntry,
    HistoryEntry,
    RelatedRows,
    RunKey,
    RunSummary,
)
from zeroth_store.history import History
from zeroth_tui.views.step_times import Knowledge

Origin = Literal["history", "audit", "waiting", "in_flight"]
"""history: a stored entry. audit: only an audit tells of it. waiting: an approval, a child run or
an interrupt that no entry answers. in_flight: dispatched, has not reported back."""


NO_RESULT: Final = "no result"
"""The status of a step that was dispatched last by a run that is over."""


class EntryAt(NamedTuple):
    """Names an entry of a long history, which is decoded when somebody asks for it."""

    history: History
    place: int


class StepItem(msgspec.Struct, frozen=True):
    """Names a step by its `Step.index`, which no later step changes."""

    index: int


class EdgeItem(msgspec.Struct, frozen=True):
    """Names a decision by its index in `condition_results`."""

    index: int


class RunItem(msgspec.Struct, frozen=True):
    """Names another run that a row speaks of."""

    key: RunKey


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One visit of one node, or what stands where one is expected."""

    index: int
    """Position in the stored history; -1, -2, ... for steps that the history does not hold."""
    node_id: str
    visit: int
    """1 for the node's first visit, in the order they were stored; all branches of a fan-out are
    one visit."""
    status: str | None
    """As stored; for steps outside the history a word that says what became of them."""
    origin: Origin = "history"
    attempt: int | None = None
    knowledge: Knowledge = "unknown"
    start: datetime | None = None
    end: datetime | None = None
    clamped: bool = False
    """The stored times were impossible and have been brought into order."""
    in_flight: bool = False
    """Running now; `start` is the run's last write, which is the dispatch."""
    waiting: bool = False
    """Waiting now: `waited_until` is None."""
    waited_from: datetime | None = None
    """When the wait for a decision began; None when nothing was waited for."""
    waited_until: datetime | None = None
    stored: HistoryEntry | EntryAt | None = None
    """The history's entry, or where it is found: ask for `entry`."""
    audit: AuditEntry | None = None
    approval: ApprovalEntry | None = None
    children: tuple[RunSummary, ...] = ()
    """Child runs that this visit spawned."""
    conditions: tuple[ConditionEntry, ...] = ()
    """The edges that were considered when this visit completed."""

    @property
    def entry(self) -> HistoryEntry | None:
        """What the history holds of it."""
        if isinstance(self.stored, EntryAt):
            return self.stored.history[self.stored.place]
        return self.stored

    @property
    def failed(self) -> bool:
        """Whether it ended badly."""
        return (self.status or "").lower() in {"failed", "rejected"}

    @property
    def denied(self) -> bool:
        """Whether a policy refused it: it has an audit, and never ran."""
        rejected = self.origin == "audit" and (self.status or "").lower() == "rejected"
        return rejected and self.approval is None

    @property
    def branch(self) -> str | None:
        """Which branch of a fan-out it ran in: the end of the branch's id, `0`, `1`, ..."""
        branch_id = self.audit.branch_id if self.audit else None
        return None if branch_id is None else branch_id.rpartition(":")[2]

    @property
    def error(self) -> str | None:
        """What the audit says went wrong; newer platforms store a mask here."""
        return self.audit.error if self.audit else None

    @property
    def first(self) -> datetime | None:
        """The earliest moment known of it."""
        moments = [m for m in (self.waited_from, self.start, self.end) if m is not None]
        return min(moments, default=None)


def find(found: Iterable[Step], index: int) -> Step | None:
    """Return the step of this index, or None."""
    return next((step for step in found if step.index == index), None)


def led_to(found: Iterable[Step], source: Step, edge: ConditionEntry) -> Step | None:
    """Return the visit that a taken edge led to: the target's next one after its source."""
    if not edge.taken or edge.target is None:
        return None
    targets = [step for step in found if step.node_id == edge.target]
    later = [step for step in targets if step.index > source.index >= 0]
    outside = [step for step in targets if step.index < 0]
    return min(later, key=lambda step: step.index) if later else next(iter(outside), None)


def loose_children(found: Iterable[Step], related: RelatedRows) -> tuple[RunSummary, ...]:
    """Return child runs whose node has no step here."""
    placed = {child.key for step in found for child in step.children}
    return tuple(child for child in related.children if child.key not in placed)
