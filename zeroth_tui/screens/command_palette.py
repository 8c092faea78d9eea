"""Textual's command palette, in whose input no pasted character can act."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.widgets import Input

from zeroth_tui.widgets.shown_text import ShownText


class HarmlessPalette(CommandPalette):
    """Draws what is typed as every other input of ours does."""

    def on_mount(self) -> None:
        """Take over how the input is drawn."""
        field = self.query_one(Input)
        field.highlighter = ShownText(field)
