"""A row that stays while the cursor is on it, although its run is gone from the list."""

from __future__ import annotations

from zeroth_store.browse import RunKey
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.layout import fit, short
from zeroth_tui.widgets.row_source import RowSource


class WithGhost:
    """Another source with one row more."""

    def __init__(self, rows: RowSource, at: int, key: RunKey) -> None:
        """Show the run `key` at a position, dimmed; what stood there moves down."""
        self.rows = rows
        """The rows without it."""
        self.at = at
        """Where it is."""
        self._key = key

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.rows) + 1

    def row(self, index: int, width: int) -> Row:
        """Return one row, laid out for `width` cells."""
        if index == self.at:
            words = f"   {short(self._key.run_id)} is not in this list"
            return Row(fit((Piece(words, "muted"),), width), self._key)
        return self.rows.row(self.inner(index), width)

    def find(self, item: object) -> int | None:
        """Return where the row of an item is, or None."""
        if item == self._key:
            return self.at
        found = self.rows.find(item)
        return None if found is None else found + (found >= self.at)

    def inner(self, index: int) -> int:
        """Return where a row is without this one."""
        return index - (index > self.at)
