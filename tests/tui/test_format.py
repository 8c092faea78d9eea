"""Numbers and times as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from zeroth_store.times import NO_MOMENT, Moment, parse_time
from zeroth_tui.format import age, count, counted, duration, moment, money, size

NOW = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "—"),
        (float("nan"), "—"),
        (float("inf"), "—"),
        (0, "0ms"),
        (0.123, "123ms"),
        (0.9994, "999ms"),
        (0.9996, "1.0s"),
        (12.4, "12.4s"),
        (59.94, "59.9s"),
        (59.96, "1m00s"),
        (252, "4m12s"),
        (3599.6, "1h00m"),
        (3 * 3600 + 5 * 60, "3h05m"),
        (86400, "1d00h"),
        (2 * 86400 + 4 * 3600 + 59 * 60, "2d04h"),
        (100 * 86400 + 4 * 3600, "100d"),
        (-0.8, "-0.8s"),
        (-0.012, "-12ms"),
        (-90, "-1m30s"),
    ],
)
def test_duration(seconds: float | None, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("seconds_ago", "shown"),
    [
        (0, "now"),
        (0.9, "now"),
        (-0.9, "now"),
        (8.7, "8s"),
        (59.9, "59s"),
        (120, "2m"),
        (3 * 3600, "3h"),
        (5 * 86400 + 80000, "5d"),
        (-41, "in 41s"),
        (-7200, "in 2h"),
    ],
)
def test_age(seconds_ago: float, shown: str) -> None:
    assert age(NOW - timedelta(seconds=seconds_ago), NOW) == shown


def test_the_age_of_nothing() -> None:
    assert age(None, NOW) == "—"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 B"),
        (812, "812 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (65536, "64.0 KB"),
        (1024 * 1024 - 1, "1.0 MB"),
        (3 * 1024**3, "3.0 GB"),
        (5 * 1024**4, "5.0 TB"),
    ],
)
def test_size(number: int, shown: str) -> None:
    assert size(number) == shown


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [
        (None, "—"),
        (float("nan"), "—"),
        (0, "$0.00"),
        (12.4, "$12.40"),
        (1204.5, "$1,204.50"),
        (0.5, "$0.50"),
        (0.031, "$0.031"),
        (0.0031, "$0.0031"),
        (0.000012, "$0.000012"),
        (0.12345, "$0.123"),
        (0.9999, "$1.00"),
        (1e-12, "$1e-12"),
        (-0.5, "-$0.50"),
    ],
)
def test_money(dollars: float | None, shown: str) -> None:
    assert money(dollars) == shown


def test_count() -> None:
    assert count(1204) == "1,204"


def test_counted() -> None:
    assert [counted(n, "run") for n in (0, 1, 1204)] == ["0 runs", "1 run", "1,204 runs"]


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("2026-03-01T10:00:00.123456+00:00", "2026-03-01 10:00:00.123 UTC"),
        ("2026-03-01T19:00:00+09:00", "2026-03-01 10:00:00.000 UTC"),
        ("2026-03-01T10:00:00", "≈2026-03-01 10:00:00.000 UTC"),
        ("0001-01-01T00:00:00Z", "0001-01-01 00:00:00.000 UTC"),
        ("soon\n\u202e", "soon␊\\u202e (?)"),
        ("2026-02-31T00:00:00Z", "2026-02-31T00:00:00Z (?)"),
        ("", "—"),
        (None, "—"),
    ],
)
def test_moment(stored: str | None, shown: str) -> None:
    assert moment(parse_time(stored), UTC) == shown


def test_a_moment_in_another_zone_names_it() -> None:
    zone = timezone(timedelta(hours=-5), "EST")
    assert moment(Moment(NOW, "x"), zone) == "2026-03-01 05:00:00.000 EST"


@pytest.mark.parametrize(
    ("stored", "hours"), [("0001-01-01T01:00:00Z", -12), ("9999-12-31T23:00:00Z", 12)]
)
def test_a_moment_that_the_zone_cannot_hold_is_told_in_utc(stored: str, hours: int) -> None:
    shown = moment(parse_time(stored), timezone(timedelta(hours=hours)))
    assert shown == f"{stored[:10]} {stored[11:19]}.000 UTC"


@pytest.mark.parametrize(
    ("seconds_later", "aside"), [(120, ", 2m ago"), (0, ", now"), (-41, ", in 41s")]
)
def test_a_moment_with_its_age(seconds_later: int, aside: str) -> None:
    now = NOW + timedelta(seconds=seconds_later)
    assert moment(Moment(NOW, "x"), UTC, now) == f"2026-03-01 10:00:00.000 UTC{aside}"


def test_nothing_has_no_age() -> None:
    assert moment(NO_MOMENT, UTC, NOW) == "—"
