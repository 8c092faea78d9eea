"""Each way the database can say no is an error of its own, after which it is as before."""

from __future__ import annotations

import sqlite3
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.reliability import faults
from tests.store.conftest import repositories
from tests.store.faulty import FAULTS
from tests.store.support import PYTHON, OpenStore, PlainSQL, a_run
from zeroth_store import (
    AsyncSQLiteDatabase,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseError,
    DatabaseFull,
    DatabaseReadOnly,
    Run,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    ThreadStatus,
)
from zeroth_store.sqlite.connection.faults import translate

BIG = {"payload": "x" * 200_000}

WRITES: dict[str, Callable[[OpenStore], Awaitable[object]]] = {
    "create": lambda store: store.runs.create(a_run("r2", metadata=BIG)),
    "put": lambda store: store.runs.put(a_run("r1", metadata=BIG)),
    "transition": lambda store: store.runs.transition(
        "r1", RunStatus.RUNNING, current_node_ids=["n" * 200_000]
    ),
    "record_history": lambda store: store.runs.record_history(
        "r1", RunHistoryEntry(node_id="n", status="s", output_snapshot=BIG)
    ),
    "resolve": lambda store: store.threads.resolve(
        "r1",
        graph_version_ref="g",
        deployment_ref="g",
        participating_agent_refs=["a" * 200_000],
        status=ThreadStatus.COMPLETED,
    ),
}


async def refused(store: OpenStore, write: str, error: type[DatabaseError], sentence: str) -> None:
    before = store.dump()
    with pytest.raises(error, match=sentence):
        await WRITES[write](store)
    assert store.dump() == before


@pytest.mark.parametrize("write", WRITES)
async def test_a_full_disk(store: OpenStore, write: str) -> None:
    """SQLite reports a full disk and a full quota of pages with the same code."""
    await store.runs.create(a_run())
    async with store.database.reading() as session:
        await session.fetch_all("PRAGMA max_page_count = 1")  # never less than there are
    await refused(store, write, DatabaseFull, "the disk that holds .* is full; nothing changed")
    async with store.database.reading() as session:
        await session.fetch_all("PRAGMA max_page_count = 1000000")
    await WRITES[write](store)


@pytest.mark.parametrize("write", WRITES)
async def test_a_connection_that_may_not_write(store: OpenStore, write: str) -> None:
    await store.runs.create(a_run())
    async with store.database.reading() as session:
        await session.fetch_all("PRAGMA query_only = ON")
    await refused(store, write, DatabaseReadOnly, "cannot be written")
    assert await store.runs.get("r1") is not None


@pytest.mark.parametrize("write", WRITES)
async def test_a_lock_that_another_process_keeps(own_path: Path, write: str) -> None:
    async with (
        AsyncSQLiteDatabase(own_path, busy_timeout=0.05) as database,
        repositories(database) as store,
    ):
        await store.runs.create(a_run())
        with closing(sqlite3.connect(own_path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await refused(store, write, DatabaseBusy, "another process holds its lock")
            assert await store.runs.get("r1") is not None, "reading goes on"
            other.execute("ROLLBACK")
        await WRITES[write](store)


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
async def test_any_call_of_a_write_may_fail(tmp_path: Path, fault: str) -> None:
    for figure in (
        await faults.own_writes(tmp_path / "own.db", fault),
        await faults.guest_writes(tmp_path / "guest.db", fault),
    ):
        assert figure.kept, figure.words


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
async def test_any_call_of_initialize_may_fail(tmp_path: Path, fault: str) -> None:
    figure = await faults.starts(tmp_path, fault, step=9)
    assert figure.kept, figure.words


@pytest.mark.thorough
async def test_a_disk_may_be_full_in_the_middle_of_a_write(tmp_path: Path) -> None:
    figure = await faults.full_own_writes(tmp_path / "own.db")
    assert figure.kept, figure.words


@pytest.mark.parametrize("wal", [True, False])
async def test_a_disk_may_be_full_in_the_middle_of_an_act_on_a_guest(
    tmp_path: Path, wal: bool
) -> None:
    figure = await faults.full_guest_writes(tmp_path / "guest.db", wal=wal)
    assert figure.kept, figure.words


AS_NOBODY = """
import alembic.command, asyncio, concurrent.futures.thread, os, sqlalchemy.dialects.sqlite, sys
from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, StoreError

async def main(path):
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        print("initialized,", end=" ")
        await repository.create(Run(graph_id="g"))

if os.geteuid() == 0:
    os.seteuid(65534)
for path in sys.argv[1:]:
    try:
        asyncio.run(asyncio.wait_for(main(path), 20))
    except StoreError as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for inner in folder.iterdir():
            inner.chmod(0o755)


def test_a_user_who_may_only_read(open_folder: Path, own_path: Path) -> None:
    paths = [open_folder / name / "own.db" for name in ("rolling", "wal", "empty", "missing")]
    rolling, wal, empty, missing = paths
    for path in paths:
        path.parent.mkdir()
    wal.write_bytes(own_path.read_bytes())
    PlainSQL(str(own_path))("PRAGMA journal_mode = delete")
    rolling.write_bytes(own_path.read_bytes())
    empty.write_bytes(b"")
    for path in paths:
        if path != missing:
            path.chmod(0o444)
        path.parent.chmod(0o555)
    before = _files(open_folder)

    done = subprocess.run(
        [PYTHON, "-c", AS_NOBODY, *paths], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    read_only = "DatabaseReadOnly own.db cannot be written: it or its folder is read-only"
    assert done.stdout.splitlines() == [
        f"initialized, {read_only}",
        read_only,
        read_only,
        f"DatabaseUnavailable {missing} cannot be opened: Permission denied",
    ]
    assert _files(open_folder) == before


def _files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_a_damaged_page_is_told(own_path: Path) -> None:
    async with AsyncSQLiteDatabase(own_path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for number in range(8):
            await repository.create(Run(run_id=f"r{number}", graph_id="g", metadata=BIG))
    damage(own_path)
    async with AsyncSQLiteDatabase(own_path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        with pytest.raises(DatabaseDamaged, match=r"own\.db is damaged"):
            await repository.list_runs("g", limit=100)


def damage(path: Path) -> None:
    """Overwrite the middle half of a file."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4 // 4096 * 4096)
        file.write(b"\xff" * (size // 2))


def test_an_error_of_the_python_module_itself_is_the_stores_too() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.close()
        with pytest.raises(sqlite3.ProgrammingError) as caught:
            connection.execute("SELECT 1")
    translated = translate(caught.value, "own.db")
    assert type(translated) is DatabaseError
    assert str(translated) == "own.db: Cannot operate on a closed database."
