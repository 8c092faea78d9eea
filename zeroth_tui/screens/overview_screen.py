"""A database at a glance: figures of the last minutes, each of which opens what it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, tzinfo
from typing import ClassVar, Final

import msgspec
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.getters import query_one
from textual.worker import WorkerCancelled

from zeroth_store.browse import RunBrowser, RunKey, Version
from zeroth_store.errors import StoreError
from zeroth_store.overview import Overview, OverviewQuery
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Piece
from zeroth_tui.screens.helped_screen import HelpedScreen
from zeroth_tui.views.overview_head import head
from zeroth_tui.views.overview_table import Rows
from zeroth_tui.views.overview_words import next_length, opens
from zeroth_tui.widgets.ink import Lines
from zeroth_tui.widgets.key_bar import KeyBar
from zeroth_tui.widgets.overview_tables import OverviewTables

POLL_SECONDS: Final = 1.0
"""How often the figures are read again at the most, and ages are compared with the screen."""


def _palette() -> type[Provider]:
    from zeroth_tui.screens.keys_palette import KeysProvider

    return KeysProvider


class OverviewScreen(HelpedScreen[Rows | RunKey | None]):
    """Shows figures; returns what the chosen one leads to, or None."""

    CSS_PATH = "overview_screen.tcss"

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}

    BINDING_GROUP_TITLE = "Overview"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "plus,equals_sign",
            "length(1)",
            "More time",
            key_display="+",
            id="overview.more",
            tooltip="More time, less time",
        ),
        Binding(
            "minus",
            "length(-1)",
            "Less",
            key_display="-",
            id="overview.less",
            tooltip="More time, less time",
        ),
        Binding(
            "n",
            "newest",
            "Now or newest",
            id="overview.newest",
            tooltip="Count the time back from now, or from the newest run",
        ),
        Binding("escape,o,q", "close", "Back", id="overview.close", tooltip="Back to the runs"),
    ]

    head = query_one("#overview-head", Lines)
    tables = query_one(OverviewTables)
    foot = query_one("#overview-opens", Lines)

    def __init__(
        self,
        browser: RunBrowser,
        *,
        name: str,
        wanted: OverviewQuery,
        clock: Callable[[], datetime],
        zone: tzinfo,
    ) -> None:
        """Show what `browser` reads of the database `name`, at first the time `wanted`."""
        super().__init__()
        self.wanted = wanted
        """The time that is looked at."""
        self._browser = browser
        self._database = name
        self._clock = clock
        self._zone = zone
        self._overview: Overview | None = None
        self._shown: OverviewQuery | None = None
        """The time that the figures are of; another one may be wanted by now."""
        self._seen: tuple[Version, bool] | None = None
        """How the database stood when the figures were read."""
        self._read_at = clock()
        self._trouble = ""

    def compose(self) -> ComposeResult:
        """Lay out the figures between what is looked at and what enter opens."""
        yield Lines(id="overview-head")
        yield OverviewTables(self._clock, self._zone)
        yield Lines(id="overview-opens")
        yield KeyBar()

    def place_words(self) -> str:
        """Return where the focus is, in words."""
        return "the overview"

    def on_mount(self) -> None:
        """Start reading, then watching."""
        self.tables.left.focus()
        self._read()
        self._watch()

    def on_resize(self) -> None:
        """Fill the first line."""
        self._show_head()

    @on(OverviewTables.Chosen)
    def say_what_opens(self, event: OverviewTables.Chosen) -> None:
        """Say what enter opens."""
        words = ""
        if self._overview is not None:
            words = opens(event.figure, keyed(self, "{list.open:enter}"))
        self.foot.show(((Piece(f" {words}", "muted"),),))

    @on(OverviewTables.Wanted)
    def go(self, event: OverviewTables.Wanted) -> None:
        """Leave for what a figure counts."""
        if event.target == "newest":
            self.action_newest()
        else:
            self._leave(event.target)

    @work(group="watch")
    async def _watch(self) -> None:
        """Read again when somebody has committed or time has gone on; ages tick in between."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                changed = await self._state() != self._seen
            except StoreError as error:
                self._fail(error)
                continue
            if changed or self._trouble or self._is_past:
                with suppress(WorkerCancelled):  # another time was asked for meanwhile
                    await self._read().wait()
            else:
                self.tables.tick()

    async def _state(self) -> tuple[Version, bool]:
        """Return what changes when the figures may have changed. Raises a StoreError."""
        progress = await self._browser.index_progress()
        return await self._browser.version(), progress.ready

    @work(exclusive=True, group="overview")
    async def _read(self) -> None:
        try:
            seen = await self._state()
            if seen[1]:
                await self._browser.keep_index()  # from which the figures are counted
            wanted = self.wanted
            overview = await self._browser.overview(wanted)
        except StoreError as error:
            self._fail(error)
            return
        self._seen, self._trouble, self._read_at = seen, "", self._clock()
        self._overview, self._shown = overview, wanted
        self.tables.show(overview)
        self._show_head()

    def _fail(self, error: StoreError) -> None:
        self._trouble = str(error)
        self._show_head()

    @property
    def _is_past(self) -> bool:
        """Whether the time that is looked at has moved on by a bar since it was read."""
        stretch = self._overview.stretch if self._overview is not None else None
        if stretch is None or stretch.until is not None or self.wanted.length is None:
            return False
        return self._clock() - stretch.end >= stretch.step

    def _show_head(self) -> None:
        line = head(
            self._overview if self._shown == self.wanted else None,
            self.wanted,
            name=self._database,
            trouble=self._trouble,
            read=self._read_at,
            zone=self._zone,
            width=self.size.width,
        )
        self.head.show((line,))

    def action_length(self, by: int) -> None:
        """Look at more or less time."""
        self._want(length=next_length(self.wanted, by))

    def action_newest(self) -> None:
        """Count the time back from the newest run, or from now again."""
        self._want(at_newest=not self.wanted.at_newest)

    def action_close(self) -> None:
        """Go back to the runs."""
        self._leave(None)

    def _leave(self, target: Rows | RunKey | None) -> None:
        """Stop reading, for which there is nothing to draw on any more, and return."""
        self.workers.cancel_node(self)
        self.dismiss(target)

    def _want(self, **changes: object) -> None:
        self.wanted = msgspec.structs.replace(self.wanted, **changes)
        self._show_head()
        self._read()
