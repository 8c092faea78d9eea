"""Sets of time intervals: union, difference and length, exact to the microsecond."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple


class Interval(NamedTuple):
    """A stretch of time; its end is never before its start."""

    start: datetime
    end: datetime


def union(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Return what any of the intervals covers, as separate stretches in order."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Interval(start, end))
    return tuple(merged)


def difference(of: Sequence[Interval], without: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return what `of` covers and `without` does not; both must be unions."""
    left: list[Interval] = []
    for start, end in of:
        at = start
        for cut in without:
            if cut.end <= at or cut.start >= end:
                continue
            if cut.start > at:
                left.append(Interval(at, cut.start))
            at = max(at, cut.end)
        if at < end:
            left.append(Interval(at, end))
    return tuple(left)


def length(intervals: Iterable[Interval]) -> timedelta:
    """Return the summed length of separate intervals."""
    return sum((end - start for start, end in intervals), timedelta())
