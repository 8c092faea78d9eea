"""Moments as people write them, the speeds of the film, and the clock of the screen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from zeroth_tui.screens.time_travel import SPEEDS, ScreenClock, faster, read_moment

ZONE = timezone(timedelta(hours=2), "EET")
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=ZONE)  # 10:00 UTC


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("2h", 8, 0),
        ("2h ago", 8, 0),
        ("90m AGO", 8, 30),
        ("11:30", 9, 30),  # of the person's zone
        ("9:05", 7, 5),
        ("2026-03-01T09:15", 7, 15),
        ("2026-03-01 09:15", 7, 15),
        ("2026-03-01T09:15Z", 9, 15),
    ],
)
def test_a_moment_is_read_as_it_is_meant(text: str, hour: int, minute: int) -> None:
    assert read_moment(text, NOW) == datetime(2026, 3, 1, hour, minute, tzinfo=UTC)


def test_a_time_of_day_to_come_is_yesterdays() -> None:
    assert read_moment("12:00:01", NOW) == NOW - timedelta(hours=24) + timedelta(seconds=1)


def test_a_day_is_its_beginning() -> None:
    assert read_moment("2026-02-28", NOW) == datetime(2026, 2, 28, tzinfo=ZONE)
    assert read_moment("today", NOW) == datetime(2026, 3, 1, tzinfo=ZONE)


@pytest.mark.parametrize("text", ["", "soon", "25:00", "2h later", "ago", "-1h", "99999999w", "½h"])
def test_what_is_no_moment_is_none(text: str) -> None:
    assert read_moment(text, NOW) is None


def test_speeds_end_at_the_slowest_and_the_fastest() -> None:
    up = [faster(speed, by=1) for speed in SPEEDS]
    down = [faster(speed, by=-1) for speed in SPEEDS]
    assert (up, down) == ([5, 20, 60, 60], [1, 1, 5, 20])


def test_the_screens_clock_stands_at_a_moment_and_goes_on_from_now() -> None:
    clock = ScreenClock(lambda: NOW)
    assert clock() == NOW
    clock.at = NOW - timedelta(hours=1)
    assert clock() == NOW - timedelta(hours=1)
    assert clock.live() == NOW
    clock.at = None
    assert clock() == NOW
