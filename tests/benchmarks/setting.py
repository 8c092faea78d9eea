"""What a group of rows measures with: the programs, a database and how often."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, RunStatus

PYTHON = Path(sys.executable)
ZEROTH_TUI = PYTHON.with_name("zeroth-tui")
MINIMAL_APP = Path(__file__).with_name("minimal_app.py")
MINIMAL_TEXT = "a minimal app"
"""What the minimal app shows once it is painted."""

STARTED = "2026-01-01T09:00:00+00:00"
UPDATED = "2026-01-01T09:00:04+00:00"


@dataclass(frozen=True)
class Setting:
    """Passed to every group of rows."""

    home: Path
    """A new folder, also the home folder of the programs."""
    database: Path
    marker: str
    """Text that the explorer's first screen shows once its rows are there."""
    rounds: int


def small_database(path: Path, thread_id: str) -> None:
    """Make an own database of a few runs, completed so long ago that no age on screen ticks."""
    asyncio.run(_fill(path, thread_id))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE runs SET started_at = ?, updated_at = ?", (STARTED, UPDATED))
        connection.execute("UPDATE threads SET created_at = ?, updated_at = ?", (STARTED, UPDATED))


async def _fill(path: Path, thread_id: str) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for number in range(5):
            await repository.create(
                Run(
                    graph_version_ref="bench@1",
                    thread_id=thread_id,
                    status=RunStatus.COMPLETED,
                    final_output={"number": number},
                )
            )
