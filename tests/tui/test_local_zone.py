"""The time zone of this machine: for each moment the offset that was valid then."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.filters.moments import limit
from zeroth_store.filters.terms import Day
from zeroth_store.local_zone import LocalZone, zone_of
from zeroth_store.times import Moment
from zeroth_tui.format import moment

BERLIN = ZoneInfo("Europe/Berlin")
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))


@pytest.fixture(params=["Europe/Berlin"], autouse=True)
def _machine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the machine be somewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


def shown(text: str) -> str:
    """Return a moment of UTC as it is shown."""
    return moment(Moment(datetime.fromisoformat(text), text), zone_of("local"))


def test_summer_is_shown_as_summer_and_winter_as_winter() -> None:
    """Germany is two hours ahead of UTC in summer and one in winter."""
    assert shown("2026-07-01T12:00:00+00:00") == "2026-07-01 14:00:00.000 CEST"
    assert shown("2026-12-01T12:00:00+00:00") == "2026-12-01 13:00:00.000 CET"


def test_the_hour_that_is_there_twice_has_two_names() -> None:
    """On 25 October 2026 clocks go back from 03:00 to 02:00, which is 01:00 UTC."""
    assert shown("2026-10-25T00:30:00+00:00") == "2026-10-25 02:30:00.000 CEST"
    assert shown("2026-10-25T01:30:00+00:00") == "2026-10-25 02:30:00.000 CET"


def test_a_day_of_a_filter_begins_when_it_began_here() -> None:
    """It is winter now; the first of July began at 22:00 UTC."""
    now = datetime(2026, 12, 1, 12, tzinfo=LocalZone())
    begin = limit("since", Day(date(2026, 7, 1)), now)
    assert begin == datetime(2026, 6, 30, 22, tzinfo=UTC)


@given(MOMENTS)
def test_it_agrees_with_the_zone_of_that_name(instant: datetime) -> None:
    here, named = instant.astimezone(LocalZone()), instant.astimezone(BERLIN)
    assert here.isoformat() == named.isoformat()
    assert f"{here:%Z}" == f"{named:%Z}"
    assert here.astimezone(UTC) == instant


@pytest.mark.parametrize("_machine", ["America/New_York", "Asia/Tokyo", "UTC"], indirect=True)
def test_the_ends_of_the_calendar_are_shown_all_the_same() -> None:
    for instant in (datetime.min, datetime.max, datetime.min + timedelta(hours=1)):
        assert shown(instant.replace(tzinfo=UTC).isoformat()).startswith(("0001", "9999"))


def test_utc_needs_no_database_of_zones() -> None:
    assert zone_of("UTC") is UTC
