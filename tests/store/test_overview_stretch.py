"""The time an overview is about: where it begins and ends, and how it is divided into bars."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.overview import OverviewQuery, Stretch
from zeroth_store.overview_stretch import (
    bar_of,
    micros,
    moment_of,
    shortened,
    step_of,
    stretch_of,
)

NOW = datetime(2026, 3, 1, 12, 0, 7, tzinfo=UTC)
OLD = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
NEW = datetime(2026, 2, 8, 10, 20, 15, tzinfo=UTC)
MINUTES = timedelta(minutes=1)
STARTS = st.integers(
    micros(datetime(1, 1, 1, tzinfo=UTC)), micros(datetime(9999, 12, 31, tzinfo=UTC))
)
LENGTHS = st.sampled_from([15 * MINUTES, 60 * MINUTES, timedelta(days=1), timedelta(days=7), None])


def of(wanted: OverviewQuery, oldest: datetime = OLD, newest: datetime = NEW) -> Stretch:
    return stretch_of(wanted, micros(NOW), micros(oldest), micros(newest))


@pytest.mark.parametrize(
    ("length", "step"),
    [
        (15 * MINUTES, timedelta(seconds=30)),
        (60 * MINUTES, 2 * MINUTES),
        (timedelta(hours=6), 15 * MINUTES),
        (timedelta(hours=24), timedelta(hours=1)),
        (timedelta(days=7), timedelta(hours=6)),
        (timedelta(0), timedelta(seconds=1)),
        (timedelta(days=840), timedelta(days=28)),
        (timedelta(days=841), timedelta(days=56)),
    ],
)
def test_about_thirty_bars_of_a_round_length(length: timedelta, step: timedelta) -> None:
    assert step_of(length // timedelta(microseconds=1)) == step // timedelta(microseconds=1)


def test_up_to_now_it_begins_with_a_whole_bar_and_is_open() -> None:
    found = of(OverviewQuery(15 * MINUTES))
    assert found.since == datetime(2026, 3, 1, 11, 45, 0, tzinfo=UTC)  # 11:45:07, at a half minute
    assert (found.until, found.end, found.bars) == (None, NOW, 31)
    assert found.elapsed == timedelta(minutes=15, seconds=7)


def test_it_stays_the_same_until_the_next_bar_begins() -> None:
    later = stretch_of(OverviewQuery(), micros(NOW) + 22_999_999, micros(OLD), micros(NEW))
    assert later.since == of(OverviewQuery()).since
    later = stretch_of(OverviewQuery(), micros(NOW) + 23_000_000, micros(OLD), micros(NEW))
    assert later.since == of(OverviewQuery()).since + timedelta(seconds=30)


def test_up_to_the_newest_run_it_ends_with_the_bar_of_that_run() -> None:
    found = of(OverviewQuery(15 * MINUTES, at_newest=True))
    assert found.until == datetime(2026, 2, 8, 10, 20, 30, tzinfo=UTC)
    assert found.since == datetime(2026, 2, 8, 10, 5, 30, tzinfo=UTC)
    assert (found.end, found.bars) == (NEW, 30)
    exact = of(OverviewQuery(at_newest=True), newest=datetime(2026, 2, 8, 10, 20, tzinfo=UTC))
    assert exact.until == datetime(2026, 2, 8, 10, 20, 30, tzinfo=UTC)  # exclusive


def test_all_the_time_is_from_the_oldest_run_to_the_newest() -> None:
    found = of(OverviewQuery(None))
    assert found.step == timedelta(hours=6)  # of 7 days and 80 minutes
    assert (found.since, found.until, found.end) == (OLD.replace(hour=6), None, NEW)
    assert found.bars == 29  # four a day from 06:00 on the 1st to 06:00 on the 8th, and one


def test_a_shortened_stretch_has_bars_that_fit() -> None:
    whole = of(OverviewQuery(timedelta(days=7)))
    since = NOW - timedelta(minutes=14)
    found = shortened(whole, micros(since))
    assert (found.since, found.until, found.step) == (since, None, timedelta(seconds=30))
    assert found.bars == 29  # 11:46:00 is in the bar before 11:46:07, 12:00:07 in that of 12:00


def test_what_starts_later_than_now_is_in_the_last_bar() -> None:
    found = of(OverviewQuery())
    assert bar_of(found, micros(found.since)) == 0
    assert bar_of(found, micros(found.since) + 29_999_999) == 0
    assert bar_of(found, micros(found.since) + 30_000_000) == 1
    assert bar_of(found, micros(NOW)) == bar_of(found, micros(NOW + timedelta(days=9))) == 30


@given(STARTS, STARTS, STARTS, LENGTHS, st.booleans())
def test_any_times_make_a_stretch_with_few_bars(
    now: int, one: int, other: int, length: timedelta | None, at_newest: bool
) -> None:
    oldest, newest = sorted((one, other))
    found = stretch_of(OverviewQuery(length, at_newest), now, oldest, newest)
    assert 1 <= found.bars <= 32
    assert found.since <= found.end
    if length is None:
        assert found.since <= moment_of(oldest)
    if at_newest or length is None:
        assert found.since <= moment_of(newest)
        assert found.until is None or moment_of(newest) < found.until
        assert bar_of(found, newest) == found.bars - 1
