"""The reading thread: stops what is given up or too slow, and always lets go."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from zeroth_store.errors import DatabaseDamaged, DatabaseError, DatabaseUnavailable, QueryTooSlow
from zeroth_store.sqlite.connection.reader import ReadConnection

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
    return tmp_path / "g.db"


def count(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("SELECT count(*) FROM runs").fetchall()[0][0]
    return found


def reading_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("zeroth-read")]


class Endless:
    """A job that never ends by itself; `started` says that its query runs."""

    def __init__(self) -> None:
        self.started = threading.Event()

    def __call__(self, connection: sqlite3.Connection) -> None:
        self.started.set()
        connection.execute(ENDLESS).fetchall()

    async def running(self) -> None:
        await asyncio.to_thread(self.started.wait)


async def test_a_query_over_its_budget_is_stopped_and_the_next_one_runs(path: Path) -> None:
    async with ReadConnection(path, budget=0.1) as reader:
        started = time.monotonic()
        with pytest.raises(QueryTooSlow):
            await reader.run(Endless())
        assert time.monotonic() - started < 2
        assert await reader.run(count) == 1


async def test_a_job_given_up_makes_room_at_once(path: Path) -> None:
    async with ReadConnection(path, budget=60) as reader:
        for _ in range(5):
            endless = Endless()
            task = asyncio.create_task(reader.run(endless))
            await endless.running()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.wait_for(reader.run(count), 5) == 1


async def test_a_job_given_up_before_its_turn_never_runs(path: Path) -> None:
    ran = threading.Event()
    async with ReadConnection(path, budget=60) as reader:
        endless = Endless()
        first = asyncio.create_task(reader.run(endless))
        await endless.running()
        second = asyncio.create_task(reader.run(lambda _: ran.set()))
        await asyncio.sleep(0)
        second.cancel()
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        assert await reader.run(count) == 1
    assert not ran.is_set()


async def test_closing_ends_a_slow_query_and_its_thread(path: Path) -> None:
    reader = ReadConnection(path, budget=60)
    await reader.open()
    endless = Endless()
    task = asyncio.create_task(reader.run(endless))
    await endless.running()
    started = time.monotonic()
    await reader.close()
    assert time.monotonic() - started < 2
    with pytest.raises(QueryTooSlow):
        await task
    for thread in reading_threads():
        thread.join(2)
    assert reading_threads() == []


async def test_closing_twice_is_fine_and_reading_afterwards_says_so(path: Path) -> None:
    reader = ReadConnection(path)
    await reader.open()
    await reader.close()
    await reader.close()
    with pytest.raises(DatabaseUnavailable, match=r"g\.db is closed"):
        await reader.run(count)


async def test_opening_that_fails_leaves_no_thread(tmp_path: Path) -> None:
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable):
            await ReadConnection(tmp_path / "none.db").open()
    for thread in reading_threads():
        thread.join(2)
    assert reading_threads() == []


async def test_errors_of_the_driver_become_the_stores(path: Path) -> None:
    async with ReadConnection(path) as reader:
        with pytest.raises(DatabaseError, match="no such table: nowhere"):
            await reader.run(lambda connection: connection.execute("SELECT * FROM nowhere"))


async def test_nothing_can_be_written_through_it(path: Path) -> None:
    before = listing(path.parent)
    async with ReadConnection(path) as reader:
        with pytest.raises(DatabaseError):
            await reader.run(lambda connection: connection.execute("DELETE FROM runs"))
    assert listing(path.parent) == before


async def test_the_event_loop_runs_on_while_a_query_runs(path: Path) -> None:
    async with ReadConnection(path, budget=0.3) as reader:
        task = asyncio.create_task(reader.run(Endless()))
        turns = 0
        while not task.done():
            await asyncio.sleep(0.01)
            turns += 1
        with pytest.raises(QueryTooSlow):
            await task
    assert turns > 3


async def test_a_quiet_file_that_changes_while_read_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
    writers: list[sqlite3.Connection] = []

    def disturbed(connection: sqlite3.Connection) -> int:
        before = count(connection)
        if not writers:
            writers.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
            writers[0].execute(
                "INSERT INTO runs(run_id, tenant_id, workspace_scope)"
                " VALUES ('s', 'default', 'null')"
            )
        return before

    async with ReadConnection(path) as reader:
        assert await reader.run(disturbed) == 2
    writers[0].close()


async def test_damage_is_not_taken_for_a_change(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        for number in range(300):
            guest.run(f"r{number}", error="x" * 100)
    raw = bytearray(path.read_bytes())
    raw[-20_000:-8_000] = b"\xff" * 12_000
    path.write_bytes(raw)
    async with ReadConnection(path) as reader:
        with pytest.raises(DatabaseDamaged):
            await reader.run(lambda c: c.execute("SELECT * FROM runs NOT INDEXED").fetchall())


CRASH = """
import os, signal, sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("PRAGMA cache_size = 5")
writer.execute("BEGIN IMMEDIATE")
writer.execute("UPDATE runs SET error = 'y' || error")
os.kill(os.getpid(), signal.SIGKILL)
"""


def die_while_writing(path: Path) -> None:
    subprocess.run([sys.executable, "-c", CRASH, str(path)], check=False)


async def test_a_file_that_needs_its_journal_rolled_back_says_so(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        for number in range(300):
            guest.run(f"r{number}", error="x" * 500)
    die_while_writing(path)
    before = listing(tmp_path)
    assert before["g.db-journal"]
    with pytest.raises(DatabaseUnavailable, match=r"g\.db was left half written"):
        await ReadConnection(path).open()
    assert listing(tmp_path) == before
