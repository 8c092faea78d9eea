"""Databases for processes in a terminal: a small one of each kind, and one that takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tests.store.guests import Guest
from tests.tui import sample

MANY = 120_000
"""Runs that a machine of today indexes in some seconds."""


def small(folder: Path) -> Path:
    """Make an own database of eight runs."""
    folder.mkdir()
    path = folder / "runs.db"
    asyncio.run(sample.build(path))
    return path


def rollback(folder: Path) -> Path:
    """Make a guest of one run that a writer can lock for readers too."""
    folder.mkdir()
    path = folder / "runs.db"
    with Guest(path) as guest:
        guest.run("run-1", "PENDING")
    return path


def many(folder: Path) -> Path:
    """Make a guest of so many runs that indexing and searching them takes seconds."""
    folder.mkdir()
    path = folder / "runs.db"
    with Guest(path) as guest:
        guest.sql(
            "INSERT INTO runs(run_id, tenant_id, workspace_scope, status, thread_id, started_at,"
            " updated_at, final_output) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
            " SELECT i + 1 FROM n WHERE i < ?) SELECT 'run-' || i, 'default', 'null', 'COMPLETED',"
            " 't-' || (i / 10), '2026-03-01T10:00:00+00:00', '2026-03-01T10:00:09+00:00',"
            " '{\"answer\": \"' || i || '\"}' FROM n",
            MANY,
        )
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {"small": small, "rollback": rollback, "many": many}
"""Name of a database -> what makes it in a new folder."""


def listing(folder: Path) -> dict[str, int]:
    """Return the files of a folder and of those in it, with their sizes."""
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
