"""What a process has open of a database stays locked, so a write that returned is never lost."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.store.guests import listing
from tests.store.support import PYTHON, PlainSQL, a_run
from zeroth_store import AsyncSQLiteDatabase, DatabaseUnavailable, RunRepository
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.connection.place import choose_mode, look

OTHER: Final = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("UPDATE runs SET error = 'by the other'")
print("open", flush=True)
sys.stdin.readline()
connection.close()
print("closed", flush=True)
"""


LOCKS: Final = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
        print("free")
    except OSError:
        print("locked")
"""
"""Tries to lock the bytes that everybody who has a database open in WAL mode has a lock on."""


def lock_on(path: Path) -> str:
    """Return `locked` if this process has the database open, as far as other processes know."""
    done = subprocess.run([PYTHON, "-c", LOCKS, path], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@contextmanager
def other_process(path: Path) -> Iterator[Callable[[], None]]:
    """A process that has the database open; what is given makes it close and waits for that."""
    with subprocess.Popen(
        [PYTHON, "-c", OTHER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        said, told = process.stdout, process.stdin

        def close() -> None:
            told.write("\n")
            told.flush()
            assert said.readline() == "closed\n"

        yield close


async def test_a_write_beside_a_reader_outlives_the_last_other_process(own_path: Path) -> None:
    """The last to close removes the log: it must know of each connection that this process has.

    The system forgets the locks of a process on a file once it closes any handle of that file.
    """
    with other_process(own_path) as close_other:
        async with SQLiteRunBrowser(own_path) as browser:
            await browser.counts()
            async with AsyncSQLiteDatabase(own_path) as database:
                runs = RunRepository(database)
                await runs.initialize()
                close_other()
                await runs.create(a_run("acknowledged"))
                assert PlainSQL(str(own_path))("SELECT run_id FROM runs") == [("acknowledged",)]
                assert [status for status, _ in await browser.counts()] == ["PENDING"]
    assert PlainSQL(str(own_path))("SELECT run_id FROM runs") == [("acknowledged",)]


async def test_a_second_store_of_one_process_keeps_the_locks_of_the_first(own_path: Path) -> None:
    async with AsyncSQLiteDatabase(own_path) as first:
        runs = RunRepository(first)
        await runs.initialize()
        with other_process(own_path) as close_other:
            async with AsyncSQLiteDatabase(own_path):
                close_other()
                await runs.create(a_run("acknowledged"))
        assert PlainSQL(str(own_path))("SELECT run_id FROM runs") == [("acknowledged",)]


def test_looking_at_a_file_that_is_just_being_opened_keeps_the_locks(own_path: Path) -> None:
    """SQLite makes the -wal file first: who looks before there is a -shm may not open the file."""
    connection = sqlite3.connect(own_path, isolation_level=None)
    with closing(connection):
        connection.execute("UPDATE runs SET error = ''")
        own_path.with_name("own.db-shm").unlink()
        assert lock_on(own_path) == "locked"
        assert choose_mode(own_path, look(own_path)) == "quiet"
        assert lock_on(own_path) == "locked"


@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
async def test_a_link_is_followed_to_a_private_file(tmp_path: Path, there: bool) -> None:
    target = tmp_path / "real.db"
    (tmp_path / "link.db").symlink_to(target)
    if there:
        target.touch(0o600)
    async with AsyncSQLiteDatabase(tmp_path / "link.db") as database:
        await RunRepository(database).initialize()
    assert sorted(listing(tmp_path)) == ["link.db", "real.db"]
    assert target.stat().st_mode & 0o777 == 0o600


async def test_a_link_into_nowhere_says_so(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "missing" / "real.db")
    with pytest.raises(DatabaseUnavailable, match="cannot be opened: No such file or directory"):
        await AsyncSQLiteDatabase(tmp_path / "link.db").connect()
