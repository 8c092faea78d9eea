"""The explorer follows what other processes commit."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.tui.harness import Explorer, exploring
from tests.tui.sample import run_id


async def test_a_commit_of_another_process_is_seen_without_a_key(database: Path) -> None:
    async with exploring(database) as explorer:
        assert "○ PENDING" in explorer.text
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute(
                "UPDATE runs SET status = 'RUNNING' WHERE run_id = ?", (run_id("a03e5d"),)
            )
        async with asyncio.timeout(20):
            # The open run and the counts of the first line, each when its read is done.
            while not {"a03e5d00  ▶ RUNNING", "▶ 2"} <= seen(explorer):
                await explorer.pilot.pause(0.05)


def seen(explorer: Explorer) -> set[str]:
    """Return which of the expected words are on screen."""
    return {words for words in ("a03e5d00  ▶ RUNNING", "▶ 2") if words in explorer.text}


async def test_the_cursor_stays_on_its_run_when_others_arrive(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "down")
        before = explorer.app.screen.query_one("#tree").item  # type: ignore[attr-defined]
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            columns = [row[1] for row in other.execute("PRAGMA table_info(runs)")]
            rest = ", ".join(name for name in columns if name != "run_id")
            other.execute(
                f"INSERT INTO runs (run_id, {rest}) SELECT 'newcomer', {rest} FROM runs LIMIT 1"
            )
        async with asyncio.timeout(20):
            # One run more above the third one, which is the fourth now.
            while "4 of 9" not in explorer.text:
                await explorer.pilot.pause(0.05)
        assert explorer.app.screen.query_one("#tree").item == before  # type: ignore[attr-defined]


async def test_a_file_that_vanishes_is_said_and_the_screen_stays(database: Path) -> None:
    async with exploring(database) as explorer:
        await asyncio.to_thread(database.unlink)
        async with asyncio.timeout(20):
            while "does not exist" not in explorer.text:
                await explorer.pilot.pause(0.05)
        assert "nightly-report@2" in explorer.text
