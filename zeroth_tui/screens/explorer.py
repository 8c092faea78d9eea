"""The one screen: threads and runs on the left, the open run on the right."""

from __future__ import annotations

from typing import ClassVar, Final

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Footer, Input

from zeroth_store.browse import RunKey, ThreadKey
from zeroth_tui.format import count
from zeroth_tui.line import Piece
from zeroth_tui.screens import reading
from zeroth_tui.screens.acting_screen import ActingScreen
from zeroth_tui.screens.reading import Mode
from zeroth_tui.screens.reading_screen import FIRST_PAGE
from zeroth_tui.text import line
from zeroth_tui.views.flat_runs import next_order, order_words
from zeroth_tui.views.thread_lines import thread_lines
from zeroth_tui.widgets.ink import Lines
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.run_tabs import TABS, hint
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.top_bar import TopBar

TICK_SECONDS: Final = 1.0
"""How often ages and growing bars are compared with what is on screen."""

_MODES: Final[tuple[Mode, ...]] = ("threads", "runs", "failures")
_TITLES: Final = {"threads": "Threads & runs", "runs": "Runs", "failures": "Failures"}


class ExplorerScreen(ActingScreen):
    """Browses one run database, and acts on it where an operator is given."""

    TITLE = "zeroth-tui"
    HELP = """\
# Keys
Arrows or `j` `k` move, `enter` opens, `tab` changes sides, `1` to `6` open the tabs of a run.
The bar at the bottom names what works where you are.
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", id="explorer.filter", tooltip="Find runs by any part"),
        Binding("t", "mode", "Mode", id="explorer.mode", tooltip="Threads, runs or failures"),
        Binding("s", "sort", "Sort", id="explorer.sort", tooltip="Runs by the next column"),
        Binding("r", "reload", "Reload", show=False, id="explorer.reload"),
        Binding("y", "copy_id", "Copy id", show=False, id="explorer.copy"),
        Binding("escape", "back", "Back", show=False, id="explorer.back"),
        *(
            Binding(f"{at + 1}", f"tab({at})", name, show=False, id=f"explorer.{name.lower()}")
            for at, name in enumerate(TABS)
        ),
        Binding("question_mark,f1", "help", "Help", key_display="?", id="explorer.help"),
        Binding("q", "app.quit", "Quit", id="explorer.quit"),
    ]

    filter_input = query_one("#filter", Input)
    filter_note = query_one("#filter-note", Lines)

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two halves."""
        yield TopBar(id="top")
        yield Input(
            placeholder="words, status:failed node:classify since:1d -graph:etl", id="filter"
        )
        yield Lines(id="filter-note")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield RunTree(self._clock).data_bind(ExplorerScreen.forest)
            yield RunView(self._clock, self._zone).data_bind(loaded=ExplorerScreen.opened)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Start reading, watching and counting."""
        self.top_bar.facts = self._facts
        self._show_title()
        self.run_tree.focus()
        self.run_view.say(hint("Reading the database …"))
        self._identify()
        if self._first_filter:
            self.filter_input.add_class("-open")
            self.filter_input.value = self._first_filter
        self._reload()
        self._watch()
        self.set_interval(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self.run_tree.tick()
        self.run_view.tick()

    # What a person does

    @on(RowList.Moved, "#tree")
    def look_at(self, event: RowList.Moved) -> None:
        """Show what the cursor is on."""
        self._show_place()
        if isinstance(event.item, RunKey):
            self._look_at(event.item)
        elif isinstance(event.item, ThreadKey) and (node := self.run_tree.node) and node.thread:
            self._look_at(None)
            self.opened = None
            self.run_view.say(*thread_lines(node.thread, self._zone))

    @on(RowList.Opened, "#tree")
    def enter_run(self) -> None:
        """Put the focus on the run that the cursor is on."""
        self.run_view.focus_pane()

    @on(RunTree.Toggled)
    def toggle(self, event: RunTree.Toggled) -> None:
        """Open or close a thread or a run's children."""
        self._wanted = self._wanted.toggled(event.key)
        self._reload()

    @on(RunTree.MoreWanted)
    def load_more(self) -> None:
        """Read one page more."""
        self._wanted = msgspec.structs.replace(self._wanted, limit=self._wanted.limit + FIRST_PAGE)
        self._reload()

    @on(RunView.RunWanted)
    def follow_link(self, event: RunView.RunWanted) -> None:
        """Open a run that the open one speaks of."""
        self._look_at(event.key)

    @on(RunTree.StretchWanted)
    def fill(self, event: RunTree.StretchWanted) -> None:
        """Read what came in sight of a long list."""
        self._fill(event.start)

    @on(Input.Changed, "#filter")
    def filter_runs(self, event: Input.Changed) -> None:
        """Show the runs that match; while what is typed is no filter, say why and keep the last."""
        self._apply_filter(event.value)

    @on(Input.Submitted, "#filter")
    def leave_filter(self) -> None:
        """Go on in the list."""
        self.run_tree.focus()

    def action_filter(self) -> None:
        """Show the filter and type into it."""
        self.filter_input.add_class("-open")
        self.filter_input.focus()

    def action_back(self) -> None:
        """Go back one step: out of the run, out of the filter."""
        if self.run_view.has_focus_within:
            self.run_tree.focus()
        elif self.filter_input.has_class("-open"):
            self.filter_input.value = ""
            self.filter_input.remove_class("-open")
            self.run_tree.focus()

    def action_mode(self) -> None:
        """Show threads, then runs, then failures."""
        mode = _MODES[(_MODES.index(self._wanted.mode) + 1) % len(_MODES)]
        self._wanted = msgspec.structs.replace(self._wanted, mode=mode)
        self._show_title()
        self._reload()

    def action_sort(self) -> None:
        """Sort a flat list by the next column or the other way round; a tree becomes one."""
        if not self._wanted.flat:
            self._wanted = msgspec.structs.replace(self._wanted, mode="runs")
        else:
            order = next_order(self._wanted.order)
            self._wanted = msgspec.structs.replace(self._wanted, order=order)
        self._show_title()
        self._reload()

    def _apply_filter(self, typed: str) -> None:
        found = reading.parse_filter(typed, self._clock())
        self.filter_note.set_class(isinstance(found, str), "-open")
        if isinstance(found, str):
            self.filter_note.show(((Piece(line(found, 300), "error"),),))
            return
        self._wanted = msgspec.structs.replace(self._wanted, filter=found)
        self._show_title()
        self._reload()

    def _show_title(self) -> None:
        """Name what the left half holds, how it is sorted, and that a filter is on."""
        wanted = self._wanted
        words = [_TITLES["runs" if wanted.flat and wanted.mode == "threads" else wanted.mode]]
        if wanted.flat:
            words.append(order_words(wanted.order))
            shown = self.forest.flat if self.forest is not None else None
            if shown is not None and shown.order != wanted.order:
                words[-1] = f"{order_words(shown.order)} until indexed"
        if wanted.filter is not None:
            words.append("filtered")
        self.query_one("#left").border_title = Content(", ".join(words))

    def _show_place(self) -> None:
        """Say where in a flat list the cursor is."""
        flat = self.forest.flat if self.forest is not None else None
        words = ""
        if flat is not None:
            about = "" if flat.exact else "about "
            words = f"{count(self.run_tree.cursor + 1)} of {about}{count(flat.total)}"
        self.query_one("#left").border_subtitle = Content(words)

    def watch_forest(self) -> None:
        """Keep title and place right when the list changes under the cursor."""
        self._show_title()
        self.call_after_refresh(self._show_place)  # when the tree has the list, too

    def action_tab(self, index: int) -> None:
        """Open a tab of the run."""
        self.run_view.tab = index

    def action_help(self) -> None:
        """Show or hide all keys."""
        if self.query("HelpPanel"):
            self.app.action_hide_help_panel()
        else:
            self.app.action_show_help_panel()

    def action_copy_id(self) -> None:
        """Copy the id of the run under the cursor or on the right."""
        summary = self._summary
        if summary is not None:
            shown = line(summary.key.run_id)
            self.app.copy_to_clipboard(shown)
            self.notify(f"Copied {shown}", markup=False)
