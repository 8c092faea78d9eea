"""What happened to a run, moment by moment, for going through its time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from zeroth_store.past.life import Life, recorded, resolved
from zeroth_store.run_detail import CheckpointSummary, RelatedRows, RunDetail
from zeroth_store.times import Moment

What = Literal[
    "started",
    "node began",
    "node ended",
    "decided",
    "asked",
    "answered",
    "side effect",
    "checkpoint",
    "child",
    "written",
]
"""Kinds of events; `written` is the last write of the run's row."""


class Event(msgspec.Struct, frozen=True):
    """Something that happened at a moment."""

    instant: datetime
    what: What
    name: str = ""
    """The node or other thing it happened to, as stored."""
    result: str = ""
    """What came of it, as stored."""


def run_events(
    detail: RunDetail,
    related: RelatedRows,
    checkpoints: Iterable[CheckpointSummary],
    life: Life,
) -> tuple[Event, ...]:
    """Return everything of a run that has a time, the first thing first; one event a moment."""
    found: dict[datetime, Event] = {}
    for event in _events(detail, related, checkpoints, life):
        found.setdefault(event.instant, event)
    return tuple(found[instant] for instant in sorted(found))


def place(events: Sequence[Event], at: datetime) -> int:
    """Return how many events had happened at a moment, those at that very moment included."""
    return bisect_right(events, at, key=lambda event: event.instant)


def following(events: Sequence[Event], at: datetime) -> Event | None:
    """Return the first event after a moment."""
    behind = place(events, at)
    return events[behind] if behind < len(events) else None


def preceding(events: Sequence[Event], at: datetime) -> Event | None:
    """Return the last event before a moment."""
    before = bisect_left(events, at, key=lambda event: event.instant)
    return events[before - 1] if before else None


def _events(
    detail: RunDetail,
    related: RelatedRows,
    checkpoints: Iterable[CheckpointSummary],
    life: Life,
) -> Iterator[Event]:
    """Yield events, of several at one moment the most telling first."""
    run = detail.summary
    yield from _at(run.started, "started")
    for entry in detail.history:
        yield from _at(recorded(entry), "node ended", entry.node_id, entry.status or "")
    for approval in related.approvals:
        yield from _at(approval.created, "asked", approval.node_id)
        yield from _at(resolved(approval), "answered", approval.node_id, approval.decision or "")
    for work in life.works:
        yield Event(work.start, "node began", work.node_id)
        if work.entry is None:
            yield Event(work.end, "node ended", work.node_id)
    for child in related.children:
        yield from _at(child.started, "child", child.parent_node_id or "")
    for operation in related.operations:
        yield from _at(operation.created, "side effect", operation.target or "")
        yield from _at(operation.updated, "side effect", operation.target or "")
    yield from _at(run.updated, "written", result=run.status or "")
    for condition in detail.conditions:
        yield from _at(condition.evaluated, "decided", condition.source or "")
    for checkpoint in checkpoints:
        if checkpoint.run_id == run.key.run_id:
            yield from _at(checkpoint.created, "checkpoint")
            yield from _at(checkpoint.saved, "checkpoint")


def _at(then: Moment, what: What, name: str = "", result: str = "") -> Iterator[Event]:
    if then.instant is not None:
        yield Event(then.instant, what, name, result)
