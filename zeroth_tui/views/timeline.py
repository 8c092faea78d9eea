"""The geometry of a timeline: what was work, wait and gap, and which columns a bar takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from operator import sub
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import RunSummary
from zeroth_tui.status import is_live
from zeroth_tui.views.axis import Axis, Viewport
from zeroth_tui.views.intervals import Interval, difference, length, union
from zeroth_tui.views.plain_steps import PlainSteps
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
    moments = steps.moments() if isinstance(steps, PlainSteps) else None
    wait = timedelta()
    if moments:
        whole = _bounds([Interval(moments[0], moments[-1])], summary, now)
        idle, long = whole.end - whole.start, _long_between(moments, whole)
    else:
        work, waits = _stretches(steps, now)
        whole = _bounds([*work, *waits], summary, now)
        idle, long = _idle(work, whole)
        if waits:
            wait = length(difference(union(waits), union(work)))
    wall = whole.end - whole.start
    return Timeline(
        axis=Axis.over(whole, _collapsible(long, whole) if collapse else ()),
        wall=wall,
        work=wall - idle,
        wait=wait,
        gap=idle - wait,
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


def _stretches(
    steps: Iterable[Step], now: datetime
) -> tuple[Sequence[Interval], Sequence[Interval]]:
    """Return when something ran, by its start, and when something was waited for."""
    if isinstance(steps, PlainSteps):
        return steps.stretches(), ()
    pieces = [segment for step in steps for segment in segments(step, now)]
    work = sorted(Interval(p.start, p.end) for p in pieces if p.kind != "waiting")
    return work, [Interval(p.start, p.end) for p in pieces if p.kind == "waiting"]


def _bounds(stretches: Sequence[Interval], summary: RunSummary, now: datetime) -> Interval:
    started, updated = summary.started.instant, summary.updated.instant
    ended = now if is_live(summary.status) else updated
    edges = [min(moment, now) for moment in (started, ended) if moment is not None]
    starts = [start for start, _ in stretches] + edges
    ends = [end for _, end in stretches] + edges
    return Interval(min(starts, default=now), max(ends, default=now))


def _idle(work: Sequence[Interval], whole: Interval) -> tuple[timedelta, list[Interval]]:
    """Return for how long nothing ran, and the stretches of it that are worth collapsing."""
    idle = timedelta()
    long = []
    reached = whole.start
    for start, end in (*work, (whole.end, whole.end)):
        if start > reached:
            gap = start - reached
            idle += gap
            if gap > _SHORT:
                long.append(Interval(reached, start))
        if end > reached:  # noqa: PLR1730 - max() costs more, ten thousand times
            reached = end
    return idle, long


def _long_between(moments: Sequence[datetime], whole: Interval) -> list[Interval]:
    """Return the stretches between moments that are worth collapsing."""
    edges = [whole.start, *moments, whole.end]
    if max(map(sub, edges[1:], edges)) <= _SHORT:
        return []
    return [Interval(*pair) for pair in pairwise(edges) if pair[1] - pair[0] > _SHORT]


def _collapsible(long: Sequence[Interval], whole: Interval) -> tuple[Interval, ...]:
    """Return idle stretches that would leave no room for the rest."""
    rest = (whole.end - whole.start) - length(long)
    return tuple(stretch for stretch in long if rest and stretch.end - stretch.start > rest / 2)
