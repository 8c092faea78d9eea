"""The names of a list's columns; a click sorts."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip

from zeroth_store.browse import OrderBy, RunOrder
from zeroth_tui.views.columns import SORTS, Columns
from zeroth_tui.widgets.ink import InkWidget


class ColumnBar(InkWidget):
    """One line above a flat list; hidden where there are no columns."""

    @dataclass
    class SortWanted(Message):
        """The heading of a column was clicked."""

        by: OrderBy

    def __init__(self) -> None:
        super().__init__(id="columns")
        self._columns = Columns(())
        self._order = RunOrder()

    def show(self, columns: Columns, order: RunOrder) -> None:
        """Draw other columns; none hides the line."""
        self.set_class(bool(columns.every), "-open")
        if (columns, order) != (self._columns, self._order):
            self._columns, self._order = columns, order
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        """Draw the names."""
        return self.strip(self._columns.heading(self._order), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Say which column is to sort."""
        column = self._columns.at(event.x)
        if column is not None and column.name in SORTS:
            self.post_message(self.SortWanted(SORTS[column.name]))
