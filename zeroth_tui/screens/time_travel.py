"""Where in time the screen is, and which moment a person means."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Final

SPEEDS: Final = (1, 5, 20, 60)
"""How fast the past is played."""

_AGO: Final = re.compile(r"(.+?)\s*ago", re.IGNORECASE)
_TIME_OF_DAY: Final = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?")


class ScreenClock:
    """Tells the time as the screen has it: now, or a moment at which it stands."""

    def __init__(self, live: Callable[[], datetime]) -> None:
        self.live = live
        """Tells the present, whatever the screen shows."""
        self.at: datetime | None = None
        """Where the clock stands; None while it goes."""

    def __call__(self) -> datetime:
        """Return it."""
        return self.at or self.live()


def read_moment(text: str, now: datetime) -> datetime | None:
    """Return the moment that a person names: `2h ago`, `10:30`, a date, an ISO time; else None.

    `now` is in the person's zone. A time of day is the last one before now.
    """
    from zeroth_store.filters.moments import limit, read_time

    if _TIME_OF_DAY.fullmatch(text):
        return _last(text, now)
    ago = _AGO.fullmatch(text)
    named = read_time((text if ago is None else ago[1]).replace(" ", "T" if ago is None else ""))
    return None if named is None else limit("since", named, now)


def faster(speed: int, *, by: int) -> int:
    """Return the next speed, or the one before; the fastest and the slowest stay."""
    return SPEEDS[max(0, min(SPEEDS.index(speed) + by, len(SPEEDS) - 1))]


def _last(text: str, now: datetime) -> datetime | None:
    padded = text if text.index(":") == 2 else f"0{text}"
    try:
        at = datetime.combine(now.date(), time.fromisoformat(padded), now.tzinfo)
    except ValueError:
        return None
    return at if at <= now else at - timedelta(days=1)
