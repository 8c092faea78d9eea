"""What was done to runs from here, newest first, with what would undo it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import ClassVar, Final, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_store.actions import Write
from zeroth_tui.format import count
from zeroth_tui.journal import Entry, Journal, JournalError, undo_of
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Row
from zeroth_tui.screens.helped_screen import HelpedScreen
from zeroth_tui.text import line
from zeroth_tui.views.journal_rows import entry_lines, entry_rows
from zeroth_tui.widgets.pane import Pane
from zeroth_tui.widgets.row_list import RowList

MOST_SHOWN: Final = 500
"""How many entries are read from the file."""


class Undo(NamedTuple):
    """An entry that somebody wants undone, and what would be written."""

    entry: Entry
    write: Write


class JournalScreen(ModalScreen[Undo | None], HelpedScreen[Undo | None]):
    """Shows the journal; returns what is to be undone, which is still to be confirmed, or None."""

    CSS_PATH = "journal_screen.tcss"

    BINDING_GROUP_TITLE = "Journal"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,at", "close", "Close", id="journal.close", tooltip="Back to the runs"),
        Binding("z", "undo", "Undo", id="journal.undo", tooltip="Undo what the cursor is on"),
    ]

    rows = query_one("#journal-list", Pane)
    whole = query_one("#journal-entry", Pane)
    words = query_one("#journal-words", Static)

    def __init__(
        self,
        journal: Journal,
        *,
        database: str,
        clock: Callable[[], datetime],
        zone: tzinfo,
        may_write: bool = True,
    ) -> None:
        """Show `journal`; only what was done to `database` can be undone, if it may be written."""
        super().__init__()
        self._journal = journal
        self._database = database
        self._clock = clock
        self._zone = zone
        self._may_write = may_write
        self._entries: tuple[Entry, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the list above the entry that the cursor is on."""
        with Vertical(id="journal"):
            yield Static(Content("Journal"), classes="title")
            yield Pane(id="journal-list")
            yield Pane(id="journal-entry")
            yield Static(id="journal-words", classes="muted")

    def place_words(self) -> str:
        """Return where the focus is, in words."""
        return "the journal"

    def on_mount(self) -> None:
        """Read the journal."""
        self.rows.focus()
        self._read()

    @work(group="journal")
    async def _read(self) -> None:
        try:
            loaded = await asyncio.to_thread(self._journal.load, MOST_SHOWN)
        except JournalError as error:
            self._entries = self._journal.entries()[::-1]
            self._show(str(error))
            return
        self._entries = loaded.entries[::-1]
        unreadable = f", {count(loaded.unreadable)} of its lines unreadable"
        self._show(f"{self._journal.path}{unreadable if loaded.unreadable else ''}")

    def _show(self, words: str) -> None:
        none = "Nothing was done to any run yet. " if not self._entries else ""
        keys = keyed(self, "{journal.undo:z} undoes, {journal.close:esc} closes")
        self.words.update(Content(line(f"{none}{keys}. {words}")))
        self.rows.present(lambda width: tuple(entry_lines(self._entries, self._clock(), width)))
        self.show_entry()

    @on(RowList.Moved, "#journal-list")
    def show_entry(self) -> None:
        """Show the entry under the cursor whole."""
        self.whole.present(self._build)

    def _build(self, width: int) -> tuple[Row, ...]:
        at = self.rows.cursor
        if at >= len(self._entries):
            return ()
        entry = self._entries[at]
        return tuple(entry_rows(entry, self._undo_of(at), self._clock(), self._zone, width))

    def _undo_of(self, at: int) -> Write | str:
        """Return what undoes an entry here and now, or why nothing does."""
        entry = self._entries[at]
        if not self._may_write:
            return "this database is open read-only"
        if entry.database != self._database:
            return f"it was done to {entry.database}: open that to undo it"
        return undo_of(entry, self._entries[:at])

    def action_undo(self) -> None:
        """Return what undoes the entry under the cursor, or say why nothing does."""
        at = self.rows.cursor
        if at >= len(self._entries):
            return
        undo = self._undo_of(at)
        if isinstance(undo, Write):
            self.dismiss(Undo(self._entries[at], undo))
        else:
            self.notify(line(undo), severity="warning", markup=False)

    def action_close(self) -> None:
        """Leave without undoing anything."""
        self.dismiss(None)
