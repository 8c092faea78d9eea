"""A run's life as far as times are stored of it: when it was at work, and when it waited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

from zeroth_store.run_detail import ApprovalEntry, AuditEntry, HistoryEntry, RelatedRows, RunDetail
from zeroth_store.status import RunStatus
from zeroth_store.summaries import RunKey
from zeroth_store.times import Moment, latest

UNDER_WAY: Final = "UNDER_WAY"
"""Stands for the status of a run that was written again later, where nothing tells which it was."""

NOT_A_NODE: Final = "__worker__"
"""The node id of audits that tell of leases."""

_UNDECIDED: Final = frozenset({"pending", "escalated"})


class Work(NamedTuple):
    """A stretch of time in which a node was at work; its end is not part of it."""

    start: datetime
    end: datetime
    node_id: str
    entry: int | None
    """The `HistoryEntry.index` of what was stored at its end; None where nothing was."""


class Wait(NamedTuple):
    """A stretch of time in which an approval was waited for; None for no end."""

    start: datetime
    end: datetime | None


class Life(msgspec.Struct, frozen=True):
    """What is known of a run at any time before it was written last."""

    works: tuple[Work, ...] = ()
    """By their starts."""
    waits: tuple[Wait, ...] = ()

    def status(self, at: datetime) -> str:
        """Return the status at a moment, or UNDER_WAY where nothing tells it."""
        if any(wait.start <= at and (wait.end is None or at < wait.end) for wait in self.waits):
            return RunStatus.WAITING_APPROVAL.value
        return RunStatus.RUNNING.value if self.at_work(at) else UNDER_WAY

    def at_work(self, at: datetime) -> tuple[Work, ...]:
        """Return the nodes that were at work at a moment."""
        return tuple(work for work in self.works if work.start <= at < work.end)


NO_LIFE: Final = Life()

Lives = Mapping[RunKey, Life]
"""What is known of some runs."""


def life_of(detail: RunDetail, related: RelatedRows) -> Life:
    """Return what is stored of a run's life, at whatever time."""
    by_id = {audit.audit_id: audit for audit in related.audits}
    works: list[Work] = []
    told: set[str] = set()
    for entry in detail.history:
        audit = audit_of(entry, detail.summary.key.run_id, by_id)
        told |= {audit.audit_id} if audit is not None else set()
        works += _work(entry, audit)
    for audit in related.audits:
        if audit.audit_id not in told and audit.node_id != NOT_A_NODE:
            works += _stretch(audit.started, audit.completed, audit.node_id, None)
    return Life(
        tuple(sorted(works, key=lambda work: (work.start, work.end))),
        tuple(_waits(related.approvals)),
    )


def recorded(entry: HistoryEntry) -> Moment:
    """Return when a history entry was appended: a branch that failed names its start last."""
    return latest(entry.started, entry.completed)


def recorded_audit(audit: AuditEntry) -> Moment:
    """Return when an audit tells that its node was done."""
    return audit.completed if audit.completed.instant is not None else audit.created


def resolved(approval: ApprovalEntry) -> Moment:
    """Return when an approval was decided, as well as that is stored."""
    if approval.resolved.instant is not None or approval.status in _UNDECIDED:
        return approval.resolved
    return approval.updated


def audit_of(
    entry: HistoryEntry, run_id: str, audits: Mapping[str, AuditEntry]
) -> AuditEntry | None:
    """Return the audit that belongs to a history entry."""
    if entry.audit_ref is None:
        return None
    return audits.get(f"{run_id}:{entry.audit_ref}") or audits.get(entry.audit_ref)


def _work(entry: HistoryEntry, audit: AuditEntry | None) -> list[Work]:
    """Return when an entry's node was at work, from its audit where that measured it."""
    if audit is not None:
        return _stretch(audit.started, audit.completed, entry.node_id, entry.index)
    return _stretch(entry.started, entry.completed, entry.node_id, entry.index)


def _stretch(start: Moment, end: Moment, node_id: str, entry: int | None) -> list[Work]:
    if start.instant is None or end.instant is None or start.instant >= end.instant:
        return []
    return [Work(start.instant, end.instant, node_id, entry)]


def _waits(approvals: Iterable[ApprovalEntry]) -> Iterable[Wait]:
    """Return the waits. When one ended that nobody decided and that was asked anew is not known."""
    asked = [(one.created.instant, resolved(one).instant) for one in approvals]
    newest = max((start for start, _ in asked if start is not None), default=None)
    for start, end in asked:
        if start is not None and (end is not None or start == newest):
            yield Wait(start, end)
