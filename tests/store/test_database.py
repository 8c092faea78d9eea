"""AsyncSQLiteDatabase: opening, closing, what it makes on disk, and its transactions."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.store.support import OpenStore, PlainSQL, a_run
from zeroth_store import (
    AsyncSQLiteDatabase,
    DatabaseDamaged,
    DatabaseUnavailable,
    NotInitialized,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    ThreadRepository,
)


async def opened(path: Path) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        await RunRepository(database).initialize()


async def test_repositories_must_be_initialized_first(store: OpenStore) -> None:
    runs, threads = RunRepository(store.database), ThreadRepository(store.database)
    for attempt in (
        runs.get("r1"),
        runs.create(a_run()),
        runs.put(a_run()),
        runs.update(a_run()),
        runs.put_if_status(a_run(), RunStatus.PENDING),
        runs.transition("r1", RunStatus.RUNNING),
        runs.record_history("r1", RunHistoryEntry(node_id="n", status="s")),
        runs.write_checkpoint(a_run()),
        runs.get_checkpoint("c1"),
        runs.list_runs("g"),
        runs.list_dead_letter_runs("g"),
        runs.count_pending("g"),
        runs.increment_failure_count("r1"),
        runs.delete("r1"),
    ):
        with pytest.raises(NotInitialized, match=r"RunRepository was used before initialize\(\)"):
            await attempt
    for attempt_on_threads in (
        threads.get("th"),
        threads.list(),
        threads.resolve("th", graph_version_ref="g", deployment_ref="g"),
        threads.attach_run("th", "r1"),
        threads.list_runs("th"),
    ):
        with pytest.raises(NotInitialized, match="ThreadRepository was used before"):
            await attempt_on_threads
    assert store.dump() == {"runs": [], "threads": [], "run_checkpoints": []}


async def test_a_database_must_be_connected(own_path: Path) -> None:
    database = AsyncSQLiteDatabase(own_path)
    runs = RunRepository(database)
    with pytest.raises(DatabaseUnavailable, match="is not connected"):
        await runs.initialize()
    await database.connect()
    await runs.initialize()
    await database.close()
    with pytest.raises(DatabaseUnavailable, match="is not connected"):
        await runs.create(a_run())


async def test_connecting_and_closing_twice_is_harmless(own_path: Path) -> None:
    database = AsyncSQLiteDatabase(own_path)
    await database.connect()
    await database.connect()
    runs = RunRepository(database)
    await runs.initialize()
    await database.close()
    await database.close()
    await database.connect()
    assert await runs.list_runs("g") == []
    await database.close()


async def test_the_last_close_leaves_the_file_alone(own_path: Path) -> None:
    await opened(own_path)
    assert os.listdir(own_path.parent) == ["own.db"]  # noqa: PTH208


async def test_what_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "own.db"
    umask = os.umask(0o022)
    try:
        await opened(path)
    finally:
        os.umask(umask)
    assert [stat.S_IMODE(os.stat(made).st_mode) for made in (path.parent, path)] == [0o700, 0o600]  # noqa: PTH116


@pytest.mark.parametrize("name", ["file:x.db", "a?mode=ro#%20.db", "größe [1].db", " .db"])
async def test_a_file_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    await opened(Path(name))
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208
    assert PlainSQL(str(tmp_path / name))("SELECT count(*) FROM runs") == [(0,)]


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match="cannot be opened: Is a directory"):
        await AsyncSQLiteDatabase(tmp_path).connect()


async def test_a_file_in_the_way_of_the_folder(tmp_path: Path, own_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match="cannot be opened"):
        await AsyncSQLiteDatabase(own_path / "inner" / "own.db").connect()


@pytest.mark.parametrize("start", [b"a letter to a friend, ", b"SQLite format 3\0\xff\xff\xff"])
async def test_a_file_that_is_no_database_is_left_alone(own_path: Path, start: bytes) -> None:
    content = start * 400
    _fill(own_path, content)
    with pytest.raises(DatabaseDamaged, match=r"own\.db is not an SQLite database"):
        await AsyncSQLiteDatabase(own_path).connect()
    assert _content(own_path) == content


def _fill(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _content(path: Path) -> bytes:
    return path.read_bytes()


async def test_a_transaction_is_all_or_nothing(store: OpenStore) -> None:
    await store.runs.create(a_run())

    async def change_and_fail() -> None:
        async with store.database.transaction() as session:
            assert await session.execute("UPDATE runs SET error = 'x'") == 1
            raise RuntimeError("changed my mind")

    with pytest.raises(RuntimeError, match="changed my mind"):
        await change_and_fail()
    assert store.query("SELECT error FROM runs") == [(None,)]
    async with store.database.transaction() as session:
        await session.execute("UPDATE runs SET error = ?", ("kept",))
        assert await session.fetch_one("SELECT error FROM runs") == {"error": "kept"}
    assert store.query("SELECT error FROM runs") == [("kept",)]


async def test_deleted_payloads_are_wiped_from_the_file(file_store: OpenStore) -> None:
    await file_store.runs.create(a_run(metadata={"secret": "FAKE-payload-0451"}))
    await file_store.runs.delete("r1")
    path = file_store.database.path
    assert path is not None
    await file_store.database.close()
    assert b"FAKE-payload-0451" not in _content(path)
