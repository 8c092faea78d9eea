"""The part of the explorer that shows a newcomer around, where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import BindingType
from textual.timer import Timer

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.going_screen import GoingScreen
from zeroth_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from zeroth_tui.screens.tour import Tour

LOOK_SECONDS: Final = 0.2
"""How often it is looked whether a hint was followed."""


class TouringScreen(GoingScreen):
    """Says hint after hint above the keys, as long as the tour lasts."""

    BINDING_GROUP_TITLE = "Everywhere"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden("Leave the tour", ("explorer.leave_tour", "Q", "leave_tour", "Leave tour")),
    ]

    was_at: object = None
    """What the cursor was on when the list was first there."""

    _tour: Tour | None = None
    _looks: Timer | None = None
    _at = 0
    """The place of the hint that is shown."""

    def start(self) -> None:
        """Show what the explorer was opened for, and begin the tour if that was asked for."""
        super().start()
        if self._opening.tour:
            from zeroth_tui.screens.tour import Tour

            self._tour = Tour()
            self.mount(self._tour, before=self.query_one(KeyBar))
            self._tour.say(self._at)
            self._looks = self.set_interval(LOOK_SECONDS, self._look)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what ends the tour while there is none."""
        if action == "leave_tour":
            return self._tour is not None
        return super().check_action(action, parameters)

    def action_leave_tour(self) -> None:
        """Take the hints away."""
        if self._tour is not None:
            self._tour.remove()
            self._tour = None
        if self._looks is not None:
            self._looks.stop()

    def _look(self) -> None:
        """Say the next hint once this one was followed."""
        from zeroth_tui.screens.tour import HINTS

        self.was_at = self.was_at or self.run_tree.item
        if self._tour is None or not HINTS[self._at].done(self):
            return
        self._at += 1
        if self._at == len(HINTS):
            self.action_leave_tour()
        else:
            self._tour.say(self._at)
