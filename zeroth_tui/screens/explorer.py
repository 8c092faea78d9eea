"""The one screen: threads and runs on the left, the open run on the right."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from zeroth_store.browse import RunKey
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.hinting_screen import HintingScreen
from zeroth_tui.screens.touring_screen import TouringScreen
from zeroth_tui.text import line
from zeroth_tui.widgets.column_bar import ColumnBar
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.framed import Framed
from zeroth_tui.widgets.key_bar import KeyBar
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.run_tabs import TABS, hint
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.top_bar import TopBar

TICK_SECONDS: Final = 1.0
"""How often ages and growing bars are compared with what is on screen."""
HELD_SECONDS: Final = 0.12
"""How long a cursor rests before its run is opened: a held key opens the last one alone."""


class ExplorerScreen(HintingScreen, TouringScreen):
    """Browses one run database, and acts on it where an actor is given."""

    TITLE = "zeroth-tui"

    BINDING_GROUP_TITLE = "Everywhere"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden("Read everything again", ("explorer.reload", "r", "reload", "Reload")),
        *hidden(
            "Copy the id of the run, or of the marked ones",
            ("explorer.copy", "y", "copy_id", "Copy id"),
        ),
        *hidden(
            "Copy the command that opens this view again",
            ("explorer.copy_command", "Y", "copy_command", "Copy command"),
        ),
        *hidden(
            "One step back: out of the run, the filter, the marks, the past",
            ("explorer.back", "escape", "back", "Back"),
        ),
        *(
            binding
            for at, name in enumerate(TABS)
            for binding in hidden(
                "Timeline, Conditions, State, Checkpoints, Failure, Raw, Graph",
                (f"explorer.{name.lower()}", f"{at + 1}", f"tab({at})", name),
            )
        ),
        *hidden(
            "The other side: the list, the run",
            ("explorer.other_side", "tab", "app.focus_next", "Other side"),
            (
                "explorer.other_side_back",
                "shift+tab",
                "app.focus_previous",
                "Side before",
            ),
        ),
        Binding("q", "app.quit", "Quit", id="explorer.quit", tooltip="Leave"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two halves."""
        yield TopBar(id="top")
        yield FilterBar(self._clock)
        with Horizontal(id="body"):
            with Framed(id="left"):
                yield ColumnBar()
                yield RunTree(self._clock, self._opening.columns).data_bind(
                    ExplorerScreen.forest, ExplorerScreen.marks, ExplorerScreen.awaited
                )
            yield RunView(self._clock, self._zone).data_bind(loaded=ExplorerScreen.opened)
        yield KeyBar()

    def on_mount(self) -> None:
        """Start reading, watching and counting."""
        self.top_bar.facts = self._facts
        self.run_tree.focus()
        self.run_view.say(hint("Reading the database …"))
        self.watch(self.run_tree, "arrived", self._show_place, init=False)
        self._identify()
        self.start()
        self._watch()
        self.set_interval(TICK_SECONDS, self._tick)

    async def _tick(self) -> None:
        self.run_tree.tick()
        self.run_view.tick()
        self.tell_age()
        await self.tell_progress()

    # What a person does

    @on(RowList.Moved, "#tree")
    def look_at(self, event: RowList.Moved) -> None:
        """Show what the cursor is on."""
        self._show_place()
        if isinstance(event.item, RunKey):
            if event.by_hand or not self._opens(event.item):
                self._look_at(event.item, after=HELD_SECONDS if event.by_hand else 0)
        elif (node := self.run_tree.node) is not None and node.kind == "thread":
            self._look_at(None)
            self.say_thread(node.thread)
        elif event.item is None:
            self._look_at(None)
            self.say_instead(hint("No run is chosen."))

    def _opens(self, key: RunKey) -> bool:
        """Whether a run is open already, or about to be."""
        opening = any(one.group == "run" and one.is_running for one in self.workers)
        summary = self._summary
        return key == self._looked_at and (opening or (summary is not None and summary.key == key))

    @on(RowList.Opened, "#tree")
    def enter_run(self) -> None:
        """Put the focus on the run that the cursor is on."""
        self.note_use("list.open")
        self.run_view.focus_pane()

    @on(RunTree.Toggled)
    def toggle(self, event: RunTree.Toggled) -> None:
        """Open or close a thread or a run's children."""
        self._wanted = self._wanted.toggled(event.key)
        self._reload()

    @on(RunView.RunWanted)
    def follow_link(self, event: RunView.RunWanted) -> None:
        """Open a run that the open one speaks of."""
        self._look_at(event.key)

    @on(RunTree.StretchWanted)
    def fill(self, event: RunTree.StretchWanted) -> None:
        """Read what came in sight of a long list."""
        self._fill(event.start)

    def action_back(self) -> None:
        """Go back one step: out of the run, out of the filter."""
        if self.return_to_now():
            return
        if self.run_view.has_focus_within:
            self.note_use("explorer.back")
            self.run_tree.focus()
        elif self.filter_bar.is_open:
            self.filter_bar.close()
        elif self.marks:
            self.marks = frozenset()

    def watch_forest(self) -> None:
        """Keep what is said around the list right when it changes under the cursor."""
        self._show_title()
        self._show_count()
        self.call_after_refresh(self._show_place)  # when the tree has the list, too

    def action_tab(self, index: int) -> None:
        """Open a tab of the run."""
        self.note_use("explorer.state")
        self.run_view.tab = index

    def action_copy_id(self) -> None:
        """Copy the ids of the marked runs, else that of the run on the right."""
        summary = self._summary
        if self.marks:
            ids = sorted(line(key.run_id) for key in self.marks)
            self._copy("\n".join(ids), f"{len(ids)} ids")
        elif summary is not None:
            shown = line(summary.key.run_id)
            self._copy(shown, shown)

    def action_copy_command(self) -> None:
        """Copy the command that opens this view again."""
        command = self.reopen_command()
        self._copy(command, command)

    def _copy(self, text: str, name: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(f"Copied {name}", markup=False)
