"""Many processes that upgrade one old database at once: all succeed, and it is done once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.reliability.upgrades import contents, version_of
from tests.store.later_version import LATER, REBUILDS, filled, later_version
from tests.store.processes import said_by
from tests.store.support import PlainSQL
from zeroth_store import schema

PROCESSES: Final = 8
COUNTS: Final = """
    op.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
    op.execute("INSERT INTO migrations DEFAULT VALUES")
"""
"""Can be done again, unlike REBUILDS, and then leaves a second row."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("journal", "body"),
    [("delete", COUNTS), ("wal", COUNTS + REBUILDS)],
    ids=["before it is in WAL mode", "with a table rebuilt"],
)
def test_one_of_many_upgrades_and_all_go_on(tmp_path: Path, journal: str, body: str) -> None:
    later = later_version(tmp_path / "later", body)
    path = tmp_path / "own.db"
    filled(path, schema.REVISIONS[0])
    query = PlainSQL(str(path))
    assert query(f"PRAGMA journal_mode = {journal}") == [(journal,)]
    before = contents(path)
    said = said_by("tests.store.upgrade_forks", "race", path, PROCESSES, version=later)
    assert [verdict for _, *verdict in said] == [["upgraded"]] * PROCESSES
    # Otherwise they came one after the other, and this has shown nothing.
    assert Counter(version for version, *_ in said)[schema.REVISIONS[0]] > 1
    assert version_of(path) == LATER
    assert query("SELECT count(*) FROM migrations") == [(1,)]
    after = contents(path)
    for row in after["runs"]:
        assert row.pop("added", "new") == "new"
    assert {table: sorted(rows, key=str) for table, rows in after.items()} == before
    assert (query("PRAGMA integrity_check"), query("PRAGMA journal_mode")) == (
        [("ok",)],
        [("wal",)],
    )
