"""Where a list gets its rows from: by position, and only those in sight."""

from __future__ import annotations

from typing import Protocol

from zeroth_tui.line import Row


class RowSource(Protocol):
    """Rows by position; only those in sight are asked for."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        ...

    def row(self, index: int, width: int) -> Row:
        """Return one row, laid out for `width` cells."""
        ...

    def find(self, item: object) -> int | None:
        """Return where the row of an item is, or None."""
        ...


class FixedRows:
    """Rows that are there already."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._rows)

    def row(self, index: int, width: int) -> Row:  # noqa: ARG002 - laid out before
        """Return one row as it is."""
        return self._rows[index]

    def find(self, item: object) -> int | None:
        """Return where the first row of an item is, or None."""
        return next((at for at, row in enumerate(self._rows) if row.item == item), None)
