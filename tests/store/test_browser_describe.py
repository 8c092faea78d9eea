"""The database as a whole: what it is, what it holds, and what is unusual about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest, listing
from zeroth_store.errors import SchemaError
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.checkup.describe import describe


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db")


def warnings(guest: Guest) -> str:
    return "\n".join(describe(guest.path).warnings)


@pytest.mark.parametrize("era", ERAS)
async def test_everything_is_counted(tmp_path: Path, era: str) -> None:
    with Guest(tmp_path / "g.db", era) as guest:
        guest.run("a", "RUNNING")
        guest.run("b", "FAILED")
        guest.run("c", "FAILED", tenant_id="acme")
        guest.run("d", "FAILED", workspace_id="emea")
        guest.thread("t-1", ["a"])
        guest.thread("thread-state:t-1:c2")
        guest.checkpoint("c1", "a", "{}")
        guest.checkpoint("c2", "b", "gAAAAABtoken")
        info = describe(guest.path)
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.info() == info
            assert await browser.identity() == ("guest", era, False)
    assert (info.kind, info.revision, info.journal_mode) == ("guest", era, "delete")
    assert (info.runs, info.runs_by_status) == (4, (("FAILED", 3), ("RUNNING", 1)))
    assert (info.threads, info.checkpoints, info.checkpoints_encrypted) == (2, 2, 1)
    assert info.scopes == 3
    assert info.warnings == ()


@pytest.mark.parametrize(
    ("starts", "oldest", "newest"),
    [
        (
            ["2026-03-01T12:30:00+02:00", "2026-03-01T10:00:00Z", "2026-03-01T11:00:00+00:00"],
            "2026-03-01T10:00:00Z",
            "2026-03-01T11:00:00+00:00",
        ),
        (
            ["2026-03-01T10:00:04.5+00:00", "2026-03-01T10:00:04+00:00"],
            "2026-03-01T10:00:04+00:00",
            "2026-03-01T10:00:04.5+00:00",
        ),
        (
            ["2026-02-30T00:00:00+00:00", "2026-02-28T00:00:00+00:00", "yesterday", None],
            "2026-02-28T00:00:00+00:00",
            "2026-02-28T00:00:00+00:00",
        ),
        (["never", "", None], None, None),
    ],
)
def test_first_and_last_go_by_instant(
    guest: Guest, starts: list[str | None], oldest: str | None, newest: str | None
) -> None:
    with guest:
        for number, start in enumerate(starts):
            guest.run(f"r{number}", started_at=start)
        info = describe(guest.path)
    assert (info.oldest_run.raw, info.newest_run.raw) == (oldest, newest)


def test_no_runs_are_no_trouble(guest: Guest) -> None:
    with guest:
        info = describe(guest.path)
    assert (info.runs, info.runs_by_status, info.scopes) == (0, (), 0)
    assert info.oldest_run.missing


def test_an_own_database_is_known_by_its_version_table(guest: Guest) -> None:
    with guest:
        guest.sql("CREATE TABLE zeroth_store_version(version_num TEXT)")
        guest.sql("INSERT INTO zeroth_store_version VALUES ('0001')")
        info = describe(guest.path)
    assert (info.kind, info.revision, info.warnings) == ("own", "0001", ())


@pytest.mark.parametrize(
    ("statement", "revision", "warning"),
    [
        ("DROP TABLE alembic_version", None, "there is no table alembic_version"),
        ("DELETE FROM alembic_version", None, "alembic_version holds 0 versions instead of one"),
        (
            "INSERT INTO alembic_version VALUES ('025')",
            None,
            "alembic_version holds 2 versions (025, 026) instead of one",
        ),
        (
            "UPDATE alembic_version SET version_num = '031'",
            "031",
            "schema revision 031 is not one of 001 to 026",
        ),
    ],
)
def test_a_revision_that_is_not_certain_says_so(
    guest: Guest, statement: str, revision: str | None, warning: str
) -> None:
    with guest:
        guest.sql(statement)
        info = describe(guest.path)
    assert info.revision == revision
    assert len(info.warnings) == 1
    assert warning in info.warnings[0]


@pytest.mark.parametrize(
    ("statement", "warning"),
    [
        (
            "CREATE TABLE _alembic_tmp_runs(run_id TEXT)",
            "left _alembic_tmp_runs: make a backup; if runs is whole, drop _alembic_tmp_runs",
        ),
        (
            "CREATE TRIGGER spy AFTER UPDATE ON runs BEGIN DELETE FROM threads; END",
            "trigger spy on runs changes what a write does",
        ),
        ("ALTER TABLE runs DROP COLUMN metadata", "runs lacks the columns metadata"),
        ("DROP TABLE run_checkpoints", "there is no table run_checkpoints"),
        (
            "UPDATE runs SET status = NULL",
            "1 run has a status not known to this version: NULL",
        ),
    ],
)
def test_what_is_unusual_is_said(guest: Guest, statement: str, warning: str) -> None:
    with guest:
        guest.run("r")
        guest.sql(statement)
        assert warning in warnings(guest)


def test_changes_that_are_only_in_the_wal_are_said(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", wal=True) as guest:
        guest.run("r")
        size = (tmp_path / "g.db-wal").stat().st_size
        assert f"{size} bytes of changes are in g.db-wal" in warnings(guest)


def test_describing_a_file_at_rest_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r")
    before = listing(tmp_path)
    assert describe(path).journal_mode == "wal"
    assert listing(tmp_path) == before


def test_what_is_no_run_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    with pytest.raises(SchemaError, match="empty database"):
        describe(tmp_path / "empty.db")


def test_describing_needs_no_event_loop_and_no_models() -> None:
    heavy = "('asyncio', 'pydantic', 'textual', 'aiosqlite', 'sqlalchemy', 'alembic')"
    code = (
        "import sys, zeroth_store.sqlite.checkup.describe;"
        f" print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
