"""What the commands do once their arguments are read: open a database, run, close it again."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from zeroth_store.actions import RunActor
from zeroth_store.local_zone import zone_of
from zeroth_store.sqlite.acting.late_actor import LateActor
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui import crash, leaving
from zeroth_tui.settings import Settings, hints_file, journal_file

if TYPE_CHECKING:
    from zeroth_store.encryption import EncryptionKey
    from zeroth_tui.demo.programme import Programme
    from zeroth_tui.screens.opening import Opening


async def explore(
    path: Path,
    *,
    make: bool = False,
    read_only: bool = False,
    allow_writes: bool = False,
    opening: Opening | None = None,
    settings: Settings | None = None,
    secret: EncryptionKey | None = None,
) -> int:
    """Open the explorer on `path` until the person leaves; returns the exit code.

    A database that Zeroth made is acted on only where `allow_writes` says so.
    `opening` is what is shown first, `settings` say how. `make` creates an own database there when
    nothing is. Checkpoints that are encrypted are opened with `secret`. Raises a StoreError, or
    NoTerminal.
    """
    if make:
        await make_store(path)
    chosen = settings or Settings()
    zone = zone_of(chosen.time_zone)
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(
            SQLiteRunBrowser(path, secret=secret, clock=lambda: datetime.now(zone))
        )
        kind, _, _ = await browser.identity()
        actor: RunActor | None = None
        if kind == "own" and not read_only:
            actor = await stack.enter_async_context(LateActor(path))
            # Of connections that close, only one that may write takes the log away: it is the last.
            stack.push_async_callback(browser.close)
        elif kind == "guest" and allow_writes and not read_only:
            from zeroth_store.sqlite.acting.guest_actor import GuestActor

            actor = GuestActor(path, secret)
        leaving.require_terminal()
        import msgspec

        from zeroth_tui.app import ExplorerApp
        from zeroth_tui.screens.opening import opened

        app = ExplorerApp(
            browser,
            name=path.name,
            actor=actor,
            journal=journal_file() if actor is not None else None,
            settings=chosen,
            zone=zone,
            opening=msgspec.structs.replace(
                opening or opened(path), hints=hints_file() if chosen.hints else None
            ),
        )
        await app.run_async()
        code = app.return_code or 0 if app.mistake is None else crash.tell(app.mistake)
        leaving.end_soon(code)
        return code


async def _until(
    exploring: Coroutine[None, None, int], playing: asyncio.Task[None], seconds: float | None
) -> int:
    """Await the explorer: for some seconds at the most, and not after what is played failed."""
    screen = asyncio.create_task(exploring)

    def follow(played: asyncio.Task[None]) -> None:
        if not played.cancelled() and played.exception() is not None:
            screen.cancel()

    playing.add_done_callback(follow)
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await screen
    except TimeoutError:
        if not limit.expired():
            raise
        return 0


async def make_store(path: Path) -> None:
    """Create an own database where there is none, readable by its owner alone."""
    from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
    from zeroth_store.sqlite.repositories.runs import RunRepository

    async with AsyncSQLiteDatabase(path) as database:
        await RunRepository(database).initialize()


async def demo(
    path: Path | None, programme: Programme, *, settings: Settings | None, tour: bool
) -> int:
    """Play scripted runs into `path`, or a temporary file, and explore them as `settings` say.

    Without settings they are only written. They are explored with the hints of a `tour` where that
    is asked for, until the person leaves, the programme's time is over, or it fails: then what it
    raises is raised.
    """
    from zeroth_tui.demo.programme import run_demo

    if settings is not None:
        leaving.require_terminal("demo --headless")
    with tempfile.TemporaryDirectory(prefix="zeroth-tui-demo-") as folder:
        leaving.remove_at_end(folder)
        target = path or Path(folder) / "demo.db"
        await make_store(target)
        past = asyncio.Event()
        if settings is None:
            print(f"writing runs into {target}", flush=True)
        elif programme.filled:
            print(f"writing {programme.filled:,} finished runs first", file=sys.stderr, flush=True)
        playing = asyncio.create_task(run_demo(target, programme, past_written=past))
        try:
            if settings is None:
                await playing
                return 0
            # The first look is at a database with a past, not at one that fills up.
            waiting = asyncio.create_task(past.wait())
            await asyncio.wait((waiting, playing), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            exploring = explore(
                target,
                read_only=settings.read_only,
                opening=_opening(target, settings, tour),
                settings=settings,
            )
            return await _until(exploring, playing, programme.seconds)
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing


def _opening(path: Path, settings: Settings, tour: bool) -> Opening:
    import msgspec

    from zeroth_tui.screens.opening import opened

    return msgspec.structs.replace(opened(path), tour=tour, views=settings.views)
