"""What a reader must never do to files that others own or that were left half made."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from zeroth_store.errors import (
    DatabaseDamaged,
    DatabaseReadOnly,
    DatabaseUnavailable,
    SchemaError,
    StoreError,
)
from zeroth_store.sqlite.acting.late_actor import LateActor
from zeroth_store.sqlite.checkup.describe import describe
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_store.sqlite.connection.place import Place, choose_mode, connect, look
from zeroth_store.summaries import NULL_SCOPE, RunKey

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
STRANGER = 4242
KEY = RunKey("default", NULL_SCOPE, "r")


@pytest.mark.parametrize("sides", [("-wal", "-shm"), ("-wal",), ("-journal",)])
def test_what_lies_beside_an_emptied_file_stays(tmp_path: Path, sides: tuple[str, ...]) -> None:
    """SQLite removes the log or journal of a file without a page, opened read-only or not."""
    with Guest(tmp_path / "g.db", wal=True) as guest:
        guest.run("r")
        left = tmp_path / "left"
        left.mkdir()
        (left / "g.db").touch()
        for side in sides:
            (left / f"g.db{side}").write_bytes((tmp_path / "g.db-wal").read_bytes())
    before = listing(left)
    with pytest.raises(SchemaError, match=r"g\.db is an empty database"):
        describe(left / "g.db")
    assert listing(left) == before


def test_a_schema_with_a_name_that_is_no_text_says_so(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        guest.sql("PRAGMA writable_schema = ON")
        guest.sql("UPDATE sqlite_master SET name = CAST(x'ff61' AS TEXT) WHERE name = 'threads'")
    with pytest.raises(DatabaseDamaged, match="its schema holds a name that is no text"):
        describe(path)


def test_a_connection_is_what_it_is_promised_to_be(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", wal=True) as guest:
        guest.run("r", error=b"\xff\xfe", metadata="m")
        guest.sql("UPDATE runs SET error = CAST(error AS TEXT)")
        connection = connect(Place(str(guest.path), "g.db", guest.path), "live")
        try:
            found = {
                name: connection.execute(f"PRAGMA {name}").fetchall()[0][0]
                for name in ("query_only", "trusted_schema", "cell_size_check", "mmap_size")
            }
            assert found == {
                "query_only": 1,
                "trusted_schema": 0,
                "cell_size_check": 1,
                "mmap_size": 0,
            }
            assert connection.isolation_level is None
            if sys.version_info >= (3, 12):
                assert connection.getconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
            text = connection.execute("SELECT error FROM runs").fetchall()[0][0]
            assert text == "\udcff\udcfe"
            with pytest.raises(Exception, match="too big"):
                connection.execute("SELECT length(zeroblob(64 * 1024 * 1024 + 1))").fetchall()
            assert not connection.in_transaction
        finally:
            connection.close()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_stranger(work: Callable[[], object]) -> bool:
    """Do something in a process of another user; returns whether it came out true."""
    child = os.fork()
    if child == 0:
        try:
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@AS_ROOT
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(
    ("file_owner", "folder_owner", "mode"),
    [
        (STRANGER, STRANGER, "quiet"),
        (0, STRANGER, "snapshot"),
        (STRANGER, 0, "snapshot"),
        (0, 0, "snapshot"),
    ],
)
def test_side_files_are_only_made_where_they_lock_nobody_out(
    open_folder: Path, file_owner: int, folder_owner: int, mode: str
) -> None:
    path = open_folder / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
    path.chmod(0o644)
    os.chown(path, file_owner, file_owner)
    os.chown(open_folder, folder_owner, folder_owner)
    before = listing(open_folder)
    assert as_stranger(lambda: choose_mode(path, look(path)) == mode)
    assert as_stranger(lambda: describe(path).runs == 1)
    assert as_stranger(lambda: check_up(path).refusal == "")
    assert listing(open_folder) == before


@AS_ROOT
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_file_that_one_may_not_read_says_so(open_folder: Path) -> None:
    path = open_folder / "g.db"
    with Guest(path) as guest:
        guest.run("r")
    path.chmod(0o600)

    def refused() -> bool:
        try:
            describe(path)
        except DatabaseUnavailable as error:
            return str(error) == "g.db cannot be opened: Permission denied"
        return False

    assert as_stranger(refused)
    assert as_stranger(lambda: check_up(path).refusal.endswith("Permission denied"))


@AS_ROOT
async def test_nobody_acts_in_a_folder_of_another_owner(own_path: Path) -> None:
    os.chown(own_path.parent, STRANGER, STRANGER)
    before = listing(own_path.parent)
    async with LateActor(own_path) as actor:
        with pytest.raises(DatabaseReadOnly, match="a folder that is not yours"):
            await actor.standing(KEY)
    assert listing(own_path.parent) == before


async def test_acting_on_a_file_that_vanished_makes_no_new_one(own_path: Path) -> None:
    await asyncio.to_thread(own_path.unlink)
    async with LateActor(own_path) as actor:
        with pytest.raises(StoreError, match=r"own\.db does not exist"):
            await actor.standing(KEY)
    assert listing(own_path.parent) == {}
