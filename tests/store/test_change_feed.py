"""Following a database: being woken by a write, and counting what changed without a scan."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from zeroth_store.browse import NULL_SCOPE, RunKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

NEVER = 60.0
"""Seconds that no test waits for: being woken ends it at once."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of file events")


def key(run_id: str) -> RunKey:
    return RunKey("default", NULL_SCOPE, run_id)


async def waiting(browser: SQLiteRunBrowser) -> asyncio.Task[bool]:
    """Begin to wait for an event; the first turn of the task listens."""
    task = asyncio.create_task(browser.stirred(NEVER))
    await asyncio.sleep(0)
    return task


@linux
@pytest.mark.parametrize("wal", [False, True])
async def test_a_commit_wakes_who_waits(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=wal) as guest:
        guest.run("r")
        async with SQLiteRunBrowser(path) as browser:
            for number in range(3):
                task = await waiting(browser)
                guest.run(f"more-{number}")
                assert await asyncio.wait_for(task, NEVER / 2)


@linux
async def test_the_first_commit_of_a_writer_that_comes_later_wakes(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
    assert sorted(listing(tmp_path)) == ["g.db"]
    async with SQLiteRunBrowser(path) as browser:
        await browser.version()
        task = await waiting(browser)
        with closing(sqlite3.connect(path, isolation_level=None)) as late:
            late.execute("UPDATE runs SET status = 'FAILED'")
        assert await asyncio.wait_for(task, NEVER / 2)


@linux
async def test_a_file_that_takes_the_place_of_another_wakes(tmp_path: Path) -> None:
    path, other = tmp_path / "g.db", tmp_path / "other.db"
    for each in (path, other):
        with Guest(each) as guest:
            guest.run("r")
    async with SQLiteRunBrowser(path) as browser:
        before = await browser.version()
        task = await waiting(browser)
        other.replace(path)
        assert await asyncio.wait_for(task, NEVER / 2)
        after = await browser.version()
    assert before.file != after.file


def listened_to() -> set[int]:
    """Return the inodes of all files that this process is told of, as Linux knows it."""
    found: set[int] = set()
    for descriptor in Path("/proc/self/fdinfo").iterdir():
        with suppress(FileNotFoundError):  # the one that lists the others is gone by now
            watches = re.findall(r"^inotify wd:\w+ ino:(\w+)", descriptor.read_text(), re.MULTILINE)
            found.update(int(inode, 16) for inode in watches)
    return found


@linux
async def test_a_writer_pays_for_one_event_until_somebody_waits_again(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
        log = await asyncio.to_thread(os.stat, f"{path}-wal")
        async with SQLiteRunBrowser(path) as browser:
            task = await waiting(browser)
            assert log.st_ino in listened_to()
            guest.run("told")
            assert await asyncio.wait_for(task, NEVER / 2)
            assert log.st_ino not in listened_to()
            guest.run("not told")
            task = await waiting(browser)
            assert log.st_ino in listened_to()
            guest.run("told again")
            assert await asyncio.wait_for(task, NEVER / 2)


@linux
async def test_looking_wakes_nobody(tmp_path: Path) -> None:
    """Else the explorer would wake itself for ever."""
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
        async with SQLiteRunBrowser(path) as browser, SQLiteRunBrowser(path) as second:
            await browser.counts()
            task = asyncio.create_task(browser.stirred(0.3))
            for _ in range(20):
                await second.counts()
                await second.version()
            assert not await task


async def test_who_waits_is_let_go_when_the_time_is_over(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
    async with SQLiteRunBrowser(tmp_path / "g.db") as browser:
        assert not await browser.stirred(0.0)
        assert not await browser.stirred(0.01)
    # Without a file there is nothing to be told of.
    uri = "file:/change-feed?vfs=memdb"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as memory:
        memory.execute("CREATE TABLE runs(run_id TEXT PRIMARY KEY, status TEXT)")
        async with SQLiteRunBrowser(uri) as browser:
            assert not await browser.stirred(0.01)
            assert (await browser.version()).file is None


async def test_what_is_new_or_written_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        for number in range(4):
            guest.run(f"live-{number}", "RUNNING")
        async with SQLiteRunBrowser(path) as browser:
            await browser.keep_index()
            mark = await browser.mark()
            assert await browser.changed_since(mark) == 0
            guest.run("new-1")
            guest.run("new-2", "FAILED")
            assert await browser.changed_since(mark) == 2
            guest.sql("UPDATE runs SET status = 'FAILED', updated_at = '2027' WHERE rowid < 3")
            assert await browser.changed_since(mark) == 4
            # The same run again is still one run; one that is gone has changed.
            guest.sql("UPDATE runs SET updated_at = '2028' WHERE rowid = 1")
            guest.sql("DELETE FROM runs WHERE run_id = 'live-3'")
            assert await browser.changed_since(mark) == 5
            assert await browser.changed_since(await browser.mark()) == 0


async def test_what_is_new_is_counted_without_an_index(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("r")
        async with SQLiteRunBrowser(path) as browser:
            mark = await browser.mark()
            guest.run("new")
            assert await browser.changed_since(mark) == 1


async def test_counting_stops_where_nobody_wants_the_number(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("r")
        async with SQLiteRunBrowser(path) as browser:
            mark = await browser.mark()
            guest.sql(
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10050)"
                " INSERT INTO runs (run_id, tenant_id, workspace_scope, status)"
                " SELECT 'n' || x, 'default', 'null', 'PENDING' FROM n"
            )
            assert await browser.changed_since(mark) == 10_000


async def test_runs_are_found_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("a", "RUNNING")
        guest.run("b", "FAILED")
        async with SQLiteRunBrowser(path) as browser:
            found = await browser.summaries((key("b"), key("never"), key("a")))
            assert {each: run.status for each, run in found.items()} == {
                key("a"): "RUNNING",
                key("b"): "FAILED",
            }
            assert await browser.summaries(()) == {}
