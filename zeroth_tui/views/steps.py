"""The steps of a run in the order they began, put together from all that is stored of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from zeroth_store.browse import (
    AuditEntry,
    ConditionEntry,
    HistoryEntry,
    RelatedRows,
    RunDetail,
    RunSummary,
)
from zeroth_tui.views.decisions import by_visit
from zeroth_tui.views.plain_steps import plain_steps
from zeroth_tui.views.pseudo_steps import in_flight_step, with_waits
from zeroth_tui.views.step import EdgeItem, RunItem, Step, StepItem, find, led_to, loose_children
from zeroth_tui.views.step_times import Times, audit_times, entry_times

__all__ = [
    "EdgeItem",
    "RunItem",
    "Step",
    "StepItem",
    "find",
    "led_to",
    "loose_children",
    "steps",
]

_NOT_A_STEP: Final = "__worker__"
_API_EVENT: Final = "approval_api"
_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)


def steps(detail: RunDetail, related: RelatedRows, now: datetime) -> Sequence[Step]:
    """Return a run's steps by their first known moment, then in stored order.

    A step without any readable time stands behind the one stored before it. Never raises.
    """
    plain = plain_steps(detail, related, now)
    if plain is not None:
        return plain
    stored = _history_steps(detail, related, now)
    stored += _audit_steps(related, stored, now)
    stored = with_waits(stored, detail, related, now)
    stored += in_flight_step(stored, detail, now)
    return _in_order(_with_children(_numbered(stored), related.children))


def _history_steps(detail: RunDetail, related: RelatedRows, now: datetime) -> list[Step]:
    audits = {audit.audit_id: audit for audit in related.audits}
    conditions = by_visit(detail.conditions, detail.history)
    run_id = detail.summary.key.run_id
    return [
        _history_step(entry, _audit_of(entry, run_id, audits), now, conditions.get(entry.index, ()))
        for entry in detail.history
    ]


def _history_step(
    entry: HistoryEntry,
    audit: AuditEntry | None,
    now: datetime,
    conditions: tuple[ConditionEntry, ...],
) -> Step:
    return _timed(
        Step(
            index=entry.index,
            node_id=entry.node_id,
            visit=1,
            status=entry.status,
            attempt=entry.attempt,
            stored=entry,
            audit=audit,
            conditions=conditions,
        ),
        entry_times(entry, audit, now),
    )


def _audit_of(entry: HistoryEntry, run_id: str, audits: dict[str, AuditEntry]) -> AuditEntry | None:
    if entry.audit_ref is None:
        return None
    return audits.get(f"{run_id}:{entry.audit_ref}") or audits.get(entry.audit_ref)


def _audit_steps(related: RelatedRows, stored: list[Step], now: datetime) -> list[Step]:
    """Return the steps that only an audit tells of: denied ones, and those the run row lost."""
    used = {step.audit.audit_id for step in stored if step.audit}
    rest = [
        audit
        for audit in related.audits
        if audit.audit_id not in used
        and audit.node_id != _NOT_A_STEP
        and audit.status != _API_EVENT
    ]
    return [
        _timed(
            Step(
                index=-1 - position,
                node_id=audit.node_id,
                visit=1,
                status=audit.status,
                origin="audit",
                attempt=audit.attempt,
                audit=audit,
            ),
            audit_times(audit, now),
        )
        for position, audit in enumerate(rest)
    ]


def _timed(step: Step, times: Times) -> Step:
    knowledge, start, end, clamped = times
    return msgspec.structs.replace(step, knowledge=knowledge, start=start, end=end, clamped=clamped)


def _numbered(stored: list[Step]) -> list[Step]:
    """Count the visits of each node; the branches of a fan-out are at it at the same time."""
    seen: Counter[tuple[str, str | None]] = Counter()
    result = []
    for step in stored:
        place = step.node_id, step.branch
        seen[place] += 1
        result.append(msgspec.structs.replace(step, visit=seen[place]))
    return result


def _with_children(stored: list[Step], children: tuple[RunSummary, ...]) -> list[Step]:
    """Hang each child under the first visit of its node that had not ended when it began."""
    placed: defaultdict[int, list[RunSummary]] = defaultdict(list)
    for child in children:
        visits = [at for at, step in enumerate(stored) if step.node_id == child.parent_node_id]
        begun = child.started.instant
        if visits:
            still_open = (at for at in visits if _open_at(stored[at], begun))
            placed[next(still_open, visits[-1])].append(child)
    return [
        msgspec.structs.replace(step, children=tuple(placed[at])) if at in placed else step
        for at, step in enumerate(stored)
    ]


def _open_at(step: Step, moment: datetime | None) -> bool:
    return step.end is None or moment is None or step.end >= moment


def _in_order(stored: list[Step]) -> tuple[Step, ...]:
    known = [step.first for step in stored]
    last = min((moment for moment in known if moment is not None), default=_NO_TIME)
    keyed: list[tuple[datetime, int, Step]] = []
    for position, (step, moment) in enumerate(zip(stored, known, strict=True)):
        last = moment or last
        keyed.append((last, position, step))
    return tuple(step for _, _, step in sorted(keyed, key=lambda key: key[:2]))
