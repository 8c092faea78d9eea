"""The right half: the open run with its header and its panes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import ContentSwitcher, Input

from zeroth_store.browse import RunKey, Spot
from zeroth_tui.line import Line
from zeroth_tui.views.live_steps import kept_step, place_words
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.state_parts import part_of, step_of
from zeroth_tui.views.step import EdgeItem, RunItem, StepItem
from zeroth_tui.widgets.checkpoints_pane import CheckpointsPane
from zeroth_tui.widgets.pane import Build, Pane, nothing
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.run_header import RunHeader
from zeroth_tui.widgets.run_tabs import (
    CHECKPOINTS,
    CONDITIONS,
    FAILURE,
    GRAPH,
    RAW,
    STATE,
    TABS,
    TIMELINE,
    first_step,
    opening_tab,
    pane_id,
    tab_item,
    tab_rows,
)
from zeroth_tui.widgets.state_pane import StatePane
from zeroth_tui.widgets.stepping_view import SteppingView
from zeroth_tui.widgets.tab_bar import TabBar
from zeroth_tui.widgets.timeline_pane import TimelinePane


class RunView(SteppingView):
    """Shows a LoadedRun; the step that is selected in one pane is the step of all."""

    tab: reactive[int] = reactive(TIMELINE, init=False)
    """Position of the open pane in TABS."""

    header = query_one(RunHeader)
    tabs = query_one(TabBar)
    panes = query_one(ContentSwitcher)
    timeline = query_one(TimelinePane)
    checkpoints = query_one(CheckpointsPane)
    state = query_one(StatePane)
    search_input = query_one("#search", Input)

    @dataclass
    class RunWanted(Message):
        """Another run was opened from inside this one (a child or the parent)."""

        key: RunKey

    def __init__(self, clock: Callable[[], datetime], zone: tzinfo) -> None:
        """Show times in `zone`, ages and growing bars by `clock`."""
        super().__init__(id="run")
        self._clock = clock
        self._zone = zone

    def compose(self) -> ComposeResult:
        """Header, names of the panes, panes."""
        yield RunHeader(self._clock, self._zone)
        yield TabBar(TABS)
        with ContentSwitcher(initial=pane_id(TIMELINE)):
            yield TimelinePane(pane_id(TIMELINE))
            yield Pane(id=pane_id(CONDITIONS))
            yield StatePane(pane_id(STATE))
            yield CheckpointsPane(pane_id(CHECKPOINTS), self._clock, self._zone)
            for index in (FAILURE, RAW, GRAPH):
                yield Pane(id=pane_id(index))
        yield Input(placeholder="find keys and values", id="search")

    @on(StatePane.SearchWanted)
    def ask_for_search(self, event: StatePane.SearchWanted) -> None:
        """Let the person type what to find."""
        event.stop()
        self.search_input.add_class("-open")
        self.screen.set_focus(self.search_input)

    @on(Input.Submitted, "#search")
    def search(self, event: Input.Submitted) -> None:
        """Find it, and go back to the value."""
        event.stop()
        self.search_input.remove_class("-open")
        self.state.focus()
        if event.value:
            self.state.search(event.value)

    def say(self, *lines: Line, below: Build = nothing) -> None:
        """Show a few lines instead of a run, and where its panes are what `below` makes."""
        self.loaded = None
        self.say_below(Content(""))
        self.remove_class("-as-of")
        self.header.say(lines)
        for index in range(len(TABS)):
            if index != STATE:
                self._pane(index).present(below)
        self.state.show_step(None, None)

    def watch_loaded(self, old: LoadedRun | None, new: LoadedRun | None) -> None:
        """Draw another run, or the same one as it is now."""
        if new is None:
            return
        known, was = old if old is not None and new.same_as(old) else None, self.step
        step = first_step(new) if known is None else kept_step(known, new, was, self.tab != STATE)
        self.set_reactive(RunView.step, step)
        if known is None:
            self.tab = opening_tab(old, new, self.tab)
        self.set_class(new.as_of is not None, "-as-of")
        self.header.show_run(new)
        self._draw_pane(at_step=known is None or step != was)
        self.say_below(Content(place_words(new, step)))

    def watch_tab(self, tab: int) -> None:
        """Bring another pane to the front, with the focus if the old one had it."""
        had_focus = self.panes.has_focus_within
        self.tabs.active = tab
        self.panes.current = pane_id(tab)
        self._draw_pane(at_step=True)
        if had_focus:
            self.focus_pane()

    def watch_step(self) -> None:
        """Show the selected step where one step is shown."""
        self._draw_state()
        self.say_below(Content(place_words(self.loaded, self.step)))

    def show_spot(self, spot: Spot) -> None:
        """Show a value that a search has found, in its step."""
        if self.loaded is not None and (step := step_of(self.loaded, spot)) is not None:
            self.step = step
        self.tab = STATE
        self._draw_state()
        self.state.go_to(*part_of(spot))

    def focus_pane(self) -> None:
        """Put the focus on the open pane."""
        self._pane(self.tab).focus()

    def tick(self) -> None:
        """Let the bars and ages of a run that is not over go on."""
        if self.loaded is not None and self.loaded.live:
            self.header.show_run(self.loaded)
            if self.tab in (TIMELINE, FAILURE):
                self._pane(self.tab).rebuild()

    @on(TabBar.Chosen)
    def open_tab(self, event: TabBar.Chosen) -> None:
        """Open the pane whose name was clicked."""
        event.stop()
        self.tab = event.index

    @on(RowList.Moved)
    def select_step(self, event: RowList.Moved) -> None:
        """Make the step under a pane's cursor the selected one."""
        event.stop()
        if event.by_hand and isinstance(event.item, StepItem):
            self.step = event.item.index

    @on(RowList.Opened)
    def open_item(self, event: RowList.Opened) -> None:
        """Go where the opened row leads: to a step's state, a decision, another run."""
        event.stop()
        match event.item:
            case RunItem(key=key):
                self.post_message(self.RunWanted(key))
            case StepItem(index=index) if event.rows is self._pane(CONDITIONS):
                self.step = index
                self.tab = TIMELINE
                self._pane(TIMELINE).rebuild(event.item)
            case StepItem(index=index):
                self.step = index
                self.tab = STATE
            case EdgeItem():
                self.tab = CONDITIONS
            case _:
                pass

    def put_cursor_on_step(self) -> None:
        """Put the cursor of the open pane on the selected step."""
        if self.loaded is not None and self.tab in (TIMELINE, GRAPH):
            self._pane(self.tab).rebuild(tab_item(self.tab, self.loaded, self.step))

    def show_pane(self, pane: Pane) -> None:
        """Open the tab of a pane, with the focus in it."""
        self.tab = [pane_id(index) for index in range(len(TABS))].index(pane.id or "")
        self.focus_pane()

    @property
    def all_panes(self) -> tuple[Pane, ...]:
        """The panes in the order of their tabs."""
        return tuple(self._pane(index) for index in range(len(TABS)))

    def _pane(self, index: int) -> Pane:
        return self.query_one(f"#{pane_id(index)}", Pane)

    def _draw_pane(self, *, at_step: bool) -> None:
        """Draw the open pane; `at_step` puts its cursor on the selected step."""
        if self.loaded is None:
            return
        if self.tab == STATE:
            self._draw_state()
        elif self.tab == CHECKPOINTS:
            self.checkpoints.show_run(self.loaded)
        else:
            item = tab_item(self.tab, self.loaded, self.step) if at_step else None
            build = tab_rows(self.tab, self.loaded, self.timeline, self._clock, self._zone)
            self._pane(self.tab).present(build, item=item)

    def _draw_state(self) -> None:
        if self.loaded is not None and self.tab == STATE:
            self.state.show_step(self.loaded, self.step)
