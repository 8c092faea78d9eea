"""Upgrades leave no file and no thread open, also those that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.store.later_version import filled, later_version
from tests.store.processes import said_by
from tests.store.support import PlainSQL
from tests.store.upgrade_forks import OPEN_FILES
from zeroth_store import schema

ONE_OF_AN_ID: Final = """
    op.execute("CREATE UNIQUE INDEX ux_runs_id ON runs (run_id)")
"""
"""Fails where two scopes have a run of the same id."""
TIMES: Final = 20


@pytest.mark.thorough
@pytest.mark.skipif(not OPEN_FILES.exists(), reason="only Linux lists a process's open files")
def test_nothing_is_open_after_upgrades_that_succeed_or_fail(tmp_path: Path) -> None:
    later = later_version(tmp_path / "later", ONE_OF_AN_ID)
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("good", "bad"):
        filled(folder / name, schema.REVISIONS[0])
        PlainSQL(str(folder / name))("PRAGMA journal_mode = DELETE")
    PlainSQL(str(folder / "bad"))("UPDATE runs SET run_id = 'r0' WHERE run_id = 'r1'")
    said = said_by("tests.store.upgrade_forks", "left", folder, TIMES, version=later)
    before, *verdicts, after = (" ".join(words) for words in said)
    assert [verdict == "upgraded" for verdict in verdicts] == [True, False] * (TIMES // 2)
    assert all("UNIQUE constraint failed" in verdict for verdict in verdicts[1::2])
    assert after == before
