"""Times in a filter: reading them, writing them, and which instant they are now."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, cast

from zeroth_store.filters.terms import (
    MICROSECONDS,
    Ago,
    Clock,
    Day,
    TimeKey,
    TimeValue,
    Today,
    Unit,
)

_AGO: Final = re.compile(r"([0-9]{1,9})([smhdw])")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_time(text: str) -> TimeValue | None:
    """Return the time that a text names: `2h`, `today`, a date, or an ISO time; else None."""
    lowered = text.lower()
    if lowered == "today":
        return Today()
    if (match := _AGO.fullmatch(lowered)) is not None:
        return Ago(int(match[1]), cast("Unit", match[2]))
    if not text.isascii() or _DAY.match(text) is None:
        return None
    try:
        if len(text) == len("2026-03-01"):
            return Day(date.fromisoformat(text))
        return Clock(datetime.fromisoformat(text))
    except ValueError:
        return None


def write_time(value: TimeValue) -> str:
    """Return a time so that `read_time` gives the same one."""
    match value:
        case Ago():
            return f"{value.count}{value.unit}"
        case Today():
            return "today"
        case Day():
            return value.day.isoformat()
        case Clock():
            return value.moment.isoformat()


def limit(key: TimeKey, value: TimeValue, now: datetime) -> datetime | None:
    """Return the UTC instant from which (`since`) or before which (`until`) a run started.

    A day counts whole: `until` ends with it. None for what is outside the years 1 to 9999.
    """
    try:
        return _limit(key, value, now).astimezone(UTC)
    except (OverflowError, ValueError, OSError):  # the platform's own clock has limits too
        return None


def _limit(key: TimeKey, value: TimeValue, now: datetime) -> datetime:
    match value:
        case Ago():
            return now.astimezone(UTC) - timedelta(
                microseconds=value.count * MICROSECONDS[value.unit]
            )
        case Clock():
            aware = value.moment.tzinfo is not None
            return value.moment if aware else value.moment.replace(tzinfo=now.tzinfo)
        case Today() | Day():
            day = now.date() if isinstance(value, Today) else value.day
            if key == "until":
                day += timedelta(days=1)
            return datetime.combine(day, time(), now.tzinfo)
