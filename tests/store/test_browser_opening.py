"""Opening: what is no run database says so, and watching leaves no trace and misses nothing."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from zeroth_store.browse import RunQuery
from zeroth_store.errors import DatabaseDamaged, DatabaseUnavailable, SchemaError, StoreError
from zeroth_store.sqlite.browser import SQLiteRunBrowser


async def statuses(browser: SQLiteRunBrowser) -> list[str | None]:
    return [row.status for row in (await browser.runs(RunQuery())).rows]


async def refusal(path: Path | str) -> StoreError:
    browser = SQLiteRunBrowser(path)
    with pytest.raises(StoreError) as caught:
        await browser.open()
    return caught.value


async def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    error = await refusal(tmp_path / "runs.db")
    assert isinstance(error, DatabaseUnavailable)
    assert "runs.db does not exist" in str(error)
    assert listing(tmp_path) == {}


async def test_a_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    error = await refusal(tmp_path / "runs")
    assert isinstance(error, DatabaseUnavailable)
    assert "runs is a folder" in str(error)


async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "runs.db")
    assert "not a regular file" in str(await refusal(tmp_path / "runs.db"))


async def test_an_empty_file_stays_empty(tmp_path: Path) -> None:
    (tmp_path / "x.db").touch()
    error = await refusal(tmp_path / "x.db")
    assert isinstance(error, SchemaError)
    assert "x.db is an empty database" in str(error)
    assert listing(tmp_path) == {"x.db": b""}


async def test_what_is_not_sqlite_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello, not a database\n" * 50)
    error = await refusal(tmp_path / "notes.txt")
    assert isinstance(error, DatabaseDamaged)
    assert str(error) == "notes.txt is not an SQLite database"


@pytest.mark.parametrize(
    ("statements", "names"),
    [
        (("CREATE TABLE notes(a)", "CREATE TABLE tags(a)"), "it has tables notes, tags"),
        (("CREATE TABLE t(run_id)", "CREATE VIEW runs AS SELECT * FROM t"), "it has tables t"),
        (("CREATE TABLE runs(a)",), "its table runs has no ids to list"),
        (
            ("CREATE TABLE runs(run_id TEXT PRIMARY KEY) WITHOUT ROWID",),
            "its table runs has no ids to list",
        ),
    ],
)
async def test_other_databases_are_named_by_their_tables(
    tmp_path: Path, statements: tuple[str, ...], names: str
) -> None:
    path = tmp_path / "notes.db"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    error = await refusal(path)
    assert isinstance(error, SchemaError)
    assert str(error).startswith(f"notes.db is not a run database: {names}")


@pytest.mark.parametrize("wal", [False, True])
async def test_a_file_at_rest_is_left_as_it_was(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=wal) as guest:
        guest.run("r")
        guest.thread("t-1", ["r"])
    before = listing(tmp_path)
    async with SQLiteRunBrowser(path) as browser:
        assert await statuses(browser) == ["COMPLETED"]
        info = await browser.info()
        assert listing(tmp_path) == before
    assert listing(tmp_path) == before
    assert (info.journal_mode, info.snapshot) == ("wal" if wal else "delete", False)


@pytest.mark.parametrize("wal", [False, True])
async def test_a_writer_that_starts_later_is_seen(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=wal) as guest:
        guest.run("r", "PENDING")
    async with SQLiteRunBrowser(path) as browser:
        assert await statuses(browser) == ["PENDING"]
        writer = sqlite3.connect(path, isolation_level=None)
        for status in ("RUNNING", "FAILED", "COMPLETED"):
            writer.execute("UPDATE runs SET status = ?", (status,))
            assert await statuses(browser) == [status]
        writer.close()
        assert await statuses(browser) == ["COMPLETED"]


async def test_rows_that_are_only_in_the_wal_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.sql("PRAGMA wal_autocheckpoint = 0")
        guest.run("r")
        copy = tmp_path / "copy.db"
        copy.write_bytes(path.read_bytes())
        (tmp_path / "copy.db-wal").write_bytes((tmp_path / "g.db-wal").read_bytes())
        async with SQLiteRunBrowser(copy) as browser:
            assert await statuses(browser) == ["COMPLETED"]


async def test_a_wal_that_holds_garbage_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("r")
    (tmp_path / "g.db-wal").write_bytes(b"\x00garbage" * 2000)
    before = listing(tmp_path)
    async with SQLiteRunBrowser(path) as browser:
        assert await statuses(browser) == ["COMPLETED"]
    assert listing(tmp_path) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
async def test_a_folder_of_another_owner_gets_no_side_files(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    path = folder / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
    os.chown(folder, 4242, 4242)
    before = listing(folder)
    async with SQLiteRunBrowser(path) as browser:
        assert await statuses(browser) == ["COMPLETED"]
        assert await browser.identity() == ("guest", "026", True)
        assert (await browser.info()).snapshot
    assert listing(folder) == before


@pytest.mark.parametrize("wal", [False, True])
async def test_version_changes_with_every_commit_and_else_stays(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=wal) as guest:
        async with SQLiteRunBrowser(path) as browser:
            seen = [await browser.version(), await browser.version()]
            assert seen[0] == seen[1]
            for number in range(5):
                guest.run(f"r{number}")
                seen.append(await browser.version())
                await statuses(browser)
                assert await browser.version() == seen[-1]
    assert len(set(seen)) == 6


@pytest.mark.parametrize("wal", [False, True])
async def test_version_and_rows_follow_a_file_replaced_by_rename(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=wal) as guest:
        guest.run("old", "FAILED")
    with Guest(tmp_path / "new.db", wal=wal) as guest:
        guest.run("new", "RUNNING")
    async with SQLiteRunBrowser(path) as browser:
        before = await browser.version()
        assert await statuses(browser) == ["FAILED"]
        (tmp_path / "new.db").replace(path)
        assert await browser.version() != before
        assert await statuses(browser) == ["RUNNING"]


async def test_a_file_that_vanished_says_so_and_may_come_back(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("r")
    async with SQLiteRunBrowser(path) as browser:
        before = await browser.version()
        path.rename(tmp_path / "away.db")
        with pytest.raises(DatabaseUnavailable, match=r"g\.db does not exist"):
            await browser.version()
        with Guest(path) as guest:
            guest.run("r", "FAILED")
        assert await browser.version() != before
        assert await statuses(browser) == ["FAILED"]


async def test_an_in_memory_database_is_shared_and_followed(tmp_path: Path) -> None:
    uri = "file:/browser-test?vfs=memdb"
    writer = sqlite3.connect(uri, uri=True, isolation_level=None)
    writer.execute("CREATE TABLE runs(run_id TEXT PRIMARY KEY, status TEXT)")
    async with SQLiteRunBrowser(uri) as browser:
        before = await browser.version()
        writer.execute("INSERT INTO runs VALUES ('r', 'RUNNING')")
        assert await browser.version() != before
        assert await statuses(browser) == ["RUNNING"]
        assert (await browser.info()).runs == 1
    writer.close()


async def test_a_link_is_followed_to_the_side_files_of_its_target(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "g.db"
    with Guest(path, wal=True) as guest:
        guest.sql("PRAGMA wal_autocheckpoint = 0")
        guest.run("r")
        link = tmp_path / "link.db"
        link.symlink_to(path)
        async with SQLiteRunBrowser(link) as browser:
            assert await statuses(browser) == ["COMPLETED"]


async def test_a_damaged_page_spoils_only_the_queries_that_need_it(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.run("r")
        guest.thread("t-1", ["r"])
        (root,) = guest.sql("SELECT rootpage FROM sqlite_master WHERE name = 'threads'")[0]
        (size,) = guest.sql("PRAGMA page_size")[0]
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * 100)
    async with SQLiteRunBrowser(path) as browser:
        with pytest.raises(DatabaseDamaged):
            await browser.threads()
        assert await statuses(browser) == ["COMPLETED"]
        info = await browser.info()
    assert info.runs == 1
    assert any(warning.startswith("table threads is damaged") for warning in info.warnings)
