"""The part of the explorer that finds runs: filter, modes, orders, views, marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, get_args

import msgspec
from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one
from textual.reactive import reactive

from zeroth_store.browse import RunKey, RunOrder
from zeroth_store.errors import StoreError
from zeroth_tui.format import count
from zeroth_tui.screens import reading
from zeroth_tui.screens.searching import search
from zeroth_tui.screens.watching_screen import WatchingScreen
from zeroth_tui.views import list_words
from zeroth_tui.views.flat_runs import next_order
from zeroth_tui.views.freshness import title_words
from zeroth_tui.views.named_views import Mode, NamedView, all_views
from zeroth_tui.widgets.column_bar import ColumnBar
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.framed import Framed
from zeroth_tui.widgets.run_tree import RunTree

if TYPE_CHECKING:
    from zeroth_store.filters.terms import TextKey

_MODES: Final[tuple[Mode, ...]] = get_args(Mode)


class FindingScreen(WatchingScreen):
    """Narrows the list down to what a person looks for."""

    BINDING_GROUP_TITLE = "Find"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", id="explorer.filter", tooltip="Find runs by any part"),
        Binding("t", "mode", "Mode", id="explorer.mode", tooltip="Threads, runs or failures"),
        Binding("s", "sort", "Sort", id="explorer.sort", tooltip="Runs by the next column"),
        Binding("v", "views", "Views", id="explorer.views", tooltip="Lists that have a name"),
    ]

    marks: reactive[frozenset[RunKey]] = reactive(
        frozenset[RunKey](), init=False, repaint=False, bindings=True
    )
    """The runs that a person has marked, in whatever list."""

    filter_bar = query_one(FilterBar)
    column_bar = query_one(ColumnBar)
    left = query_one(Framed)

    # The filter

    def action_filter(self) -> None:
        """Show the filter and type into it."""
        self.note_use("explorer.filter")
        self.filter_bar.open()

    @on(FilterBar.Left)
    def leave_filter(self) -> None:
        """Go on in the list."""
        self.run_tree.focus()

    @on(FilterBar.Changed)
    def filter_runs(self, event: FilterBar.Changed) -> None:
        """Show the runs that match."""
        self._wanted = msgspec.structs.replace(self._wanted, filter=event.filter)
        self._show_title()
        self.read_list()

    @on(FilterBar.ValuesWanted)
    def offer_values(self, event: FilterBar.ValuesWanted) -> None:
        """Look up what the database holds that fits what is being typed."""
        self._offer(event.key, event.typed)

    @work(exclusive=True, group="values")
    async def _offer(self, key: TextKey, typed: str) -> None:
        try:
            values = await self._browser.values(key, typed)
        except StoreError:  # typing goes on without help; what is wrong is said where runs are read
            values = ()
        self.filter_bar.offer(key, typed, values)

    # Modes, orders, views

    def action_mode(self) -> None:
        """Show threads, then runs, then failures."""
        self._show(mode=_MODES[(_MODES.index(self._wanted.mode) + 1) % len(_MODES)])

    def action_sort(self) -> None:
        """Sort a flat list by the next column or the other way round; a tree becomes one."""
        if self._wanted.flat:
            self._show(order=next_order(self._wanted.order))
        else:
            self._show(mode="runs")

    @on(ColumnBar.SortWanted)
    def sort_by(self, event: ColumnBar.SortWanted) -> None:
        """Sort by a column, and by the same one again the other way round."""
        order = self._wanted.order
        again = order.by == event.by and order.descending
        self._show(order=RunOrder(event.by, descending=not again))

    def action_views(self) -> None:
        """Choose among the lists that have a name."""
        self._choose_view()

    @work(group="ask")
    async def _choose_view(self) -> None:
        from zeroth_tui.screens.views_menu import ViewsMenu

        menu = ViewsMenu(all_views(self._opening.views), self._count_view)
        view = await self.app.push_screen_wait(menu)
        if view is not None:
            self.show_view(view)

    def show_view(self, view: NamedView) -> None:
        """Show what a view holds, in its order."""
        self._wanted = msgspec.structs.replace(self._wanted, mode=view.mode, order=view.order)
        self.run_tree.focus()
        if not self.filter_bar.put(view.filter):  # else Changed comes, and reads the list
            self._show()

    async def _count_view(self, view: NamedView) -> int | None:
        from zeroth_store.filters import FilterError, parse

        found = parse(view.filter, now=self._clock())
        if isinstance(found, FilterError):
            return None
        wanted = msgspec.structs.replace(self._wanted, mode=view.mode, filter=found)
        try:
            window = await self._browser.window(wanted.query, RunOrder(), 0, 0)
        except StoreError:
            return None
        return window.total if window.exact else None

    def _show(self, **changes: object) -> None:
        """Show another list, or the same one in another order."""
        self._wanted = msgspec.structs.replace(self._wanted, **changes)
        self._show_title()
        self.read_list()

    # Reading: a list, or a search through payloads

    def read_list(self) -> None:
        """Read the list that is wanted now."""
        if self._wanted.searches:
            self._search()
        else:
            self._reload()

    @work(exclusive=True, group="tree")
    async def _search(self) -> None:
        """Search payloads, newest run first; what is found is shown at once."""
        query, total, again = self._wanted.query, self._total_runs, False
        self.spots = {}
        try:
            async for found in search(self._browser, query):
                self.spots = {hit.run.key: hit.spot for hit in found.hits if hit.spot is not None}
                self._shape = self._wanted.shape
                self.forest = reading.found(found, again=again)
                self.filter_bar.count = found.words(total)
                self.call_after_refresh(self.go_to_spot)
                again = True
        except StoreError as error:
            self._trouble(error)

    def go_to_spot(self) -> None:
        """Show where in the open run a search has found what it looked for."""
        opened = self.opened.detail.summary.key if self.opened is not None else None
        spot = self.spots.get(opened) if opened is not None else None
        if spot is not None and (opened, spot) != self._spot_shown:
            self._spot_shown = (opened, spot)
            self.run_view.show_spot(spot)

    @property
    def _total_runs(self) -> int | None:
        counts = self._facts.counts
        return None if counts is None else sum(number for _, number in counts)

    # Marks

    @on(RunTree.Marked)
    def mark(self, event: RunTree.Marked) -> None:
        """Mark a run, or take its mark away."""
        self.marks = self.marks ^ {event.key}

    def watch_marks(self) -> None:
        """Say how many there are."""
        self._show_place()

    # What is said around the list

    @on(RunTree.Headed)
    def name_columns(self, event: RunTree.Headed) -> None:
        """Name the columns of the list."""
        self.column_bar.show(event.columns, event.order)

    def _show_title(self) -> None:
        """Name what the left half holds, how it is sorted, and that a filter is on."""
        wanted, forest = self._wanted, self.forest
        words = ["PAST"] if self._facts.fresh.past else []
        words.append(list_words.title(wanted.mode, wanted.flat))
        if wanted.flat:
            shown = forest.flat.order if forest is not None and forest.flat else wanted.order
            words.append(list_words.order(wanted.order, shown, searches=wanted.searches))
        if wanted.filter is not None:
            words.append("filtered")
        words += title_words(self._facts.fresh)
        title = Content(", ".join(words))
        if title != self.left.border_title:
            self.left.border_title = title

    def _show_place(self) -> None:
        """Say where the cursor is, what came in above it, and how many runs are marked."""
        words = []
        if self.run_tree.arrived:
            words.append(f"↑ {count(self.run_tree.arrived)} new")
        if self.marks:
            words.append(f"{count(len(self.marks))} marked")
        words.append(self._place())
        self.left.say_below(Content("  ".join(filter(None, words))))

    def _show_count(self) -> None:
        """Say how many of all runs the filter lets through; a search says so itself."""
        flat = self.forest.flat if self.forest is not None else None
        if self._wanted.filter is None or flat is None:
            self.filter_bar.count = ""
        elif not self._wanted.searches:
            total = "" if self._total_runs is None else f" of {count(self._total_runs)}"
            about = "" if flat.exact else "about "
            self.filter_bar.count = f"{about}{count(flat.total)}{total}"

    def _place(self) -> str:
        if self.forest is None:
            return ""
        flat = self.forest.flat
        if flat is None:
            return list_words.place(
                "thread", self.run_tree.place, self.forest.total, self.forest.exact
            )
        return list_words.place("", self.run_tree.place, flat.total, flat.exact)
