"""One reader for every way a database spells a moment: never raises, never guesses silently."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER: Final = re.compile(r"-?\d{1,19}(\.\d+)?")
_LONG_FRACTION: Final = re.compile(r"(\.\d{6})\d+")


class Moment(msgspec.Struct, frozen=True):
    """A stored time: the instant it names, the text as stored, and whether UTC was assumed."""

    instant: datetime | None = None
    """Aware and in UTC; None when the text names no instant that can be held."""
    raw: str | None = None
    """The stored text; None for SQL NULL or a missing key."""
    assumed_utc: bool = False
    """True when the text named no zone."""

    @property
    def missing(self) -> bool:
        """Whether nothing is stored (as opposed to something unreadable)."""
        return self.raw is None or self.raw == ""


NO_MOMENT: Final = Moment()


def latest(one: Moment, other: Moment) -> Moment:
    """Return the later of two moments; one that names no instant never is, unless both are so."""
    if other.instant is None:
        return one
    return other if one.instant is None or other.instant > one.instant else one


def parse_time(value: object) -> Moment:
    """Read a stored time: ISO 8601 in any spelling, a date, or an epoch in s, ms, us or ns.

    A time without a zone is taken as UTC and says so. What names no instant (an impossible date,
    words, a year outside 1 to 9999 in UTC) keeps its text and has `instant` None.
    """
    if value is None:
        return NO_MOMENT
    raw = value if isinstance(value, str) else str(value)
    text = raw.strip()
    if not text:
        return Moment(raw=raw)
    if _NUMBER.fullmatch(text):
        return Moment(_from_epoch(float(text)), raw)
    return _from_iso(text, raw)


def _from_epoch(number: float) -> datetime | None:
    """Read seconds, milliseconds, microseconds or nanoseconds since 1970 by their magnitude."""
    size = abs(number)
    divisor = 1 if size < 1e11 else 1e3 if size < 1e14 else 1e6 if size < 1e17 else 1e9
    try:
        return _EPOCH + timedelta(seconds=number / divisor)
    except OverflowError:
        return None


def _from_iso(text: str, raw: str) -> Moment:
    if not text[:1].isdigit() or len(text) < 10:
        return Moment(raw=raw)
    try:
        parsed = datetime.fromisoformat(_LONG_FRACTION.sub(r"\1", text))
    except ValueError:
        return Moment(raw=raw)
    if parsed.tzinfo is None:
        return Moment(parsed.replace(tzinfo=UTC), raw, assumed_utc=True)
    try:
        return Moment(parsed.astimezone(UTC), raw)
    except (OverflowError, ValueError):
        return Moment(raw=raw)
