"""The first line tells how old the data is, and what has become of the file."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.tui.harness import exploring
from tests.tui.sample import NOW, run_id
from tests.tui.writer import seen

pytestmark = pytest.mark.thorough


async def test_a_lost_file_marks_what_is_on_screen_until_it_is_back(
    database: Path, tmp_path: Path
) -> None:
    async with exploring(database) as explorer:
        away = await asyncio.to_thread(database.rename, tmp_path / "away.db")
        await seen(explorer, "as of 10:05:00 UTC", "does not exist")
        assert "Threads & runs, as of 10:05:00 UTC" in explorer.text
        assert explorer.app.screen.has_class("-old")
        await asyncio.to_thread(away.rename, database)
        await seen(explorer, "live 10:05:00 UTC")
        assert "as of" not in explorer.text
        assert not explorer.app.screen.has_class("-old")


async def test_another_file_in_its_place_is_shown_and_said(database: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(database, tmp_path / "other.db"))
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("DELETE FROM runs WHERE run_id <> ?", (run_id("7f3a11"),))
    async with exploring(database) as explorer:
        await explorer.press("t")
        await asyncio.to_thread(other.replace, database)
        await seen(explorer, "1 run ", "live")
        assert "runs.db was replaced by another file, which is shown now" in explorer.said


async def test_a_write_that_locks_the_database_for_long_is_said(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        async with exploring(database) as explorer:
            other.execute("BEGIN EXCLUSIVE")
            other.execute("UPDATE runs SET status = 'RUNNING'")
            await seen(explorer, "as of 10:05:00 UTC")
            assert "nightly-report@2" in explorer.text
            other.execute("COMMIT")
            await seen(explorer, "live", "▶ 8")


async def test_lengths_and_ages_go_on_without_a_read(database: Path) -> None:
    moment = [NOW]
    async with exploring(database) as explorer:
        await explorer.press("t", "down")
        screen = explorer.app.screen
        assert "f28d28 RUNNING    20.0s  20s" in explorer.text
        for widget in (screen, screen.query_one("#tree"), *screen.query("RunView, RunHeader")):
            widget._clock = lambda: moment[0]
        moment[0] += timedelta(seconds=7)
        await seen(explorer, "f28d28 RUNNING    27.0s  27s", "▶ RUNNING  27.0s")
        # What is over keeps its length; its age of minutes goes on with the minute.
        assert "29749b COMPLETED  500ms   2m" in explorer.text
        moment[0] += timedelta(minutes=1)
        await seen(explorer, "29749b COMPLETED  500ms   3m", "f28d28 RUNNING    1m27s   1m")
