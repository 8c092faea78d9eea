"""The part of the explorer that opens the overview, and then what a figure of it counts."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from zeroth_store.browse import RunKey
from zeroth_store.errors import StoreError
from zeroth_store.overview import OverviewQuery
from zeroth_tui.screens.going_screen import GoingScreen
from zeroth_tui.text import line
from zeroth_tui.views.named_views import NamedView


class OverviewingScreen(GoingScreen):
    """Shows the database at a glance."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "overview", "Overview", show=False, id="explorer.overview"),
    ]

    _overviewed = OverviewQuery()
    """The time that was looked at last."""

    def action_overview(self) -> None:
        """Show figures of the last minutes."""
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
            await self._open_by_key(target)
        elif target is not None:
            self.show_view(NamedView("", target.filter, target.order))

    async def _open_by_key(self, key: RunKey) -> None:
        """Put the cursor on a run, wherever it is."""
        try:
            found = await self._browser.run(key)
        except StoreError as error:
            self._trouble(error)
            return
        if found is None:
            words = f"Run {line(key.run_id, 80)} is no longer in the database."
            self.notify(words, severity="warning", markup=False)
        else:
            self.open_run(found.summary)
