"""Numbers and times as people read them; every clock and time zone is passed in."""

from __future__ import annotations

import math
from datetime import UTC, datetime, tzinfo
from typing import Final

from zeroth_store.times import Moment
from zeroth_tui import text

NOTHING: Final = "—"
"""Stands where no value is stored."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_MANY_DAYS: Final = 100
"""From here on hours say nothing more."""


def duration(seconds: float | None) -> str:
    """Return a length of time: `123ms`, `12.4s`, `4m12s`, `3h05m`, `2d04h`, `309d`, `-0.8s`."""
    if seconds is None or not math.isfinite(seconds):
        return NOTHING
    if seconds <= -0.05:
        return "-" + _long(-seconds)
    milliseconds = round(seconds * 1000)
    return f"{milliseconds}ms" if milliseconds < 1000 else _long(seconds)


def _long(seconds: float) -> str:
    """Return a length of a second or more, rounded before it is split so that no part overflows."""
    tenths = round(seconds, 1)
    if tenths < _MINUTE:
        return f"{tenths:.1f}s"
    whole = round(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE}m{whole % _MINUTE:02}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h{whole % _HOUR // _MINUTE:02}m"
    days, rest = divmod(whole, _DAY)
    return f"{days}d" if days >= _MANY_DAYS else f"{days}d{rest // _HOUR:02}h"


def age(then: datetime | None, now: datetime) -> str:
    """Return how long ago `then` was: `now`, `8s`, `2m`, `3h`, `5d`; to come: `in 41s`."""
    if then is None:
        return NOTHING
    seconds = (now - then).total_seconds()
    words = _largest_unit(int(abs(seconds)))
    if words == "0s":
        return "now"
    return words if seconds > 0 else f"in {words}"


def ago(then: datetime, now: datetime) -> str:
    """Return how long ago `then` was, in a sentence: `now`, `8s ago`, `in 41s`."""
    words = age(then, now)
    return words if words == "now" or words.startswith("in ") else f"{words} ago"


def _largest_unit(seconds: int) -> str:
    for unit, length in (("d", _DAY), ("h", _HOUR), ("m", _MINUTE)):
        if seconds >= length:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"


def size(n: int) -> str:
    """Return a number of bytes: `812 B`, `64.0 KB`, `2.1 MB`."""
    if n < 1024:
        return f"{n} B"
    amount = float(n)
    for unit in ("KB", "MB", "GB"):
        amount /= 1024
        if amount < 1023.95:
            return f"{amount:.1f} {unit}"
    return f"{amount / 1024:.1f} TB"


def money(x: float | None) -> str:
    """Return US dollars: `$12.40`, `$0.031`; below a dollar with up to three digits that count."""
    if x is None or not math.isfinite(x):
        return NOTHING
    sign, amount = ("-" if x < 0 else ""), abs(x)
    if amount == 0 or amount >= 1:
        return f"{sign}${amount:,.2f}"
    if amount < 1e-9:
        return f"{sign}${amount:.2g}"
    digits = f"{amount:.{2 - math.floor(math.log10(amount))}f}".rstrip("0")
    whole, _, fraction = digits.partition(".")
    return f"{sign}${whole}.{fraction:0<2}"


def count(n: int) -> str:
    """Return a number of things: `1,204`."""
    return f"{n:,}"


def counted(n: int, noun: str) -> str:
    """Return a number of things and what they are: `1 run`, `1,204 runs`."""
    return f"{count(n)} {noun}" if n == 1 else f"{count(n)} {noun}s"


def moment(m: Moment, zone: tzinfo, now: datetime | None = None) -> str:
    """Return a stored time in `zone`, with the zone named: `2026-03-01 10:00:00.123 UTC`.

    `≈` marks a time stored without a zone, taken as UTC; `(?)` text that names no moment, shown as
    stored. Where `now` is given the age follows: `, 2m ago`.
    """
    if m.missing:
        return NOTHING
    if m.instant is None:
        return f"{text.line(m.raw)} (?)"
    mark = "≈" if m.assumed_utc else ""
    return f"{mark}{_local(m.instant, zone)}{_aside(m.instant, now)}"


def _local(instant: datetime, zone: tzinfo) -> str:
    try:
        local = instant.astimezone(zone)
    except OverflowError:  # the first and last hours of the calendar exist in some zones only
        local = instant.astimezone(UTC)
    return f"{local.replace(tzinfo=None).isoformat(' ', 'milliseconds')} {local.tzname()}"


def _aside(instant: datetime, now: datetime | None) -> str:
    return "" if now is None else f", {ago(instant, now)}"
