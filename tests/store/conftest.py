"""The databases that the contract suite runs over; a further one is a further entry here."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import pytest_asyncio

from tests.store.support import Clock, Ids, OpenStore, PlainSQL, StoreFactory
from zeroth_store import AsyncSQLiteDatabase, RunRepository, ThreadRepository


@asynccontextmanager
async def repositories(database: AsyncSQLiteDatabase) -> AsyncIterator[OpenStore]:
    """A store's repositories, initialized, over a connected database."""
    clock = Clock()
    runs = RunRepository(database, clock=clock, ids=Ids("c"))
    threads = ThreadRepository(database, clock=clock, ids=Ids("t"))
    await runs.initialize()
    await threads.initialize()
    yield OpenStore(runs, threads, PlainSQL(database.location), database, clock)


@asynccontextmanager
async def _in_memory(template: Path, folder: Path) -> AsyncIterator[OpenStore]:
    async with AsyncSQLiteDatabase(":memory:") as database:
        with (
            closing(sqlite3.connect(template)) as source,
            closing(sqlite3.connect(database.location, uri=True)) as target,
        ):
            target.executescript("\n".join(source.iterdump()))
        async with repositories(database) as opened:
            yield opened


@asynccontextmanager
async def _in_a_file(template: Path, folder: Path) -> AsyncIterator[OpenStore]:
    path = shutil.copy(template, folder / "own.db")
    async with AsyncSQLiteDatabase(path) as database, repositories(database) as opened:
        yield opened


STORES: dict[str, StoreFactory] = {"memory": _in_memory, "file": _in_a_file}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An initialized database without rows, to copy: migrating each test's own takes longer."""
    path = tmp_path_factory.mktemp("template") / "own.db"

    async def make() -> None:
        async with AsyncSQLiteDatabase(path) as database:
            await RunRepository(database).initialize()

    asyncio.run(make())
    return path


@pytest.fixture
def own_path(template: Path, tmp_path: Path) -> Path:
    """An initialized database of the test's own, in a file that nobody has open."""
    return Path(shutil.copy(template, tmp_path / "own.db"))


@pytest_asyncio.fixture(params=sorted(STORES))
async def store(
    request: pytest.FixtureRequest, template: Path, tmp_path: Path
) -> AsyncIterator[OpenStore]:
    """A fresh, initialized store, over each database that the store supports."""
    async with STORES[request.param](template, tmp_path) as opened:
        yield opened


@pytest_asyncio.fixture
async def file_store(template: Path, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """A fresh, initialized store in a file, for what needs only one database."""
    async with _in_a_file(template, tmp_path) as opened:
        yield opened
