"""While the database does not answer, the first line tells for how long."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from datetime import timedelta
from pathlib import Path

from tests.tui.harness import exploring
from tests.tui.sample import NOW, run_id
from tests.tui.writer import PATIENCE, seen, until, writing
from zeroth_store import SQLiteRunBrowser
from zeroth_tui.screens.explorer import ExplorerScreen


async def test_a_disk_that_hangs_is_said_until_it_answers(database: Path) -> None:
    moment = [NOW]
    answers = threading.Event()

    def hang(_: sqlite3.Connection) -> None:
        """Take the reading thread's time, as a disk does that does not answer."""
        answers.wait(PATIENCE)

    async with exploring(database) as explorer:
        screen, browser = explorer.app.screen, explorer.app._browser
        assert isinstance(screen, ExplorerScreen)
        assert isinstance(browser, SQLiteRunBrowser)
        screen._live = screen._clock = lambda: moment[0]
        hanging = asyncio.create_task(browser._reader.run(hang))
        try:
            with writing(database) as other:
                other.change(run_id("a03e5d"), status="RUNNING")
            await until(explorer, lambda: screen._busy_since is not None)
            moment[0] += timedelta(seconds=7)
            await seen(explorer, "7s behind")
            moment[0] += timedelta(seconds=5)
            await seen(explorer, "12s behind")
            assert "○ PENDING" in explorer.text  # what was known stays
        finally:
            answers.set()
            await hanging
        await seen(explorer, "live 10:05:12 UTC", "▶ RUNNING")
        assert "behind" not in explorer.text
