"""Driving the explorer in a test: keys in, text of the screen out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from tests.tui.sample import NOW
from zeroth_store import SQLiteRunBrowser
from zeroth_store.protocols import RunOperator
from zeroth_store.sqlite.late_operator import LateRunOperator
from zeroth_tui.app import ExplorerApp

NARROW, WIDE = (80, 24), (160, 45)


class Explorer:
    """A running explorer."""

    def __init__(self, app: ExplorerApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys and wait until the screen shows what they led to."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait for every read and write that is under way, and for the screen to be drawn."""
        for _ in range(3):
            await self.pilot.pause()
            busy = [w for w in self.app.workers if w.group != "watch" and w.name != "_act"]
            if busy:
                await self.app.workers.wait_for_complete(busy)
        await self.pilot.pause()

    @property
    def text(self) -> str:
        """What is on screen, line by line."""
        compositor = self.app.screen._compositor
        return "\n".join(strip.text for strip in compositor.render_strips())

    @property
    def said(self) -> str:
        """What the toasts say, unwrapped."""
        return "\n".join(note.message for note in self.app._notifications)

    @property
    def svg(self) -> str:
        """What is on screen as a picture."""
        return self.app.export_screenshot(title="zeroth-tui")


@asynccontextmanager
async def exploring(
    path: Path,
    *,
    size: tuple[int, int] = WIDE,
    read_only: bool = False,
    operator: RunOperator | None = None,
    now: datetime = NOW,
) -> AsyncIterator[Explorer]:
    """Open the explorer on a database, as the command line does."""
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(SQLiteRunBrowser(path))
        kind, _, _ = await browser.identity()
        if operator is None and kind == "own" and not read_only:
            operator = await stack.enter_async_context(LateRunOperator(path))
        app = ExplorerApp(browser, name=path.name, operator=operator, clock=lambda: now, zone=UTC)
        app.animation_level = "none"
        pilot = await stack.enter_async_context(app.run_test(size=size, notifications=True))
        explorer = Explorer(app, pilot)
        await explorer.settle()
        yield explorer
