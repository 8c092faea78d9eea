"""The geometry of a timeline: what was work, wait and gap, and which columns a bar takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import RunSummary
from zeroth_tui.status import is_live
from zeroth_tui.views.axis import Axis, Viewport
from zeroth_tui.views.intervals import Interval, difference, length, union
from zeroth_tui.views.step import Step

Kind = Literal["work", "failed", "waiting", "point", "running"]
"""point: a moment without a length, because only the completion is known."""

_SHORT: Final = timedelta(seconds=2)


class Segment(NamedTuple):
    """A stretch of time in one step's row."""

    start: datetime
    end: datetime
    kind: Kind


class Bar(NamedTuple):
    """A stretch of columns in one step's row: at least one, the end is not included."""

    start: int
    end: int
    kind: Kind


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """A run's time as a whole: `work + wait + gap == wall`, parallel work counted once."""

    axis: Axis
    wall: timedelta
    work: timedelta
    """At least one node was running."""
    wait: timedelta
    """Nothing ran, and a decision, a child run or an interrupt was waited for."""
    gap: timedelta
    """Nothing is known to have happened: queueing, saving, and steps without a stored start."""


def timeline(
    steps: Iterable[Step], summary: RunSummary, now: datetime, *, collapse: bool = True
) -> Timeline:
    """Measure a run from its start (or its first step) to its end (or now, while it lives).

    With `collapse`, idle stretches longer than 2 s and than half of the time that is not such a
    stretch take little room on the axis.
    """
    pieces = [segment for step in steps for segment in segments(step, now)]
    whole = _bounds(pieces, summary, now)
    work = union(Interval(p.start, p.end) for p in pieces if p.kind != "waiting")
    waits = union(Interval(p.start, p.end) for p in pieces if p.kind == "waiting")
    idle = difference([whole], work)
    wait = length(difference(waits, work))
    return Timeline(
        axis=Axis.over(whole, _collapsible(idle, whole) if collapse else ()),
        wall=whole.end - whole.start,
        work=length(work),
        wait=wait,
        gap=length(idle) - wait,
    )


def segments(step: Step, now: datetime) -> tuple[Segment, ...]:
    """Return the stretches of time that a step's row shows: its wait, then its work."""
    found = []
    if step.waited_from is not None:
        until = step.waited_until or max(now, step.waited_from)
        found.append(Segment(step.waited_from, until, "waiting"))
    if step.start is not None and step.in_flight:
        found.append(Segment(step.start, max(now, step.start), "running"))
    elif step.start is not None and step.end is not None:
        found.append(Segment(step.start, step.end, "failed" if step.failed else "work"))
    elif (moment := step.start or step.end) is not None:
        found.append(Segment(moment, moment, "failed" if step.failed else "point"))
    return tuple(found)


def bars(
    step: Step, plan: Timeline, width: int, now: datetime, viewport: Viewport
) -> tuple[Bar, ...]:
    """Return the columns of a step's segments, those outside the viewport left out."""
    found = []
    for start, end, kind in segments(step, now):
        columns = plan.axis.columns(Interval(start, end), width, viewport)
        if columns is not None:
            found.append(Bar(*columns, kind))
    return tuple(found)


def _bounds(pieces: Sequence[Segment], summary: RunSummary, now: datetime) -> Interval:
    started, updated = summary.started.instant, summary.updated.instant
    ended = now if is_live(summary.status) else updated
    edges = [min(moment, now) for moment in (started, ended) if moment is not None]
    edges += [moment for piece in pieces for moment in (piece.start, piece.end)]
    return Interval(min(edges, default=now), max(edges, default=now))


def _collapsible(idle: Sequence[Interval], whole: Interval) -> tuple[Interval, ...]:
    """Return idle stretches that would leave no room for the rest."""
    long = [stretch for stretch in idle if stretch.end - stretch.start > _SHORT]
    rest = (whole.end - whole.start) - length(long)
    return tuple(stretch for stretch in long if rest and stretch.end - stretch.start > rest / 2)
