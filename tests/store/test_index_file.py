"""Where the side index lies: never in the way of the database, of its owner or of a second one."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from tests.store.test_index import ALL, browse, guest_in, paged, sorted_by_hand
from zeroth_store.browse import IndexProgress, RunOrder
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.index import file as index_file

STARTED = RunOrder("started")
MANY = 3_000
"""A rowid from which on a table is large enough for an index file."""


def fill(guest: Guest, runs: int = 12) -> None:
    """Add runs, one of them with the rowid of a large table."""
    for number in range(runs):
        guest.run(f"r{number}", started_at=f"2026-03-01T10:00:{number * 7 % 60:02d}+00:00")
    guest.sql("UPDATE runs SET rowid = ? WHERE run_id = 'r3'", MANY)


async def check(browser: SQLiteRunBrowser, path: Path) -> None:
    """Bring the index up to date and compare it with the rows."""
    await browser.keep_index()
    assert await paged(browser, STARTED) == sorted_by_hand(path, STARTED)


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("*.db"))


async def test_the_database_and_its_folder_stay_as_they_are(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
    before = listing(guest.path.parent)
    async with browse(guest.path) as browser:
        await check(browser, guest.path)
    assert listing(guest.path.parent) == before
    assert len(kept(tmp_path)) == 1


async def test_only_the_owner_can_read_the_file_and_it_is_alone(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as browser:
            await check(browser, guest.path)
            (path,) = (tmp_path / "cache").iterdir()
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_few_runs_need_no_file(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("only")
        async with browse(guest.path) as browser:
            await check(browser, guest.path)
            assert await browser.index_progress() == IndexProgress(1, 1, True)
    assert not (tmp_path / "cache").exists()


async def test_a_database_in_memory_has_an_index_too() -> None:
    uri = "file:index-in-memory?mode=memory&cache=shared"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE runs (run_id TEXT PRIMARY KEY, status TEXT)")
        connection.execute("INSERT INTO runs VALUES ('b', 'FAILED'), ('a', 'COMPLETED')")
        async with SQLiteRunBrowser(uri, index_rest=0) as browser:
            await browser.keep_index()
            rows = (await browser.window(ALL, RunOrder("status"), 0, 9)).rows
    assert [row.key.run_id for row in rows] == ["b", "a"]


async def test_the_next_explorer_goes_on_with_the_file(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as browser:
            await check(browser, guest.path)
        # What the file says about this run is wrong, and nothing about the run tells so.
        with closing(sqlite3.connect(kept(tmp_path)[0])) as connection, connection:
            connection.execute("UPDATE kept SET started = -1 WHERE run_id = 'r1'")
        guest.sql("DELETE FROM runs WHERE run_id = 'r2'")
        guest.run("new", started_at="2026-03-01T10:00:01.5+00:00")
        async with browse(guest.path) as browser:
            await browser.keep_index()
            found = await paged(browser, STARTED)
    by_hand = [run_id for run_id in sorted_by_hand(guest.path, STARTED) if run_id != "r1"]
    assert found == [*by_hand, "r1"]


def not_a_database(path: Path) -> None:
    path.write_bytes(b"this is no database" * 500)


def zeroed_inside(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\0" * (len(content) - 4096))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE runs (note TEXT)")
    path.chmod(0o600)


def left_by_a_crash(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE about SET value = 0 WHERE name = 'clean'")
        # No comparison with the database would see this.
        connection.execute("UPDATE kept SET started = -1 WHERE run_id = 'r5'")


def with_a_trigger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON kept BEGIN DELETE FROM kept; END")


def a_link(path: Path) -> None:
    target = path.with_name("target")
    shutil.move(path, target)
    path.symlink_to(target)


def open_to_all(path: Path) -> None:
    path.chmod(0o666)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "spoil",
    [
        not_a_database,
        zeroed_inside,
        cut_short,
        emptied,
        of_another_version,
        of_another_program,
        left_by_a_crash,
        with_a_trigger,
        a_link,
        open_to_all,
        a_folder,
    ],
)
async def test_a_file_that_cannot_be_trusted_is_not(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as browser:
            await check(browser, guest.path)
        spoil(kept(tmp_path)[0])
        guest.run("later")
        async with browse(guest.path) as browser:
            await check(browser, guest.path)


async def test_a_cache_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as browser:
            await check(browser, guest.path)


async def test_two_explorers_at_once_are_both_right(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as first, browse(guest.path) as second:
            await check(first, guest.path)
            await check(second, guest.path)
            guest.run("later")
            await check(second, guest.path)
            await check(first, guest.path)
    assert len(kept(tmp_path)) == 1


async def test_a_file_that_replaces_the_database_gets_an_index_of_its_own(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest)
    other = guest.path.with_name("other.db")
    with Guest(other) as replacement:
        fill(replacement, runs=5)
    async with browse(guest.path) as browser:
        await check(browser, guest.path)
        other.replace(guest.path)
        await check(browser, guest.path)
    assert len(kept(tmp_path)) == 2


async def test_the_files_used_longest_ago_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    for age, name in enumerate(("new", "middle", "old")):
        (folder / f"{name}.db").write_bytes(b"x" * 400_000)
        os.utime(folder / f"{name}.db", (1e9 - age, 1e9 - age))
    monkeypatch.setattr(index_file, "MOST_BYTES", 1_000_000)
    with guest_in(tmp_path) as guest:
        fill(guest)
        async with browse(guest.path) as browser:
            await check(browser, guest.path)
    names = {path.name for path in kept(tmp_path)}
    assert names & {"new.db", "middle.db", "old.db"} == {"new.db", "middle.db"}
    assert len(names) == 3


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8, 13, 21])
async def test_building_may_be_given_up_at_any_point(tmp_path: Path, turns: int) -> None:
    with guest_in(tmp_path) as guest:
        fill(guest, runs=40)
        async with browse(guest.path) as browser:
            keeping = asyncio.create_task(browser.keep_index())
            for _ in range(turns):
                await asyncio.wait((keeping,), timeout=0.001)
            keeping.cancel()
            await asyncio.wait((keeping,))
            guest.run("meanwhile")
            guest.sql("DELETE FROM runs WHERE run_id = 'r7'")
            await check(browser, guest.path)
