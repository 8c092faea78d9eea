"""An application of a filter bar and a list, and a person who types."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from zeroth_tui.line import Piece, Row
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SIZE = (80, 24)


class BarApp(App[None]):
    """A filter bar over a list."""

    CSS = "#tree { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.filters: list[str] = []
        self.wishes: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        yield FilterBar(lambda: NOW)
        yield RowList(id="tree")

    def on_mount(self) -> None:
        rows = tuple(Row((Piece(f"run {number}"),), number) for number in range(15))
        self.query_one("#tree", RowList).show(FixedRows(rows))
        self.query_one("#tree").focus()

    @on(FilterBar.Changed)
    def note_filter(self, event: FilterBar.Changed) -> None:
        self.filters.append("" if event.filter is None else str(event.filter))

    @on(FilterBar.ValuesWanted)
    def note_wish(self, event: FilterBar.ValuesWanted) -> None:
        self.wishes.append((event.key, event.typed))

    @on(FilterBar.Left)
    def go_on(self) -> None:
        self.query_one("#tree").focus()


class Typing:
    """A person at the bar."""

    def __init__(self, app: BarApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.bar = app.query_one(FilterBar)

    async def type(self, text: str) -> None:
        await self.press(*text)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
        await self.pilot.pause()

    async def open(self, text: str = "") -> None:
        self.bar.open()
        await self.type(text)

    async def offer(self, key: str, typed: str, *values: str) -> None:
        self.bar.offer(key, typed, values)
        await self.pilot.pause()

    @property
    def lines(self) -> list[str]:
        """What is on screen."""
        strips = self.app.screen._compositor.render_strips()
        return [strip.text.rstrip() for strip in strips]

    @property
    def offered(self) -> list[str]:
        """The first words of the rows below the bar that are no rows of the list."""
        below = (line[9:].split() for line in self.lines[1:8])
        return [words[0] for words in below if words]


@asynccontextmanager
async def typing(size: tuple[int, int] = SIZE) -> AsyncIterator[Typing]:
    app = BarApp()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Typing(app, pilot)
