"""From time to columns: an axis on which collapsed stretches take little room, and a viewport."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Self

from zeroth_tui.views.intervals import Interval

_NARROWEST: Final = 1e-4
_MICROSECOND: Final = timedelta(microseconds=1)


class Viewport(NamedTuple):
    """The part of the axis that is shown, as fractions of what is drawn: it survives growth."""

    start: float = 0.0
    end: float = 1.0

    def zoomed(self, factor: float) -> Viewport:
        """Show `1 / factor` of what is shown now, around the same middle."""
        half = min(1.0, max(_NARROWEST, (self.end - self.start) / factor)) / 2
        middle = (self.start + self.end) / 2
        return Viewport(middle - half, middle + half)._inside()

    def panned(self, by: float) -> Viewport:
        """Move by a fraction of what is shown; positive is later."""
        step = (self.end - self.start) * by
        return Viewport(self.start + step, self.end + step)._inside()

    def _inside(self) -> Viewport:
        size = min(1.0, self.end - self.start)
        start = min(max(0.0, self.start), 1.0 - size)
        return Viewport(start, start + size)


FIT: Final = Viewport()
"""The whole axis."""


class Axis(NamedTuple):
    """Maps moments to columns in order; whole microseconds, so that rounding swaps nothing."""

    whole: Interval
    breaks: tuple[Interval, ...]
    """Collapsed stretches, in order."""
    break_size: int
    """Room of one collapsed stretch, in drawn microseconds."""
    drawn: int
    """Room of everything, in drawn microseconds."""

    @classmethod
    def over(cls, whole: Interval, breaks: Sequence[Interval]) -> Self:
        """Lay an axis over `whole`; all breaks together take at most a third of it."""
        rest = _micros(whole.end - whole.start) - sum(_micros(b.end - b.start) for b in breaks)
        size = max(1, rest // max(6, 2 * len(breaks))) if breaks else 0
        return cls(whole, tuple(breaks), size, rest + size * len(breaks))

    def position(self, moment: datetime) -> int:
        """Return where a moment is drawn: never before an earlier moment."""
        at = _micros(moment - self.whole.start)
        for start, end in self.breaks:
            if moment <= start:
                break
            passed, size = _micros(min(moment, end) - start), _micros(end - start)
            at += self.break_size * passed // size - passed
        return at

    def columns(self, stretch: Interval, width: int, viewport: Viewport) -> tuple[int, int] | None:
        """Return the columns of a stretch (first, one past the last), or None when out of view."""
        first = self._column(stretch.start, width, viewport)
        last = self._column(stretch.end, width, viewport)
        before = first < 0 and last <= 0
        behind = first > width or (first == width and viewport.end < 1.0)
        if width < 1 or before or behind:
            return None
        start = min(max(0, math.floor(first)), width - 1)
        return start, max(start + 1, min(width, math.ceil(last)))

    def _column(self, moment: datetime, width: int, viewport: Viewport) -> float:
        fraction = self.position(moment) / self.drawn if self.drawn else 0.0
        shown = viewport.end - viewport.start
        return (fraction - viewport.start) / shown * width


def _micros(delta: timedelta) -> int:
    return delta // _MICROSECOND
