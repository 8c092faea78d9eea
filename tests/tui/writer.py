"""Somebody else who writes to the database that the explorer shows."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.tui.harness import Explorer

PATIENCE = 60.0
"""Seconds after which something that should happen at once has not happened."""


class Writer:
    """Commits one change each time, on a connection of its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        names = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        self._others = ", ".join(name for name in names if name != "run_id")

    def add(self, run_id: str, like: str, **cells: object) -> None:
        """Add a run that is like another one but for its id and some cells."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(
            f"INSERT INTO runs (run_id, {self._others})"
            f" SELECT ?, {self._others} FROM runs WHERE run_id = ?",
            (run_id, like),
        )
        if cells:
            self._set(run_id, cells)
        self._connection.execute("COMMIT")

    def change(self, run_id: str, **cells: object) -> None:
        """Change cells of a run."""
        self._set(run_id, cells)

    def remove(self, run_id: str) -> None:
        """Delete a run."""
        self._connection.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))

    def _set(self, run_id: str, cells: dict[str, object]) -> None:
        names = ", ".join(f"{name} = ?" for name in cells)
        sql = f"UPDATE runs SET {names} WHERE run_id = ?"
        self._connection.execute(sql, (*cells.values(), run_id))


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """Connect to a database as another program does."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield Writer(connection)


async def until(explorer: Explorer, condition: Callable[[], bool]) -> None:
    """Wait until something holds on screen, however busy the machine is."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await explorer.pilot.pause(0.02)
    except TimeoutError:
        raise AssertionError(f"it never came. On screen:\n{explorer.text}") from None


async def seen(explorer: Explorer, *words: str) -> None:
    """Wait until all of these words are on screen."""
    await until(explorer, lambda: all(word in explorer.text for word in words))
