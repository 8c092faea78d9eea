"""What a self-check says of the files: the log, who owns what, and how it will be opened."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.test_check import found, to_know, words
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_tui.check import findings, verdict

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


def test_beside_a_writer_it_is_live_and_the_log_is_named(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", wal=True) as guest:
        guest.run("r1")
        size = (tmp_path / "g.db-wal").stat().st_size
        assert size > 1024
        result = findings(check_up(guest.path))
        assert verdict(result) == "fine"
        said = {(f.about, f.words) for f in result}
        assert ("opening", "live: every commit is seen, and no file is made") in said
        assert ("beside it", f"g.db-wal, {size / 1024:.1f} KB") in said


def test_a_log_that_nobody_has_open_is_read_from_a_copy(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", wal=True) as guest:
        guest.sql("PRAGMA wal_autocheckpoint = 0")
        for number in range(20):
            guest.run(f"r{number}")
        (tmp_path / "left").mkdir()
        for name in ("g.db", "g.db-wal"):
            (tmp_path / "left" / name).write_bytes((tmp_path / name).read_bytes())
    left = tmp_path / "left" / "g.db"
    assert words(left, "holds") == "20 runs, 0 threads, 0 checkpoints"
    assert "g.db-shm will be made" in words(left, "opening")


@AS_ROOT
@pytest.mark.parametrize("theirs", ["folder", "both"])
def test_a_folder_of_another_owner_is_a_snapshot_and_is_not_acted_in(
    tmp_path: Path, theirs: str
) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    path = folder / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r1")
    os.chown(folder, 4242, 4242)
    if theirs == "both":
        os.chown(path, 4242, 4242)
    said = to_know(path)
    assert len(said) == 2
    assert said[0].startswith("opening: as a snapshot")
    assert said[1].startswith("acting: not possible: its folder is not yours")
    assert "owner 4242" in words(path, "folder")


def test_an_own_store_that_others_can_read_is_said(own: Path) -> None:
    own.chmod(0o600)
    assert verdict(found(own)) == "fine"
    assert words(own, "acting") == "possible"
    own.chmod(0o640)
    assert to_know(own) == ["file: others than its owner can get at it: chmod 600 it"]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A guest's tables with the version table that makes a database this program's own."""
    path = tmp_path / "own.db"
    with Guest(path) as guest:
        guest.run("r1")
        guest.sql("CREATE TABLE zeroth_store_version(version_num TEXT)")
        guest.sql("INSERT INTO zeroth_store_version VALUES ('0001')")
    return path


def test_a_log_that_is_not_written_back_is_said(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r1")
        with (tmp_path / "g.db-wal").open("r+b") as log:
            log.truncate(65 * 1024 * 1024)  # a hole: it takes no room on the disk
        said = [f.words for f in findings(check_up(path)) if f.level == "know"]
    assert len(said) == 1
    assert "is not being written back" in said[0]


def test_a_uri_is_only_read() -> None:
    uri = "file:/check-test?vfs=memdb"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE runs(run_id TEXT PRIMARY KEY, status TEXT)")
        writer.execute("INSERT INTO runs VALUES ('r', 'RUNNING')")
        checkup = check_up(uri)
    assert checkup.refusal == ""
    assert checkup.place is None
    assert checkup.info is not None
    assert checkup.info.runs == 1
    assert checkup.obstacles == ("it is named by a URI, which is only read",)
