"""All keys over the screen: first those that work where the focus is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_tui.key_words import keyed
from zeroth_tui.views.help_rows import Section, help_rows
from zeroth_tui.widgets.pane import Pane
from zeroth_tui.widgets.row_list import RowList


class HelpScreen(ModalScreen[str | None]):
    """Shows keys; returns the id of the command that was chosen among them, or None."""

    CSS_PATH = "help_screen.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,question_mark,f1,q",
            "close",
            "Close",
            key_display="esc",
            id="help.close",
            tooltip="Back to where you were",
        ),
    ]

    rows = query_one("#help-keys", Pane)

    def __init__(self, place: str, sections: Sequence[Section]) -> None:
        """Show the keys of a screen whose focus is in `place`."""
        super().__init__()
        self._place = place
        self._sections = sections

    def compose(self) -> ComposeResult:
        """Lay out the keys under the name of the place."""
        with Vertical(id="help"):
            yield Static(Content.from_markup("Keys: you are in [b]$place[/b]", place=self._place))
            yield Pane(id="help-keys")
            words = "{list.open:enter} does it, {help.close:esc} closes"
            yield Static(Content(f"{keyed(self, words)}, ctrl+p finds all of this by name"))

    def on_mount(self) -> None:
        """Put the cursor on the first key."""
        self.rows.focus()
        first = self._sections[0].entries[0].item if self._sections else None
        self.rows.present(lambda width: help_rows(self._sections, width), item=first)

    @on(RowList.Opened, "#help-keys")
    def choose(self, event: RowList.Opened) -> None:
        """Return what the row is for."""
        self.dismiss(str(event.item))

    def action_close(self) -> None:
        """Leave."""
        self.dismiss(None)
