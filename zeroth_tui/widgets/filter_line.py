"""The filter's line: an input while somebody types, else the sign that a filter is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.getters import query_one
from textual.reactive import reactive

from zeroth_tui.key_words import keyed
from zeroth_tui.line import Line, Piece
from zeroth_tui.text import cells, line
from zeroth_tui.widgets.filter_input import FilterInput
from zeroth_tui.widgets.ink import Lines

if TYPE_CHECKING:
    from zeroth_store.filters import FilterError

_LABEL: Final = " filter: "


class FilterLine(Horizontal):
    """Draws the filter, and on the right what it found."""

    DEFAULT_CSS = """
    FilterLine {
        height: 1;
        & > Lines { height: 1; }
        & > #filter-label { width: 9; }
        & > #filter { width: 1fr; display: none; }
        & > #filter-chip { width: 1fr; }
        & > #filter-count { width: 0; }
        &.-editing > #filter { display: block; }
        &.-editing > #filter-chip { display: none; }
    }
    """

    editing: reactive[bool] = reactive(False, toggle_class="-editing")
    """Whether somebody types."""
    count: reactive[str] = reactive("", init=False)
    """What stands on the right."""

    input = query_one(FilterInput)
    _chip = query_one("#filter-chip", Lines)
    _counted = query_one("#filter-count", Lines)

    def compose(self) -> ComposeResult:
        """Lay out the label, what follows it in either case, and the count."""
        yield Lines(id="filter-label")
        yield FilterInput("words, status:failed node:classify since:1d -graph:etl", id="filter")
        yield Lines(id="filter-chip")
        yield Lines(id="filter-count")

    def on_mount(self) -> None:
        """Draw the label."""
        self.query_one("#filter-label", Lines).show(((Piece(_LABEL, "muted"),),))

    def watch_count(self) -> None:
        """Make room for what was counted."""
        words = f" {line(self.count)} " if self.count else ""
        self._counted.styles.width = cells(words)
        self._counted.show(((Piece(words, "muted"),),))

    def show(self, applied: str, error: FilterError | None) -> None:
        """Say which filter is on, and why what was typed since is none."""
        on = Piece(line(applied), "strong") if applied else Piece("none", "muted")
        wrong = () if error is None else (Piece(f"  not applied: {why(error)}", "error"),)
        keys = keyed(self, "{explorer.filter:/} edits, {explorer.back:esc} clears")
        chip: Line = (on, *wrong, Piece(f"  ({keys})", "muted"))
        self._chip.show((chip,))


def why(error: FilterError) -> str:
    """Return what is wrong and where, counted from 1, fit for the screen."""
    return f"at {error.start + 1}: {line(error.message, 300)}"
