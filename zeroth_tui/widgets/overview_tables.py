"""The tables of an overview in one half or two, with one figure of one row chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.getters import query_one
from textual.message import Message

from zeroth_store.overview import Overview
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.views.overview_parts import right_half
from zeroth_tui.views.overview_runs import left_half
from zeroth_tui.views.overview_table import (
    Choice,
    Figure,
    Section,
    Target,
    beside,
    chosen,
    figures_of,
    table,
)
from zeroth_tui.widgets.pane import Build, Pane
from zeroth_tui.widgets.row_list import RowList

WIDE: Final = 130
"""From so many cells on the halves stand beside each other."""


class OverviewTables(Horizontal):
    """Draws an overview; a person walks through its figures and opens one."""

    DEFAULT_CSS = """
    OverviewTables {
        & Pane { width: 1fr; height: 1fr; }
        & > #overview-right { display: none; }
        &.-wide > #overview-right { display: block; margin-left: 2; }
    }
    """

    BINDING_GROUP_TITLE = "Overview"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "The figure on the left, on the right",
            ("overview.left", "left,h", "beside(-1)", "Figure on the left"),
            ("overview.right", "right,l", "beside(1)", "Figure on the right"),
        ),
        Binding(
            "tab",
            "table(1)",
            "Next table",
            id="overview.next",
            tooltip="The next table, the one before",
        ),
        *hidden(
            "The next table, the one before",
            ("overview.previous", "shift+tab", "table(-1)", "Table before"),
        ),
        Binding(
            "s", "sort", "Sort nodes", id="overview.sort", tooltip="Sort nodes by time, or by cost"
        ),
    ]

    left = query_one("#overview-left", Pane)
    right = query_one("#overview-right", Pane)

    @dataclass
    class Chosen(Message):
        """Another figure is chosen, or the same one counts otherwise now."""

        figure: Figure | None

    @dataclass
    class Wanted(Message):
        """A person wants to see what a figure counts."""

        target: Target

    def __init__(self, clock: Callable[[], datetime], zone: tzinfo) -> None:
        """Count ages from `clock`, and show times in `zone`."""
        super().__init__()
        self._clock = clock
        self._zone = zone
        self._overview: Overview | None = None
        self._by_cost = False
        self._column = 0
        self._built: dict[tuple[Pane, int], tuple[Section, ...]] = {}
        """The tables as they are drawn, by half and width."""

    def compose(self) -> ComposeResult:
        """Lay out the halves; where there is no room the left one shows both."""
        yield Pane(id="overview-left")
        yield Pane(id="overview-right")

    def on_resize(self, event: events.Resize) -> None:
        """Put the halves beside or below each other."""
        wide = event.size.width >= WIDE
        self.set_class(wide, "-wide")
        if not wide and self.right.has_focus:
            self.left.focus()
        self.tick()

    def show(self, overview: Overview) -> None:
        """Draw other figures; the cursor starts on the first one and then stays on its row."""
        is_first, self._overview = self._overview is None, overview
        self.tick()
        if is_first and (items := self._items(self.left)):
            self.left.show(self.left.source, item=items[0])

    def tick(self) -> None:
        """Draw everything as of now."""
        self._built = {}
        for pane in (self.left, self.right):
            pane.present(self._build_for(pane))
        self.post_message(self.Chosen(self._figure))

    @on(RowList.Moved)
    @on(events.DescendantFocus)
    def choose(self) -> None:
        """Mark what can be opened from here."""
        self.tick()

    @on(RowList.Opened)
    def open_figure(self) -> None:
        """Ask for what the chosen figure leads to."""
        if (figure := self._figure) is not None and figure.target is not None:
            self.post_message(self.Wanted(figure.target))

    def action_beside(self, by: int) -> None:
        """Choose the next figure of the row."""
        at = beside(self._figures, self._column, by)
        if at is not None:
            self._column = at
            self.tick()

    def action_table(self, by: int) -> None:
        """Go to the next table or the one before, in either half."""
        halves = (self.left, self.right) if self.has_class("-wide") else (self.left,)
        places = [(pane, item) for pane in halves for item in self._items(pane)]
        if places:
            pane, item = places[(self._table_of(places) + by) % len(places)]
            pane.focus()
            pane.show(pane.source, item=item)

    def action_sort(self) -> None:
        """Sort nodes by time or by cost."""
        self._by_cost = not self._by_cost
        self.tick()

    # Where the cursor is

    @property
    def _pane(self) -> Pane:
        return self.right if self.right.has_focus else self.left

    @property
    def _figures(self) -> tuple[Figure, ...]:
        """The figures of the row that the cursor is on."""
        pane = self._pane
        width = pane.room
        return figures_of(self._sections(pane, width), pane.item, width)

    @property
    def _figure(self) -> Figure | None:
        figures = self._figures
        at = chosen(figures, self._column)
        return None if at is None else figures[at]

    def _items(self, pane: Pane) -> list[object]:
        """Return the first row of each table that has something to open."""
        tables = (
            [entry.item for entry in section.entries if entry.item is not None]
            for section in self._sections(pane, pane.room)
        )
        return [items[0] for items in tables if items]

    def _table_of(self, places: list[tuple[Pane, object]]) -> int:
        """Return which of the tables, by their first rows, the cursor is in."""
        pane = self._pane
        above = [
            at
            for at, (half, item) in enumerate(places)
            if half is pane and (pane.source.find(item) or 0) <= pane.cursor
        ]
        return above[-1] if above else -1

    # What is drawn

    def _sections(self, pane: Pane, width: int) -> tuple[Section, ...]:
        """Return the tables that a pane shows, built once for a moment and a width."""
        if (pane, width) not in self._built:
            self._built[pane, width] = self._build(pane, width)
        return self._built[pane, width]

    def _build(self, pane: Pane, width: int) -> tuple[Section, ...]:
        if self._overview is None:
            return ()
        if pane is self.right:
            return right_half(self._overview, by_cost=self._by_cost)
        runs = left_half(self._overview, self._clock(), self._zone, width)
        if self.has_class("-wide"):
            return runs
        return (*runs, *right_half(self._overview, by_cost=self._by_cost))

    def _build_for(self, pane: Pane) -> Build:
        choice = Choice(pane.item if pane is self._pane else None, self._column)
        return lambda width: table(self._sections(pane, width), width, choice)
