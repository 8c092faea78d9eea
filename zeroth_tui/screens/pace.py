"""When to look at a database again: soon after something happened, seldom while nothing does."""

from __future__ import annotations

from typing import Final

SOONEST: Final = 0.002
"""How soon it is looked again after a write whose commit could not be seen yet."""
BETWEEN: Final = 0.1
"""Seconds between two changes that are taken in: more often nobody could read them."""
SELDOM: Final = 1.0
"""How long it is left alone while nobody writes and no event wakes us."""
FIRST_TRY: Final = 0.25
"""How soon it is tried again when it could not be read; then less and less often."""
LAST_TRY: Final = 8.0
"""It may be slow and not gone: so long is the longest that it is left alone."""

_SHARE: Final = 3
"""Taking changes in rests so many times as long as it took, so that keys come first."""
_WIDEN_FAST, _WIDEN_SLOWLY = 2.0, 1.2


class Pace:
    """How long to rest, and then how long to wait unless something wakes us before."""

    def __init__(self, seldom: float = SELDOM) -> None:
        """Leave the database alone for `seldom` seconds at the most while nothing happens."""
        self._seldom = seldom
        self.rest = 0.0
        """Seconds during which nothing wakes us."""
        self.wait = SOONEST
        """Seconds after that, at the most."""

    def after_change(self, took: float) -> None:
        """Let others come first after a change that took so many seconds to be shown."""
        self.rest = max(BETWEEN - took, _SHARE * took)
        self.wait = SOONEST

    def after_nothing(self, *, woken: bool) -> None:
        """Look again soon where an event told of a write that cannot be seen yet, else later."""
        if woken:
            self.rest, self.wait = min(max(SOONEST, 2 * self.rest), BETWEEN), SOONEST
        else:
            wider = _WIDEN_FAST if self.wait < BETWEEN else _WIDEN_SLOWLY
            self.rest, self.wait = 0.0, min(wider * self.wait, self._seldom)

    def after_trouble(self) -> None:
        """Try again less and less often, whatever happens to the file."""
        self.rest, self.wait = min(max(FIRST_TRY, 2 * self.rest), LAST_TRY), SOONEST
