"""An input of one line for what a person adds to an act."""

from __future__ import annotations

from textual import events

from zeroth_tui.widgets.filter_input import FilterInput


class FieldInput(FilterInput):
    """Keeps every line of what is pasted: between the tokens of JSON a line end is a space."""

    def on_paste(self, event: events.Paste) -> None:
        """Put the pasted text, as one line, in place of what is selected."""
        event.prevent_default()
        event.stop()
        self.replace(" ".join(event.text.splitlines()), *sorted(self.selection))
