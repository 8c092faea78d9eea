"""The explorer follows what other processes commit."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
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


def watched(folder: Path, name: str = "g.db", *, wal: bool = False, run: str = "first") -> Path:
    """Make a guest with a few runs whose ids start with `run`."""
    with Guest(folder / name, wal=wal) as guest:
        for number in range(30):
            guest.run(f"{run}-{number}", error="x" * 300)
        guest.thread("t-1", [f"{run}-{number}" for number in range(30)])
    return guest.path


def names(folder: Path) -> list[str]:
    """Return what a folder holds, pipes and folders too."""
    return sorted(path.name for path in folder.iterdir())


async def until(explorer: Explorer, words: str, *, there: bool = True) -> None:
    """Wait until words are on the screen, or no longer."""
    async with asyncio.timeout(30):
        while (words in explorer.text) != there:
            await explorer.pilot.pause(0.05)


def replace_by_notes(path: Path) -> None:
    """Put the database of another program there."""
    with closing(sqlite3.connect(path.with_name("new.db"))) as other:
        other.execute("CREATE TABLE notes(id)")
    path.with_name("new.db").replace(path)


def replace_by_text(path: Path) -> None:
    """Put something there that is no database."""
    path.with_name("new.db").write_text("hello, not a database\n" * 500)
    path.with_name("new.db").replace(path)


def cut_in_half(path: Path) -> None:
    """Lose the second half."""
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    """Lose everything but the file itself."""
    os.truncate(path, 0)


def overwrite(path: Path) -> None:
    """Write something else into the same file."""
    path.write_text("hello, not a database\n" * 500)


def replace_by_folder(path: Path) -> None:
    """Put a folder there."""
    path.unlink()
    path.mkdir()


def replace_by_pipe(path: Path) -> None:
    """Put a pipe there, which nobody ever writes to."""
    path.unlink()
    os.mkfifo(path)


def hide_behind_a_view(path: Path) -> None:
    """Put a view in the place of the table, as a trap would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("ALTER TABLE runs RENAME TO kept")
        other.execute(
            "CREATE VIEW runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT i AS run_id, 'RUNNING' AS status FROM n"
        )


KINDS: tuple[tuple[Callable[[Path], None], str], ...] = (
    (replace_by_notes, "g.db is not a run database"),
    (replace_by_text, "g.db is not an SQLite database"),
    (cut_in_half, "g.db is damaged"),
    (overwrite, "g.db is not an SQLite database"),
    (replace_by_folder, "g.db is a folder"),
    (replace_by_pipe, "g.db is not a regular file"),
)


@pytest.mark.parametrize("wal", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [KINDS[0], *(pytest.param(*kind, marks=pytest.mark.thorough) for kind in KINDS[1:])],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_what_becomes_of_the_file_is_said_and_the_screen_stays(
    spoil: Callable[[Path], None], words: str, wal: bool, tmp_path: Path
) -> None:
    path = watched(tmp_path, wal=wal)
    async with exploring(path, size=(160, 24)) as explorer:
        spoil(path)
        there = names(tmp_path)
        await until(explorer, words)
        await explorer.press("down", "t", "end")
        assert "first-" in explorer.text
        assert words in explorer.text
    assert names(tmp_path) == there


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("spoil", "words"),
    [(empty, ("is an empty database", "the table runs is gone")), (hide_behind_a_view, ("runs",))],
)
async def test_a_table_that_is_gone_is_said(
    spoil: Callable[[Path], None], words: tuple[str, ...], tmp_path: Path
) -> None:
    path = watched(tmp_path)
    async with exploring(path, size=(160, 24)) as explorer:
        spoil(path)
        await until(explorer, "as of ")
        assert any(sentence in explorer.text for sentence in words)
        assert "first-" in explorer.text


async def test_a_database_put_in_its_place_is_shown_instead(tmp_path: Path) -> None:
    path = watched(tmp_path)
    other = watched(tmp_path, "new.db", run="second")
    async with exploring(path, size=(160, 24)) as explorer:
        other.replace(path)
        await until(explorer, "second-")
        await until(explorer, "is no longer in the database")
        await explorer.press("t")
        left = [line.split("│")[1] for line in explorer.text.splitlines() if "│" in line]
        assert any("second-" in row for row in left)
        assert not any("first-" in row for row in left)
        assert "as of" not in explorer.text.splitlines()[0]


@pytest.mark.thorough
async def test_a_lock_that_shuts_readers_out_is_said_and_gets_over(tmp_path: Path) -> None:
    path = watched(tmp_path)
    async with exploring(path, size=(160, 24)) as explorer:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await until(explorer, "g.db is busy")
            assert "first-" in explorer.text
            other.execute("UPDATE runs SET status = 'FAILED'")
            other.execute("COMMIT")
        await until(explorer, "g.db is busy", there=False)
        await until(explorer, "✖ 30")


@pytest.mark.thorough
async def test_a_damaged_table_spoils_only_what_needs_it(tmp_path: Path) -> None:
    path = watched(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'threads'"
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    before = listing(tmp_path)
    async with exploring(path, size=(160, 24)) as explorer:
        assert "g.db is damaged" in explorer.text
        await explorer.press("t")
        assert "first-29" in explorer.text
    assert listing(tmp_path) == before
