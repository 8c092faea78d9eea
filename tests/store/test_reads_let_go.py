"""Reading holds nothing: no transaction between two reads, no handle after the end."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.checkup.describe import describe
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_store.summaries import NULL_SCOPE, RunKey, ThreadKey

pytestmark = pytest.mark.thorough

KEY = RunKey("default", NULL_SCOPE, "r1")
THREAD = ThreadKey("default", NULL_SCOPE, "t-1")
OPEN_FILES = Path("/proc/self/fd")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with a rollback journal, in which a reader keeps an exclusive writer out."""
    with Guest(tmp_path / "g.db") as guest:
        for number in range(300):
            guest.run(f"r{number}")
        guest.thread("t-1", [f"r{number}" for number in range(300)], checkpoint_refs=["c1"])
        guest.checkpoint("c1", "r1", "{}")
        guest.audit("r1:audit:1", "r1", "{}")
    return guest.path


@pytest.fixture
def writer(path: Path) -> Iterator[sqlite3.Connection]:
    """A writer that waits for nobody."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        yield connection


def write_alone(writer: sqlite3.Connection) -> None:
    """Write while nobody may read; raises where a read has not ended."""
    writer.execute("BEGIN EXCLUSIVE")
    writer.execute("UPDATE runs SET current_step = 'x' WHERE run_id = 'r2'")
    writer.execute("COMMIT")


def test_describing_and_checking_end_as_well(path: Path, writer: sqlite3.Connection) -> None:
    describe(path)
    write_alone(writer)
    check_up(path)
    write_alone(writer)


def open_files() -> int:
    """Count what this process has open once its reading threads are gone."""
    for thread in threading.enumerate():
        if thread.name.startswith("zeroth-read"):
            thread.join(10)
    return len(list(OPEN_FILES.iterdir()))


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux lists a process's open files")
async def test_opening_that_is_given_up_leaves_no_handle(path: Path) -> None:
    async def give_up(turns: int) -> None:
        opening = asyncio.create_task(SQLiteRunBrowser(path).open())
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait([opening])

    await give_up(0)
    before = open_files()
    for turns in range(100):
        await give_up(turns % 5)
    # One handle lost at any of the five moments would be twenty.
    assert open_files() < before + 10
