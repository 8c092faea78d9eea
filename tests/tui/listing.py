"""A list of numbered rows on a small screen, and what is drawn of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from rich.color import Color
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from zeroth_tui.line import Piece, Row
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows

WIDTH, HEIGHT = 20, 10
ALL = Region(0, 0, WIDTH, HEIGHT)


def numbered(count: int, start: int = 0) -> FixedRows:
    """Return rows that read `row 7`, each with its number as item."""
    return FixedRows(tuple(Row((Piece(f"row {n}", "ok"),), n) for n in range(start, start + count)))


class Watched(RowList):
    """Notes which of its lines it is asked to repaint."""

    def __init__(self) -> None:
        super().__init__()
        self.repainted: list[int] = []

    def refresh(self, *regions: Region, **rest: Any) -> Any:
        """Note the lines, then do it."""
        for region in regions or (ALL,):
            self.repainted += region.line_range
        return super().refresh(*regions, **rest)


class ListApp(App[None]):
    """Nothing but a list."""

    def __init__(self, rows: FixedRows) -> None:
        super().__init__()
        self.rows = Watched()
        self.shown = rows
        self.opened: list[object] = []
        self.animation_level = "none"

    def compose(self) -> ComposeResult:
        yield self.rows

    def on_mount(self) -> None:
        self.rows.show(self.shown)
        self.rows.focus()

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        self.opened.append(event.item)


@asynccontextmanager
async def listing(count: int = 100) -> AsyncIterator[tuple[Watched, Pilot[None], ListApp]]:
    """Show so many numbered rows on a screen of 20 by 10."""
    app = ListApp(numbered(count))
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await pilot.pause()
        app.rows.repainted.clear()
        yield app.rows, pilot, app


def strips(rows: RowList) -> list[Strip]:
    """Return what is in sight as it goes to the screen."""
    return rows.render_lines(ALL)


def texts(rows: RowList) -> list[str]:
    """Return the rows in sight without the scroll bar."""
    return [strip.text[:-1].rstrip() for strip in strips(rows)]


def colours(strip: Strip) -> set[Color]:
    """Return every colour in a strip."""
    styles = [segment.style for segment in strip if segment.style is not None]
    return {c for style in styles for c in (style.color, style.bgcolor) if c is not None}


def ground(strip: Strip) -> Color | None:
    """Return the background under the first piece."""
    style = next(iter(strip)).style
    return None if style is None else style.bgcolor
