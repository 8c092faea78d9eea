"""Rebuilding a table in an upgrade keeps the rows of tables that would be deleted with its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.reliability.upgrades import contents, version_of
from tests.store.later_version import LATER, REBUILDS, filled, later_version
from tests.store.processes import said_by
from tests.store.support import PlainSQL
from zeroth_store import schema

NOTES: Final = """CREATE TABLE notes (
    note TEXT, tenant_id TEXT, workspace_scope TEXT, run_id TEXT,
    FOREIGN KEY (tenant_id, workspace_scope, run_id)
        REFERENCES runs (tenant_id, workspace_scope, run_id) ON DELETE CASCADE
)"""
"""A child of runs, of some later version."""


@pytest.mark.thorough
def test_children_outlive_the_rebuilding_of_their_parents(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    filled(path, schema.HEAD)
    query = PlainSQL(str(path))
    query(NOTES)
    query(
        "INSERT INTO notes SELECT 'of ' || run_id, tenant_id, workspace_scope, run_id FROM runs"
        " WHERE status <> 'PENDING'"
    )
    notes = query("SELECT note, tenant_id, workspace_scope, run_id FROM notes ORDER BY note")
    assert len(notes) == 300  # three of four of the 400 runs
    before = contents(path)
    later = later_version(tmp_path / "later", REBUILDS)
    said = said_by("tests.store.upgrade_forks", "keys", path, 1, version=later)
    assert said == [["upgraded"]]
    assert version_of(path) == LATER
    assert query("SELECT * FROM notes ORDER BY note") == notes
    assert {row[2] for row in query("PRAGMA foreign_key_list(notes)")} == {"runs"}
    assert query("PRAGMA foreign_key_check") == []
    assert {table: len(rows) for table, rows in contents(path).items()} == {
        table: len(rows) for table, rows in before.items()
    }
