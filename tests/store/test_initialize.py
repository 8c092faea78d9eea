"""initialize() does its work once, and costs little when there is none."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.store.support import PYTHON, a_run
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
