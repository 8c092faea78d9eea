"""initialize() does its work once, and costs little when there is none."""

from __future__ import annotations

import ast
import asyncio
import os
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.support import PYTHON, ROOT, OpenStore, a_run
from tests.store.test_cancellation import CancelledAt, finish
from zeroth_store import AsyncSQLiteDatabase, RunRepository, ThreadRepository

WHAT_IT_IMPORTS = """
import asyncio, sys
from zeroth_store import AsyncSQLiteDatabase, RunRepository

async def main():
    async with AsyncSQLiteDatabase(sys.argv[1]) as database:
        await RunRepository(database).initialize()

asyncio.run(main())
print(sorted({"alembic", "sqlalchemy"} & set(sys.modules)))
"""


def test_a_current_schema_imports_no_alembic(own_path: Path) -> None:
    done = subprocess.run(
        [PYTHON, "-c", WHAT_IT_IMPORTS, own_path], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


async def test_doing_it_again_keeps_what_is_stored(tmp_path: Path) -> None:
    async with AsyncSQLiteDatabase(tmp_path / "own.db") as database:
        runs, threads = RunRepository(database), ThreadRepository(database)
        await runs.initialize()
        await runs.create(a_run())
        await threads.initialize()
        await runs.initialize()
        assert await threads.list_run_ids("r1") == ["r1"]


async def test_a_memory_database_is_its_own() -> None:
    async with AsyncSQLiteDatabase(":memory:") as one, AsyncSQLiteDatabase(":memory:") as other:
        first, second = RunRepository(one), RunRepository(other)
        await first.initialize()
        await second.initialize()
        await first.create(a_run())
        assert await second.get("r1") is None


@pytest.fixture
def loose_umask() -> Iterator[None]:
    """Let new files be readable and writable by everybody, unless told otherwise."""
    usual = os.umask(0)
    yield
    os.umask(usual)


@pytest.mark.usefixtures("loose_umask")
async def test_folder_file_and_side_files_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "outer" / "inner"
    async with AsyncSQLiteDatabase(folder / "own.db") as database:
        runs = RunRepository(database)
        await runs.initialize()
        await runs.create(a_run())
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {"own.db": 0o600, "own.db-wal": 0o600, "own.db-shm": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_what_is_deleted_is_wiped_and_no_code_of_the_file_runs(store: OpenStore) -> None:
    wanted = {"secure_delete": 1, "trusted_schema": 0, "synchronous": 1}
    async with store.database.reading() as session:
        for name, value in wanted.items():
            assert await session.fetch_one(f"PRAGMA {name}") == {name: value}


def test_no_connection_begins_transactions_by_itself() -> None:
    """Python's own default is a deferred transaction before the first change."""
    opened = [
        (path.name, {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords})
        for path in sorted((ROOT / "store").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("sqlite3.connect", "aiosqlite.connect")
    ]
    assert {"database.py", "guest_actor.py", "schema.py"} <= {name for name, _ in opened}
    assert [name for name, named in opened if named.get("isolation_level") != "None"] == []


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no list of open files")
async def test_opening_that_is_cancelled_leaves_no_file_open(own_path: Path) -> None:
    rehearsal = CancelledAt(_opened(own_path))
    await finish(rehearsal)
    before = _open_files()
    for turn in range(100):
        work = CancelledAt(_opened(own_path), 1 + turn % rehearsal.waits)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(finish(work))
    await asyncio.to_thread(_wait_for, before)


def _wait_for(files: int) -> None:
    """Wait until so many files are open: a connection is closed by a thread of its own."""
    deadline = time.monotonic() + 20
    while _open_files() > files:
        assert time.monotonic() < deadline, f"{_open_files()} files are open, not {files}"


async def _opened(path: Path) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        await RunRepository(database).initialize()


def _open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))
