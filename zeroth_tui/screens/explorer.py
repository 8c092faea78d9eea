"""The one screen: threads and runs on the left, the open run on the right."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.widgets import Footer, Input

from zeroth_store.browse import RunKey, RunSummary, ThreadKey
from zeroth_store.protocols import RunOperator
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_tui.screens import acting
from zeroth_tui.screens.action_dialog import ActionDialog
from zeroth_tui.screens.reading import Mode
from zeroth_tui.screens.reading_screen import FIRST_PAGE, ReadingScreen
from zeroth_tui.text import line
from zeroth_tui.views.thread_lines import thread_lines
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.run_tabs import TABS, hint
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.top_bar import TopBar

TICK_SECONDS: Final = 1.0
"""How often ages and growing bars are compared with what is on screen."""

_MODES: Final[tuple[Mode, ...]] = ("threads", "runs", "failures")
_TITLES: Final = {"threads": "Threads & runs", "runs": "Runs, newest first", "failures": "Failures"}
_FILTERED: Final = {
    "threads": "Runs, filtered",
    "runs": "Runs, filtered",
    "failures": "Failures, filtered",
}


class ExplorerScreen(ReadingScreen):
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
        Binding("x", "act", "Actions", id="explorer.act", tooltip="Change the run's status"),
        Binding("c", "checkpoint", "Checkpoint", id="explorer.checkpoint"),
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

    def compose(self) -> ComposeResult:
        """Lay out the bars and the two halves."""
        yield TopBar(id="top")
        yield Input(placeholder="part of an id, thread, graph, status or error", id="filter")
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
        self._reload(first=True)
        self._watch()
        self.set_interval(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self.run_tree.tick()
        self.run_view.tick()

    # What a person does

    @on(RowList.Moved, "#tree")
    def look_at(self, event: RowList.Moved) -> None:
        """Show what the cursor is on."""
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
        self._wanted = self._wanted.longer(FIRST_PAGE)
        self._reload()

    @on(RunView.RunWanted)
    def follow_link(self, event: RunView.RunWanted) -> None:
        """Open a run that the open one speaks of."""
        self._look_at(event.key)

    @on(Input.Changed, "#filter")
    def filter_runs(self, event: Input.Changed) -> None:
        """Show the runs that match what is typed."""
        self._wanted = self._wanted.matching(event.value.strip(), FIRST_PAGE)
        self._show_title()
        self._reload()

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
        self._wanted = self._wanted.in_mode(mode, FIRST_PAGE)
        self._show_title()
        self._reload()

    def _show_title(self) -> None:
        """Name what the left half holds, and that a filter is on."""
        titles = _FILTERED if self._wanted.text else _TITLES
        self.query_one("#left").border_title = titles[self._wanted.mode]

    def action_reload(self) -> None:
        """Read everything again."""
        self._reload()
        self._reopen()

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

    def action_act(self) -> None:
        """Ask which status the run is to get."""
        self._act()

    def action_checkpoint(self) -> None:
        """Write a checkpoint of the run."""
        self._checkpoint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide what cannot be done at all, grey what cannot be done to this run."""
        if action not in {"act", "checkpoint"}:
            return True
        if self._operator is None:
            return False
        status = self._known_status
        if status is None:
            return None
        return True if action == "checkpoint" or ALLOWED_TRANSITIONS[status] else None

    @work(group="ask")
    async def _act(self) -> None:
        summary, seen = self._summary, self._known_status
        if self._operator is None or summary is None or seen is None:
            return
        new = await self.app.push_screen_wait(ActionDialog(summary, seen))
        if new is not None:
            self._change(self._operator, summary.key, seen, new)

    @work(group="write")
    async def _change(
        self, operator: RunOperator, key: RunKey, seen: RunStatus, new: RunStatus
    ) -> None:
        self._say(await acting.change_status(operator, key, seen, new))

    @work(group="write")
    async def _checkpoint(self) -> None:
        summary, seen = self._summary, self._known_status
        if self._operator is not None and summary is not None and seen is not None:
            self._say(await acting.write_checkpoint(self._operator, summary.key, seen))

    def _say(self, outcome: acting.Outcome) -> None:
        self.notify(outcome.words, severity=outcome.severity, markup=False)
        self.action_reload()

    @property
    def _summary(self) -> RunSummary | None:
        return None if self.opened is None else self.opened.detail.summary

    @property
    def _known_status(self) -> RunStatus | None:
        """The open run's status, if it is one that this version knows and may write."""
        summary = self._summary
        if summary is None or not summary.writable or summary.status not in set(RunStatus):
            return None
        return RunStatus(summary.status)
