"""The part of the explorer that goes through the past: event by event, or as a film."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import ClassVar, Final

from textual import on, work
from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import Worker

from zeroth_store.errors import StoreError
from zeroth_store.past.browsing import HasPast, Past
from zeroth_store.past.events import following, preceding
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.past_screen import PastScreen
from zeroth_tui.screens.time_travel import faster, read_moment
from zeroth_tui.views.step import find
from zeroth_tui.widgets.time_bar import TimeBar, Whose

PLAY_SECONDS: Final = 0.25
"""How often the picture moves while the past is played."""


class TimeMachineScreen(PastScreen):
    """Answers to the keys of the past."""

    BINDING_GROUP_TITLE = "Past"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "Everything as it was when the step, run or thread under the cursor began; again: now",
            ("explorer.time_machine", "ctrl+t", "time_machine", "Past"),
        ),
        *hidden(
            "In the past: the event before, the next one",
            ("explorer.time_before", "comma", "step_time(-1)", "Before"),
            ("explorer.time_after", "full_stop", "step_time(1)", "After"),
        ),
    ]

    _film: Timer | None = None
    """Moves the picture while the past is played."""
    _played = 0.0
    """When it moved last, on the machine's own clock."""
    _travel: Worker[None] | None = None
    """Puts the screen at another moment."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what goes through the past while the present is shown."""
        if action == "step_time":
            return self._moment is not None
        return super().check_action(action, parameters)

    def action_time_machine(self) -> None:
        """Go to the time of what the cursor is on, or back to now."""
        self.note_use("explorer.time_machine")
        if self._past is not None:
            self.leave_past()
        elif isinstance(self._browser, HasPast):
            self._enter(self._browser.past())

    def action_step_time(self, by: int) -> None:
        """Go to the next or the previous event of the run."""
        self.step_time(TimeBar.StepWanted(by > 0, "run"))

    def return_to_now(self) -> bool:
        """Leave the checkpoint or, outside of the run, the moment that is shown."""
        if super().return_to_now():
            return True
        if self._past is None or self.run_view.has_focus_within:
            return False
        self.leave_past()
        return True

    @on(TimeBar.StepWanted)
    def step_time(self, event: TimeBar.StepWanted) -> None:
        """Go to an event, once there is a moment to go from."""
        if self._moment is not None:
            self._step(event.forward, event.whose)

    @on(TimeBar.MomentWanted)
    def go_to_moment(self, event: TimeBar.MomentWanted) -> None:
        """Go to the moment that was typed."""
        now = self._screen_clock.live().astimezone(self._zone)
        at = now if event.text.lower() == "now" else read_moment(event.text, now)
        if at is None:
            self.put_moment(notice=f"{event.text} is no time such as 2h ago, 10:30 or 2026-03-01")
        elif at >= now:
            self.leave_past()
        else:
            self._stop()
            self._travel = self._go(at)

    @on(TimeBar.PlayWanted)
    def play(self) -> None:
        """Let time go on, or stand still."""
        if self._film is not None:
            self._stop()
        elif self._moment is not None:
            self._played = time.monotonic()
            self._film = self.set_interval(PLAY_SECONDS, self._play_on)
            self.put_moment(playing=True, notice="")

    @on(TimeBar.SpeedWanted)
    def change_speed(self, event: TimeBar.SpeedWanted) -> None:
        """Let time go faster or slower."""
        if self._moment is not None:
            self.put_moment(speed=faster(self._moment.speed, by=1 if event.faster else -1))

    @on(TimeBar.NowWanted)
    def leave_past(self) -> None:
        """Show the present again."""
        self._stop()
        super().leave_past()

    @work(exclusive=True, group="past")
    async def _enter(self, past: Past) -> None:
        await self.enter_past(past, self._time_here())

    @work(exclusive=True, group="past")
    async def _go(self, at: datetime) -> None:
        try:
            await self.show_moment(at)
        except StoreError as error:
            self._stop()
            if self._moment is None:
                self.refuse_past(error)
            else:
                self.put_moment(notice=str(error))

    @work(exclusive=True, group="past")
    async def _step(self, forward: bool, whose: Whose) -> None:
        self._stop()
        try:
            at = await self._next_to(forward, whose)
            if at is not None:
                await self.show_moment(at)
                return
        except StoreError as error:
            self.put_moment(notice=str(error))
            return
        own = whose == "run" and self._looked_at is not None
        more = "of this run: shift goes on to others" if own else "of any run"
        self.put_moment(notice=f"nothing {'later' if forward else 'earlier'} is stored {more}")

    async def _next_to(self, forward: bool, whose: Whose) -> datetime | None:
        """Return when something happened next to the moment that is shown; None for never."""
        if self._past is None or self._moment is None:
            return None
        at = self._moment.at
        if whose == "database" or self._looked_at is None:
            return await self._past.neighbour(at, forward=forward)
        event = (following if forward else preceding)(await self.read_events(), at)
        return None if event is None else event.instant

    def _play_on(self) -> None:
        """Move on by the time that has passed; what is read takes its time, and time waits."""
        if self._moment is None or (self._travel is not None and not self._travel.is_finished):
            return
        now = time.monotonic()
        at = self._moment.at + timedelta(seconds=(now - self._played) * self._moment.speed)
        self._played = now
        if at >= self._screen_clock.live():
            self.leave_past()
        elif self._next_change is not None and at >= self._next_change:
            self._travel = self._go(at)
        else:
            self._screen_clock.at = at
            self.put_moment(at=at)
            self.move_clock()

    def _stop(self) -> None:
        if self._film is not None:
            self._film.stop()
            self._film = None
            self.put_moment(playing=False)

    def _time_here(self) -> datetime:
        """Return the time of the step, run or thread that the cursor is on; else the present."""
        opened, step = self.opened, self.run_view.step
        if self.run_view.has_focus_within and opened is not None and step is not None:
            chosen = find(opened.steps, step)
            if chosen is not None and chosen.first is not None:
                return chosen.first
        node = self.run_tree.node
        thread = node.thread if node is not None and node.kind == "thread" else None
        run = self.run_tree.run_at(self.run_tree.cursor)
        known = None if run is None else run.started
        known = thread.created if thread is not None else known
        return (known and known.instant) or self._screen_clock.live()
