"""Which databases are ours and current, which must not be touched, and what ours look like."""

from __future__ import annotations

import ast
import asyncio
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.support import SHARED, TABLES, PlainSQL
from zeroth_store import (
    AsyncSQLiteDatabase,
    DatabaseBusy,
    ForeignDatabase,
    RunRepository,
    SchemaBroken,
    SchemaError,
    SchemaTooNew,
    ThreadRepository,
    schema,
)

GUEST = SHARED / "data" / "zeroth" / "rev026-main.db"

OWN = {"runs", "threads", "run_checkpoints", "zeroth_store_version"}
HEAD = [schema.HEAD]


def test_revisions_are_the_scripts_in_order() -> None:
    """HEAD saves the import of Alembic only while it names the newest script."""
    parents: dict[str | None, str] = {}
    for script in (schema.scripts() / "versions").glob("*.py"):
        values = {
            target.id: ast.literal_eval(statement.value)
            for statement in ast.parse(script.read_text()).body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name) and target.id in {"revision", "down_revision"}
        }
        assert values["down_revision"] not in parents, "two scripts follow the same one"
        parents[values["down_revision"]] = values["revision"]
    chain: list[str] = []
    while (parent := chain[-1] if chain else None) in parents:
        chain.append(parents[parent])
    assert tuple(chain) == schema.REVISIONS
    assert len(parents) == len(chain)
    assert chain[-1] == schema.HEAD


def test_an_empty_database_is_behind_and_an_own_one_is_current() -> None:
    assert schema.is_current([], [], "x.db") is False
    assert schema.is_current(OWN, HEAD, "x.db") is True
    assert schema.is_current({"sqlite_sequence"}, [], "x.db") is False


@pytest.mark.parametrize(
    ("tables", "versions", "error", "words"),
    [
        ({"runs", "alembic_version"}, [], ForeignDatabase, "belongs to another program"),
        ({"photos"}, [], ForeignDatabase, "it has tables photos"),
        (OWN, ["9999"], SchemaTooNew, "made by a newer zeroth-tui"),
        (OWN, [], SchemaBroken, "holds 0 versions instead of one"),
        (OWN, ["0001", "0002"], SchemaBroken, "holds 2 versions instead of one"),
        (OWN | {"_alembic_tmp_runs"}, HEAD, SchemaBroken, "_alembic_tmp_runs: a migration was"),
        ({"_alembic_tmp_runs"}, [], SchemaBroken, "a migration was interrupted"),
    ],
)
def test_what_must_not_be_upgraded_is_refused_with_a_sentence(
    tables: set[str], versions: list[str], error: type[SchemaError], words: str
) -> None:
    with pytest.raises(error, match=f"^x.db .*{words}|^x.db: .*{words}"):
        schema.is_current(tables, versions, "x.db")


CHANGES = {
    "a newer schema": ("UPDATE zeroth_store_version SET version_num = '9999'", SchemaTooNew),
    "two versions": ("INSERT INTO zeroth_store_version VALUES ('0002')", SchemaBroken),
    "no version": ("DELETE FROM zeroth_store_version", SchemaBroken),
    "a leftover": ("CREATE TABLE _alembic_tmp_runs (run_id TEXT)", SchemaBroken),
}


def refused(path: Path, error: type[SchemaError], sentence: str) -> None:
    """Check that no way of initializing changes the file, and what each says."""

    async def initialize() -> None:
        async with AsyncSQLiteDatabase(path) as database:
            for repository in (RunRepository(database), ThreadRepository(database)):
                with pytest.raises(error, match=sentence):
                    await repository.initialize()

    before = path.read_bytes()
    asyncio.run(initialize())
    with pytest.raises(error, match=sentence):
        schema.upgrade(str(path), path.name)
    assert path.read_bytes() == before


@pytest.mark.parametrize("change", CHANGES)
def test_initialize_leaves_such_a_database_as_it_was(own_path: Path, change: str) -> None:
    sql, error = CHANGES[change]
    PlainSQL(str(own_path))(sql)
    refused(own_path, error, "own")


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, journal: str) -> None:
    path = tmp_path / "photos.db"
    query = PlainSQL(str(path))
    query(f"PRAGMA journal_mode = {journal}")
    query("CREATE TABLE photos (name TEXT)")
    refused(path, ForeignDatabase, r"photos\.db belongs to another program")


def test_a_guest_is_never_migrated(tmp_path: Path) -> None:
    if not GUEST.is_file():
        pytest.skip("the sample databases are not at hand")
    path = Path(shutil.copy(GUEST, tmp_path / "guest.db"))
    path.chmod(0o600)
    refused(path, ForeignDatabase, "its schema is never changed here")


def test_own_tables_have_the_columns_of_zeroths_newest_schema(own_path: Path) -> None:
    if not GUEST.is_file():
        pytest.skip("the sample databases are not at hand")

    def columns(path: Path, table: str) -> set[str]:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}

    for table in TABLES:
        assert columns(own_path, table) == columns(GUEST, table), table


def test_ids_are_unique_within_a_scope_and_the_scope_is_the_workspaces(
    own_path: Path,
) -> None:
    query = PlainSQL(str(own_path))
    insert = (
        "INSERT INTO threads (thread_id, graph_version_ref, deployment_ref, status, created_at,"
        " updated_at, tenant_id, workspace_id, workspace_scope)"
        " VALUES ('th', 'g', 'g', 'active', '', '', ?, ?, ?)"
    )
    query(insert, ("a", None, "null"))
    query(insert, ("a", "w", "value:w"))
    for again in (("a", None, "null"), ("a", "w", "value:w")):
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            query(insert, again)
    for wrong in (("b", None, "value:w"), ("b", "w", "null"), ("b", "w", "value:v")):
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            query(insert, wrong)


def test_an_upgrade_that_must_wait_says_so_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    for mode in ("delete", "wal"):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(f"PRAGMA journal_mode = {mode}")
            other.execute("BEGIN IMMEDIATE")
            before = path.read_bytes()
            with pytest.raises(DatabaseBusy, match=re.escape("own.db is busy")):
                schema.upgrade(str(path), "own.db", patience=0.1)
            assert path.read_bytes() == before
            other.execute("ROLLBACK")
    schema.upgrade(str(path), "own.db", patience=0.1)
    assert PlainSQL(str(path))("SELECT version_num FROM zeroth_store_version") == [(schema.HEAD,)]
