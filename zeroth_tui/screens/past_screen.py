"""The part of the explorer that can show everything as it was at a moment, and then says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import msgspec
from textual import work
from textual.content import Content

from zeroth_store.actions import RunActor
from zeroth_store.browse import RunBrowser, RunKey, ThreadSummary
from zeroth_store.errors import StoreError
from zeroth_store.past.browsing import Past
from zeroth_store.past.events import Event, following
from zeroth_store.status import RunStatus
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Line
from zeroth_tui.screens.alerting_screen import AlertingScreen
from zeroth_tui.screens.branching_screen import BranchingScreen
from zeroth_tui.screens.time_travel import ScreenClock
from zeroth_tui.text import line
from zeroth_tui.views.past_words import PastMoment
from zeroth_tui.views.thread_lines import choose_rows, thread_lines
from zeroth_tui.widgets.run_tabs import FAILURE, TIMELINE, hint
from zeroth_tui.widgets.time_bar import TimeBar

PRESENT_ONLY: Final = frozenset(
    {
        *("act", "act_on_matches", "checkpoint", "fork", "restore"),
        *("follow", "pause", "await_run", "overview"),
    }
)
"""The actions that are about the present."""


class PastScreen(AlertingScreen, BranchingScreen):
    """Reads from a browser of the past instead of the present one, and cannot act meanwhile."""

    _screen_clock: ScreenClock
    _past: Past | None = None
    """The past that is shown; None while the present is."""
    _present: tuple[RunBrowser, RunActor | None]
    """What the screen reads and acts with in the present."""
    _moment: PastMoment | None = None
    """The moment that is on the screen."""
    _time_bar: TimeBar | None = None
    _happened: tuple[RunKey | None, tuple[Event, ...]] = (None, ())
    """What has happened to the run that is looked at."""
    _next_change: datetime | None = None
    """When the picture changes next, as time goes on; None where it does not any more."""

    @property
    def _clock(self) -> Callable[[], datetime]:
        """The clock of everything on the screen: in the past it stands at the moment shown."""
        return self._screen_clock

    @_clock.setter
    def _clock(self, live: Callable[[], datetime]) -> None:
        self._screen_clock = ScreenClock(live)

    @property
    def watched(self) -> RunBrowser:
        """Tells of commits, also while what is shown is the past."""
        return self._browser if self._past is None else self._present[0]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what is about the present while the past is shown."""
        if self._past is not None and action in PRESENT_ONLY:
            return False
        return super().check_action(action, parameters)

    async def enter_past(self, past: Past, at: datetime) -> None:
        """Show everything as it was at a moment, and the bar that goes through time."""
        self._follow(False)
        self._end_pause()
        self.workers.cancel_group(self, "ask")
        self._present = self._browser, self._actor
        self._past, self._actor = past, None
        self._time_bar = TimeBar(self._screen_clock.live, self._zone)
        self._dress()
        await self.mount(self._time_bar, after=self.top_bar)
        self._time_bar.focus()
        try:
            await self.show_moment(at)
        except StoreError as error:
            self.refuse_past(error)

    def refuse_past(self, error: StoreError) -> None:
        """Say why there is no moment to show, and show the present again."""
        self.notify(line(str(error)), severity="warning", markup=False)
        self.leave_past()

    def leave_past(self) -> None:
        """Show the present again."""
        for group in ("past", "events"):
            self.workers.cancel_group(self, group)
        self._return()
        if (bar := self._time_bar) is not None:
            self._time_bar = None
            if bar.has_focus_within:
                self.run_tree.focus()
            bar.remove()
        self._dress()
        if self._wanted.searches:  # what it has found is of then
            self.read_list()
        self._catch_up()  # with what was written meanwhile

    def _return(self) -> None:
        self._browser, self._actor = self._present
        self._past = self._moment = self._screen_clock.at = None
        self._happened = None, ()

    async def take_change(self, *, replaced: bool) -> None:
        """Show what has changed; in the past nothing does, unless the file is another one now."""
        if self._past is not None and not replaced:
            await self.look_after(self._present[0])
            self._tell_fresh(trouble="")
            return
        if self._past is not None:
            self.leave_past()
        await super().take_change(replaced=replaced)

    async def show_moment(self, at: datetime) -> None:
        """Put everything at a moment, and wait until it is on the screen. Raises a StoreError."""
        if (past := self._past) is None:
            return
        view = await past.at(at)
        events = await self.read_events()
        event = following(events, at)
        change = await past.neighbour(at, forward=True)
        coming = (None if event is None else event.instant, change)
        self._next_change = min((one for one in coming if one is not None), default=None)
        self._browser, self._screen_clock.at = view.browser, at
        known, searches = view.known, self._wanted.searches
        if self._moment is None:
            self._moment = PastMoment(at=at, known=known)
        self.put_moment(at=at, known=known, events=events, searches=searches, notice="")
        await self._show_then()

    async def read_events(self) -> tuple[Event, ...]:
        """Return what has happened to the run that is looked at. Raises a StoreError."""
        key = self._looked_at
        if self._past is None or key is None:
            return ()
        if self._happened[0] != key:
            self._happened = key, await self._past.events(key)
        return self._happened[1]

    def put_moment(self, **changes: object) -> None:
        """Say something else of the moment that is on the screen."""
        if self._moment is not None:
            self._moment = msgspec.structs.replace(self._moment, **changes)
            if self._time_bar is not None:
                self._time_bar.shown = self._moment

    async def _show_then(self) -> None:
        """Read what is on the screen as it was then."""
        if self._wanted.searches:  # which takes a while, and shows what it finds meanwhile
            self.read_list()
        await self.read_shown()
        failed = self._summary is not None and self._summary.status == RunStatus.FAILED
        if not failed and self.run_view.tab == FAILURE:
            self.run_view.tab = TIMELINE
        node = self.run_tree.node
        if self._looked_at is None and node is not None and node.kind == "thread":
            self.say_thread(node.thread)
        self.move_clock()

    def move_clock(self) -> None:
        """Let ages and growing bars follow the clock."""
        self.run_tree.tick()
        self.run_view.tick()

    # What else is said on the screen

    def say_instead(self, *lines: Line) -> None:
        """Say something on the right where no run is shown."""
        if self._past is not None and self._looked_at is not None:
            name = line(self._looked_at.run_id)
            on = keyed(self, "{past.after:→} goes on to its start.")
            lines = (hint(f"Run {name} was not there yet."), hint(on))
        super().say_instead(*lines)

    def say_thread(self, thread: ThreadSummary | None) -> None:
        """Say what a thread holds, which is chosen and not one of its runs."""
        self.opened = None
        self.run_view.say(*thread_lines(thread, self._zone), below=choose_rows)

    def _look_at(self, key: RunKey | None, *, after: float = 0) -> None:
        """Show another run, and in the past what has happened to it."""
        super()._look_at(key, after=after)
        if self._past is not None:
            self._tell_events()

    @work(exclusive=True, group="events")
    async def _tell_events(self) -> None:
        try:
            self.put_moment(events=await self.read_events())
        except StoreError as error:
            self._trouble(error)

    def _dress(self) -> None:
        """Show in every frame whether this is the past."""
        is_past = self._past is not None
        self.set_class(is_past, "-past")
        self.run_view.border_title = Content.styled("PAST", "bold") if is_past else None
        self.run_view.checkpoints.branching = self._actor is not None
        self._tell_fresh(past=is_past)
        self._show_title()
        self.refresh_bindings()
