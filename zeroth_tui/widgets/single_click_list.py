"""A list of choices, of which one click is enough to choose."""

from __future__ import annotations

from textual import events

from zeroth_tui.widgets.row_list import RowList


class SingleClickList(RowList):
    """Opens the row that is clicked, wherever the cursor was."""

    def on_click(self, event: events.Click) -> None:
        """Choose the row."""
        event.prevent_default()
        event.stop()
        index = self.index_at(event)
        if index is not None:
            self.cursor = index
            self.action_open()
