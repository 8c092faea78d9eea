"""Which stretch of time an overview is about, and how it is divided into bars."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from zeroth_store.overview import OverviewQuery, Stretch

_SECOND: Final = 1_000_000
_DAY: Final = 86_400
_STEPS: Final = tuple(
    seconds * _SECOND
    for seconds in (
        *(1, 2, 5, 10, 30, 60, 120, 300, 900, 1_800),
        *(3_600, 7_200, 21_600, 43_200, _DAY, 2 * _DAY, 7 * _DAY, 28 * _DAY),
    )
)
_BARS: Final = 30
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST: Final = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
_LAST: Final = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


def stretch_of(wanted: OverviewQuery, now: int, oldest: int, newest: int) -> Stretch:
    """Return the stretch; all times in microseconds since 1970, the oldest and newest of starts.

    It begins with a bar, so that the same runs stay in the same bar while time goes on.
    """
    if wanted.length is None:
        step = step_of(newest - oldest)
        return _stretch(oldest // step * step, None, newest, step)
    length = wanted.length // timedelta(microseconds=1)
    step = step_of(length)
    if wanted.at_newest:
        until = (newest // step + 1) * step
        return _stretch(until - length, until, newest, step)
    return _stretch((now - length) // step * step, None, now, step)


def shortened(whole: Stretch, since: int) -> Stretch:
    """Return what remains of a stretch from a later moment on, with bars that fit it."""
    end = micros(whole.end)
    until = None if whole.until is None else micros(whole.until)
    return _stretch(since, until, end, step_of(end - since))


def step_of(length: int) -> int:
    """Return how long bars are of which about thirty make up a length."""
    wanted = max(length, 0) / _BARS
    for step in _STEPS:
        if step >= wanted:
            return step
    step = _STEPS[-1]
    while step < wanted:
        step *= 2
    return step


def bar_of(stretch: Stretch, started: int) -> int:
    """Return the number of the bar that a start belongs to; what is later is in the last one."""
    step = stretch.step // timedelta(microseconds=1)
    at = started // step - micros(stretch.since) // step
    return max(0, min(at, stretch.bars - 1))


def micros(moment: datetime) -> int:
    """Return a moment as microseconds since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_of(number: int) -> datetime:
    """Return the moment that lies so many microseconds after 1970, within the calendar."""
    return _EPOCH + timedelta(microseconds=max(_FIRST, min(number, _LAST)))


def _stretch(since: int, until: int | None, end: int, step: int) -> Stretch:
    since = max(_FIRST, min(since, _LAST))
    end = max(min(end, _LAST), since)
    return Stretch(
        since=moment_of(since),
        until=None if until is None or until > _LAST else moment_of(until),
        end=moment_of(end),
        step=timedelta(microseconds=step),
        bars=end // step - since // step + 1,
    )
