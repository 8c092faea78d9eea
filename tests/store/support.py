"""What the store's tests share: a clock that stands still, counted ids, and an independent eye."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, ThreadRepository

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
PYTHON = sys.executable

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
START_COLUMN = "2026-03-01T12:00:00+00:00"
START_JSON = "2026-03-01T12:00:00Z"
"""START as ZEROTH.md spells it in a column and inside JSON."""

TABLES = ("runs", "threads", "run_checkpoints")


def at(seconds: float) -> datetime:
    """The moment so many seconds after START."""
    return START + timedelta(seconds=seconds)


@dataclass
class Clock:
    """Stands still until a test moves it."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Ids:
    """Counts: `c1`, `c2`, ..."""

    prefix: str
    given: int = 0

    def __call__(self) -> str:
        self.given += 1
        return f"{self.prefix}{self.given}"


class Query(Protocol):
    """Runs plain SQL on a connection of its own: no code of the store is involved."""

    def __call__(self, sql: str, parameters: Iterable[Any] = ()) -> list[tuple[Any, ...]]: ...


@dataclass
class OpenStore:
    """A fresh, initialized store, its clock, and SQL to look behind its back."""

    runs: RunRepository
    threads: ThreadRepository
    query: Query
    database: AsyncSQLiteDatabase
    clock: Clock = field(default_factory=Clock)

    def cell(self, table: str, column: str, **key: str) -> Any:
        """The one stored value that the key names."""
        where = " AND ".join(f"{name} = ?" for name in key)
        rows = self.query(f"SELECT {column} FROM {table} WHERE {where}", key.values())
        assert len(rows) == 1, f"{len(rows)} rows of {table} with {key}"
        return rows[0][0]

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything in the three tables."""
        return {table: self.query(f"SELECT * FROM {table} ORDER BY rowid") for table in TABLES}


class StoreFactory(Protocol):
    """How a database plugs into the contract suite: it opens a fresh store, and closes it.

    `template` is an initialized SQLite file that may be copied, `folder` an empty folder to use.
    """

    def __call__(self, template: Path, folder: Path) -> AbstractAsyncContextManager[OpenStore]: ...


@dataclass
class PlainSQL:
    """Query for SQLite: one short connection a statement, committed."""

    location: str

    def __call__(self, sql: str, parameters: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        uri = self.location.startswith("file:")
        with closing(sqlite3.connect(self.location, uri=uri, isolation_level=None)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            return connection.execute(sql, tuple(parameters)).fetchall()


def a_run(run_id: str = "r1", **values: Any) -> Run:
    """A run whose every value is known."""
    fixed: dict[str, Any] = {"graph_id": "g", "started_at": START, "updated_at": START}
    return Run(run_id=run_id, **{**fixed, **values})
