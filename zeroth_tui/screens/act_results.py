"""What became of an act on several runs, run by run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_store.actions import Outcome, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.key_words import keyed
from zeroth_tui.views.act_outcomes import result_rows, results_tally
from zeroth_tui.widgets.auto_pane import AutoPane
from zeroth_tui.widgets.row_list import RowList

_FOOT: Final = "{list.open:enter} opens the run, {results.close:esc} closes"


class ActResults(ModalScreen[RunKey | None]):
    """Lists the results; returns the run that was opened in it, or None."""

    CSS_PATH = "act_results.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="results.close", tooltip="Back to the runs"),
    ]

    rows = query_one(AutoPane)

    def __init__(self, results: Sequence[tuple[Write, Outcome]]) -> None:
        """Show what became of each write."""
        super().__init__()
        self._results = tuple(results)

    def compose(self) -> ComposeResult:
        """Lay out the list under how many were written."""
        with Vertical(id="results"):
            yield Static(Content(results_tally(self._results)), classes="title")
            yield AutoPane()
            yield Static(Content(keyed(self, _FOOT)), classes="muted")

    def on_mount(self) -> None:
        """Show the results."""
        self.rows.present(lambda width: tuple(result_rows(self._results, width)))
        self.rows.focus()

    @on(RowList.Opened)
    def choose_run(self, event: RowList.Opened) -> None:
        """Return the run that was opened."""
        if isinstance(event.item, RunKey):
            self.dismiss(event.item)

    def action_close(self) -> None:
        """Leave without a run."""
        self.dismiss(None)
