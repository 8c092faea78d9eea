"""The part of the explorer that opens the overview, and then what a figure of it counts."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import BindingType

from zeroth_store.browse import RunKey
from zeroth_store.overview import OverviewQuery
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.going_screen import GoingScreen
from zeroth_tui.views.named_views import NamedView


class OverviewingScreen(GoingScreen):
    """Shows the database at a glance."""

    BINDING_GROUP_TITLE = "Watch"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "The last minutes in figures, each of which opens its runs",
            ("explorer.overview", "o", "overview", "Overview"),
        ),
    ]

    _overviewed = OverviewQuery()
    """The time that was looked at last."""

    def action_overview(self) -> None:
        """Show figures of the last minutes."""
        self.note_use("explorer.overview")
        self._show_overview()

    @work(group="ask")
    async def _show_overview(self) -> None:
        from zeroth_tui.screens.overview_screen import OverviewScreen

        screen = OverviewScreen(
            self._browser,
            name=self._facts.name,
            wanted=self._overviewed,
            clock=self._clock,
            zone=self._zone,
        )
        target = await self.app.push_screen_wait(screen)
        self._overviewed = screen.wanted
        if isinstance(target, RunKey):
            await self.open_by_key(target)
        elif target is not None:
            self.show_view(NamedView("", target.filter, target.order))
