"""parse_time reads every spelling met in real databases and never raises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.times import NO_MOMENT, Moment, parse_time

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
EPOCH_OF_NOON = 1768478400


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-15T12:00:00+00:00",
        "2026-01-15T12:00:00Z",
        "2026-01-15 12:00:00+00:00",
        "2026-01-15T21:00:00+09:00",
        "2026-01-15T06:30:00-05:30",
        "2026-01-15T12:00:00.000000000Z",
        " 2026-01-15T12:00:00Z\n",
        str(EPOCH_OF_NOON),
        f"{EPOCH_OF_NOON}.0",
        f"{EPOCH_OF_NOON}000",
        f"{EPOCH_OF_NOON}000000",
        f"{EPOCH_OF_NOON}000000000",
        EPOCH_OF_NOON,
        float(EPOCH_OF_NOON),
    ],
)
def test_every_spelling_of_noon(text: object) -> None:
    assert parse_time(text) == Moment(NOON, str(text))


def test_the_two_spellings_of_zeroth() -> None:
    instant = datetime(2026, 11, 29, 15, 11, 4, 692044, tzinfo=UTC)
    assert parse_time("2026-11-29T15:11:04.692044+00:00").instant == instant
    assert parse_time("2026-11-29T15:11:04.692044Z").instant == instant


@pytest.mark.parametrize("text", ["2026-01-15T12:00:00", "2026-01-15 12:00", "2026-01-15T12"])
def test_a_time_without_a_zone_is_utc_and_says_so(text: str) -> None:
    assert parse_time(text) == Moment(NOON, text, assumed_utc=True)


def test_a_date_alone_is_its_midnight() -> None:
    midnight = datetime(2026, 1, 15, tzinfo=UTC)
    assert parse_time("2026-01-15") == Moment(midnight, "2026-01-15", assumed_utc=True)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "2026-02-30T00:00:00Z",
        "2026-01-15T25:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:00:00-12:00",
        "2026-01",
        "9" * 400,
        "nan",
        "inf",
        "²026-01-15T12:00:00Z",
        "2026-01-15T12:00:00Z\x1b[2J",
        "\ud800",
        "-",
    ],
)
def test_what_names_no_instant_keeps_its_text(text: str) -> None:
    assert parse_time(text) == Moment(None, text)
    assert not parse_time(text).missing


def test_nothing_stored_is_not_something_unreadable() -> None:
    assert parse_time(None) is NO_MOMENT
    assert NO_MOMENT.missing
    assert parse_time("").missing
    assert parse_time(" ") == Moment(None, " ")


def test_times_of_one_instant_are_equal_whatever_their_text() -> None:
    """Sorted as text, 12:00+02:00 would come after 10:00Z."""
    assert parse_time("2026-01-15T14:00:00+02:00").instant == parse_time(EPOCH_OF_NOON).instant


@given(
    st.datetimes(
        min_value=datetime(2, 1, 1),
        max_value=datetime(9998, 12, 31),
        timezones=st.integers(-14 * 60, 14 * 60).map(
            lambda minutes: timezone(timedelta(minutes=minutes))
        ),
    )
)
def test_isoformat_comes_back(moment: datetime) -> None:
    read = parse_time(moment.isoformat())
    assert read.instant == moment
    assert read.instant is not None
    assert read.instant.tzinfo is UTC


@given(st.text() | st.floats() | st.integers() | st.binary() | st.booleans())
def test_it_never_raises_and_always_keeps_the_text(value: object) -> None:
    assert parse_time(value).raw == (value if isinstance(value, str) else str(value))
