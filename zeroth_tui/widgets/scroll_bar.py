"""Where the thumb of a scroll bar stands, and which row a place on the bar means."""

from __future__ import annotations

from typing import NamedTuple, Self


class ScrollBar(NamedTuple):
    """A bar as high as the rows in sight, beside a list that is longer than that."""

    height: int
    """How many rows are in sight."""
    total: int
    """How many rows there are: more than are in sight."""
    top: int
    """Position of the first row in sight."""

    @classmethod
    def of(cls, height: int, total: int, top: int) -> Self | None:
        """Return the bar of a list, or None where all rows are in sight."""
        return cls(height, total, top) if total > height > 0 else None

    @property
    def size(self) -> int:
        """How many cells high the thumb is."""
        return max(1, self.height * self.height // self.total)

    @property
    def thumb(self) -> range:
        """The cells that the thumb is on."""
        start = self.start
        return range(start, start + self.size)

    @property
    def start(self) -> int:
        """The thumb's first cell: at the very end exactly when the list is."""
        return self._room * self.top // (self.total - self.height)

    @property
    def _room(self) -> int:
        return self.height - self.size

    def top_at(self, start: int) -> int:
        """Return the first row in sight when the thumb is dragged to start at a cell."""
        if self._room == 0:
            return 0
        start = max(0, min(start, self._room))
        return -(-start * (self.total - self.height) // self._room)
