"""The bar of the past: which moment is shown, and the keys that go through time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.key_words import keyed
from zeroth_tui.views.past_words import PastMoment, known_line, moment_line
from zeroth_tui.widgets.filter_input import FilterInput
from zeroth_tui.widgets.ink import Lines

Whose = Literal["run", "database"]
"""Whose events are gone through."""


class TimeBar(Vertical, can_focus=True):
    """Shows a moment of the past, and asks for others."""

    BINDING_GROUP_TITLE = "Time bar"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left,comma",
            "step(-1, 'run')",
            "Before",
            key_display="←",
            id="past.before",
            tooltip="The event of this run before, the next one",
        ),
        Binding(
            "right,full_stop",
            "step(1, 'run')",
            "After",
            key_display="→",
            id="past.after",
            tooltip="The event of this run before, the next one",
        ),
        Binding(
            "shift+left",
            "step(-1, 'database')",
            "Any run",
            key_display="⇧←→",
            id="past.any_before",
            tooltip="The event of any run before, the next one",
        ),
        *hidden(
            "The event of any run before, the next one",
            ("past.any_after", "shift+right", "step(1, 'database')", "Any run, after"),
        ),
        Binding(
            "space,P",
            "play",
            "Play",
            key_display="space",
            id="past.play",
            tooltip="Let time go on, or stand still",
        ),
        Binding(
            "plus,equals_sign",
            "speed(1)",
            "Faster",
            key_display="+",
            id="past.faster",
            tooltip="Faster, slower",
        ),
        Binding(
            "minus",
            "speed(-1)",
            "Slower",
            key_display="-",
            id="past.slower",
            tooltip="Faster, slower",
        ),
        Binding("enter", "type", "Go to", id="past.type", tooltip="Type a moment, or an age"),
        Binding("escape", "leave", "Now", id="past.leave", tooltip="Back to the present"),
    ]

    DEFAULT_CSS = """
    TimeBar {
        height: 2;
        background: $warning-muted;
        & > Lines { height: 2; background: $warning-muted; }
        & > Input { display: none; }
        &.-typing > Lines { height: 1; }
        &.-typing > Input { display: block; }
        &:focus > Lines { text-style: bold; }
    }
    """

    shown: reactive[PastMoment | None] = reactive(None, init=False)
    """What the bar says."""

    _lines = query_one(Lines)
    _input = query_one(Input)

    @dataclass
    class StepWanted(Message):
        """The next or the previous event is wanted."""

        forward: bool
        whose: Whose

    @dataclass
    class MomentWanted(Message):
        """Another moment is wanted, in the words of a person."""

        text: str

    class PlayWanted(Message):
        """Time is to go on, or to stand still."""

    @dataclass
    class SpeedWanted(Message):
        """Time is to go faster, or slower."""

        faster: bool

    class NowWanted(Message):
        """The present is wanted."""

    def __init__(self, now: Callable[[], datetime], zone: tzinfo) -> None:
        """Show times in `zone`, and how long before `now` they are."""
        super().__init__()
        self._now = now
        self._zone = zone

    def compose(self) -> ComposeResult:
        """Two lines, of which the second makes room for what is typed."""
        yield Lines()
        yield FilterInput("2h, 10:30, 2026-03-01T10:00: a time, or how long ago")

    def watch_shown(self) -> None:
        """Say it."""
        self._draw()

    def on_resize(self) -> None:
        """Lay it out for the new width."""
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Leave the keys to the text while a moment is typed."""
        return action == "leave" or not self.has_class("-typing")

    @on(Input.Submitted)
    def go_to(self, event: Input.Submitted) -> None:
        """Ask for the moment that was typed."""
        event.stop()
        self._stop_typing()
        if event.value.strip():
            self.post_message(self.MomentWanted(event.value.strip()))

    def action_step(self, by: int, whose: Whose) -> None:
        """Ask for an event."""
        self.post_message(self.StepWanted(by > 0, whose))

    def action_play(self) -> None:
        """Let time go on, or stand still."""
        self.post_message(self.PlayWanted())

    def action_speed(self, by: int) -> None:
        """Ask for another speed."""
        self.post_message(self.SpeedWanted(by > 0))

    def action_type(self) -> None:
        """Let a moment be typed."""
        self.add_class("-typing")
        self._input.value = ""
        self._input.focus()
        self.refresh_bindings()

    def action_leave(self) -> None:
        """End the typing, or else the past."""
        if self.has_class("-typing"):
            self._stop_typing()
        else:
            self.post_message(self.NowWanted())

    def _stop_typing(self) -> None:
        self.remove_class("-typing")
        self.focus()
        self.refresh_bindings()

    def _draw(self) -> None:
        if self.shown is not None:
            width = self.size.width
            back = keyed(self, "{explorer.time_machine:ctrl+t}")
            first = moment_line(self.shown, self._zone, self._now(), width, back=back)
            self._lines.show((first, known_line(self.shown, width)))
