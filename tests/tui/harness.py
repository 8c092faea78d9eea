"""Driving the explorer in a test: keys in, text of the screen out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input
from textual.worker import WorkerCancelled

from tests.tui.sample import NOW
from zeroth_store import SQLiteRunBrowser
from zeroth_store.actions import RunActor
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.acting.late_actor import LateActor
from zeroth_tui.app import ExplorerApp
from zeroth_tui.screens.opening import Opening
from zeroth_tui.settings import Settings

NARROW, MIDDLE, WIDE = (80, 24), (120, 36), (160, 45)

UNENDING = {"watch", "ask"}
"""Groups of workers that wait for a commit or for a person."""


class Explorer:
    """A running explorer."""

    def __init__(self, app: ExplorerApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys one by one, each time waiting until the screen shows what it led to."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def filter(self, text: str) -> None:
        """Paste into the filter and wait for what it finds."""
        await self.pilot.press("slash")
        focused = self.app.focused
        assert focused is not None
        focused.post_message(events.Paste(text))
        await self.settle()

    async def open_run(self, text: str, *keys: str) -> None:
        """Find a run by a part of it, go into it, and press keys there."""
        await self.filter(text)
        await self.press("enter", "enter", *keys)

    async def settle(self) -> None:
        """Wait for every read and write that is under way, and for the screen to be drawn."""
        quiet = 0
        while quiet < 2:
            await self.pilot.pause()
            busy = [worker for worker in self.app.workers if worker.group not in UNENDING]
            quiet = 0 if busy or self._about_to_ask else quiet + 1
            if busy:
                with suppress(WorkerCancelled):  # something newer was asked for meanwhile
                    await self.app.workers.wait_for_complete(busy)

    @property
    def _about_to_ask(self) -> bool:
        """Whether a dialog is on its way: who asks ends only when it is answered."""
        asks = any(worker.group == "ask" for worker in self.app.workers)
        return asks and len(self.app.screen_stack) == 1

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
    size: tuple[int, int] = MIDDLE,
    read_only: bool = False,
    actor: RunActor | None = None,
    journal: Path | None = None,
    now: datetime = NOW,
    secret: EncryptionKey | None = None,
    opening: Opening | None = None,
    browsing: Callable[..., SQLiteRunBrowser] = SQLiteRunBrowser,
    settings: Settings | None = None,
) -> AsyncIterator[Explorer]:
    """Open the explorer on a database, as the command line does."""
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(browsing(path, secret=secret, clock=lambda: now))
        kind, _, _ = await browser.identity()
        if actor is None and kind == "own" and not read_only:
            actor = await stack.enter_async_context(LateActor(path))
        app = ExplorerApp(
            browser,
            name=path.name,
            actor=actor,
            journal=journal,
            opening=opening or Opening(location=path.name),
            settings=settings,
            clock=lambda: now,
            zone=UTC if settings is None else None,
        )
        app.animation_level = "none"
        pilot = await stack.enter_async_context(app.run_test(size=size, notifications=True))
        # Leaving an app that runs by itself begins so; the pilot only takes its widgets away.
        stack.callback(app.workers.cancel_all)
        explorer = Explorer(app, pilot)
        await explorer.settle()
        for field in app.screen.query(Input):
            field.cursor_blink = False  # a picture does not depend on the moment
        yield explorer
