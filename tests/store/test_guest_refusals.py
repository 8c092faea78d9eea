"""What an actor leaves alone on a guest, and how it says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.acting import (
    KEY,
    act,
    actor_on,
    changes,
    everything,
    planned,
    written_as_shown,
)
from tests.store.guests import Guest, listing
from tests.store.support import START
from zeroth_store.acting import offers
from zeroth_store.actions import Write
from zeroth_store.browse import RunKey
from zeroth_store.errors import DatabaseBusy, DatabaseReadOnly, DatabaseUnavailable, SchemaError
from zeroth_store.sqlite.acting.guest_actor import GuestActor

pytestmark = pytest.mark.thorough


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db", wal=True) as made:
        yield made


@pytest.mark.parametrize("run_id", [b"r1", None])
async def test_a_run_whose_id_is_no_text_allows_nothing(guest: Guest, run_id: object) -> None:
    guest.run(run_id, "RUNNING")
    standing = await actor_on(guest.path).standing(RunKey("default", "null", "rowid:1"))
    assert standing is not None
    assert not standing.named
    assert [offer for offer in offers(standing, START) if offer.allowed] == []


async def test_a_run_that_is_really_called_by_a_row_number_is_not_confused(guest: Guest) -> None:
    guest.run(b"blob", "RUNNING")
    guest.run("rowid:1", "RUNNING")
    actor = actor_on(guest.path)
    write = await planned(actor, "pause", START, RunKey("default", "null", "rowid:1"))
    await written_as_shown(actor, write, guest.path)
    assert guest.sql("SELECT run_id FROM runs WHERE status <> 'RUNNING'") == [("rowid:1",)]


@pytest.mark.parametrize("table", ["runs", "threads", "run_checkpoints"])
async def test_triggers_are_named(guest: Guest, table: str) -> None:
    guest.run("r1", "RUNNING")
    guest.sql(f"CREATE TRIGGER sly AFTER UPDATE ON {table} BEGIN SELECT 1; END")
    guest.sql("CREATE TRIGGER other AFTER UPDATE ON approvals BEGIN SELECT 1; END")
    standing = await actor_on(guest.path).standing(KEY)
    assert standing is not None
    assert standing.triggers == ("sly",)


async def test_an_actor_that_may_not_write_does_not(guest: Guest) -> None:
    guest.run("r1", "RUNNING")
    write = await planned(actor_on(guest.path), "cancel", START)
    before = everything(guest.path)
    reader = actor_on(guest.path, may_write=False)
    standing = await reader.standing(KEY)
    assert standing is not None
    assert "--allow-writes" in offers(standing, START)[0].refusal
    outcome = await reader.write(write)
    assert not outcome.written
    assert "--allow-writes" in outcome.problem
    assert everything(guest.path) == before


async def test_a_lock_that_is_kept_is_an_error_and_nothing_is_written(guest: Guest) -> None:
    guest.run("r1", "RUNNING")
    before = everything(guest.path)

    def keep() -> None:
        guest.sql("BEGIN IMMEDIATE")

    with pytest.raises(DatabaseBusy, match="nothing changed"):
        await act(guest.path, "cancel", keep, patience=0.05)
    guest.sql("ROLLBACK")
    assert everything(guest.path) == before


async def test_a_run_that_is_gone_has_no_standing(guest: Guest) -> None:
    assert await actor_on(guest.path).standing(KEY) is None


async def test_a_file_that_is_missing_is_not_made(tmp_path: Path) -> None:
    write = Write(act="pause", key=KEY, seen="RUNNING", columns={"status": "WAITING_INTERRUPT"})
    with pytest.raises(DatabaseUnavailable):
        await actor_on(tmp_path / "none.db").write(write)
    assert listing(tmp_path) == {}


async def test_what_is_no_run_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE notes(text)")
        connection.execute("INSERT INTO notes VALUES ('mine')")
    before, files = everything(path), listing(tmp_path)
    write = Write(act="pause", key=KEY, seen="RUNNING", columns={"status": "WAITING_INTERRUPT"})
    with pytest.raises(SchemaError, match="notes"):
        await actor_on(path).write(write)
    assert (everything(path), listing(tmp_path)) == (before, files)


async def test_a_database_that_is_no_file_is_only_read() -> None:
    write = Write(act="pause", key=KEY, seen="RUNNING", columns={"status": "WAITING_INTERRUPT"})
    with pytest.raises(DatabaseReadOnly):
        await GuestActor("file:/shared?vfs=memdb").write(write)


async def test_a_write_with_columns_that_are_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE runs(run_id TEXT, status TEXT)")
        connection.execute("INSERT INTO runs VALUES ('r1', 'FAILED')")
    before = everything(path)
    outcome = await act(path, "replay")
    assert (outcome.written, outcome.stored) == (False, "FAILED")
    assert "error, failure_state, failure_count, lease_worker_id" in outcome.problem
    assert everything(path) == before


async def test_two_rows_of_one_id_are_not_both_changed(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE runs(run_id TEXT, status TEXT)")
        connection.execute("INSERT INTO runs VALUES ('r1', 'RUNNING'), ('r1', 'RUNNING')")
    before = everything(path)
    outcome = await act(path, "pause")
    assert not outcome.written
    assert "2 rows have this id" in outcome.problem
    assert changes(before, everything(path)) == {}
