"""A tab of the open run: rows that are built for the width they get."""

from __future__ import annotations

from collections.abc import Callable

from zeroth_tui.line import Row
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows, RowSource

Build = Callable[[int], tuple[Row, ...] | RowSource]
"""Lays out a pane's rows for a width in cells."""


def nothing(_width: int) -> tuple[Row, ...]:
    """Make no rows."""
    return ()


class Pane(RowList):
    """Shows what a Build makes, again for every new width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._build: Build = nothing
        self._wanted: object | None = None

    @property
    def room(self) -> int:
        """The cells for rows beside the scroll bar, whose coming and going moves nothing."""
        return max(1, self.size.width - 1)

    def present(self, build: Build, *, item: object | None = None) -> None:
        """Show other rows; the cursor keeps its item unless `item` says otherwise."""
        self._build = build
        self.rebuild(item)

    def rebuild(self, item: object | None = None) -> None:
        """Lay the rows out again, for the width and the moment that it is now."""
        wanted, width = item or self._wanted, self.size.width
        rows = self._build(self.room) if width else ()
        # A pane that has not been laid out yet puts the cursor there when it is.
        self._wanted = None if width else wanted
        self.show(FixedRows(rows) if isinstance(rows, tuple) else rows, item=wanted)

    def on_resize(self) -> None:
        """Lay the rows out for the new width."""
        self.rebuild()
        super().on_resize()
