"""Connections that fail at a chosen call, and files that cannot grow: what a disk does at worst."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Self

import pytest

FAULTS: Final = {
    "BUSY": (sqlite3.SQLITE_BUSY, "database is locked"),
    "FULL": (sqlite3.SQLITE_FULL, "database or disk is full"),
    "IOERR": (sqlite3.SQLITE_IOERR, "disk I/O error"),
}

_UNDOING: Final = ("FULL", "IOERR")
"""What makes SQLite roll back by itself, most of the time."""


@dataclass
class Plan:
    """Which call fails and how; call 0 is none, so that the calls are only counted."""

    fault: str = "IOERR"
    call: int = 0
    lasting: bool = False
    """Whether all calls from then on fail, too."""
    calls: int = 0

    @contextmanager
    def at(self, call: int, *, lasting: bool) -> Iterator[None]:
        """Fail at a call from here on, counted from 1, or at it and all that come after it."""
        self.calls, self.call, self.lasting = 0, call, lasting
        try:
            yield
        finally:
            self.call = 0

    def reached(self, connection: sqlite3.Connection | None, sql: str = "") -> None:
        """Count a call of the driver, and raise where it is the one that fails."""
        self.calls += 1
        if not self.call or self.calls < self.call or (self.calls > self.call and not self.lasting):
            return
        if connection is not None and (self.fault in _UNDOING or sql.startswith("ROLLBACK")):
            # A rollback that fails has ended the transaction nevertheless.
            with suppress(sqlite3.Error):
                sqlite3.Connection.rollback(connection)
        code, words = FAULTS[self.fault]
        error = sqlite3.OperationalError(words)
        error.sqlite_errorcode = code
        raise error


@contextmanager
def failing(plan: Plan) -> Iterator[Plan]:
    """Let every connection that is opened inside follow `plan`."""
    connect = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
        plan.reached(None)
        named["factory"] = _faulty(named.get("factory", sqlite3.Connection), plan)
        opened: sqlite3.Connection = connect(*arguments, **named)
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connected)
        yield plan


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: SQLite takes it for a disk's error."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def _faulty(base: type[sqlite3.Connection], plan: Plan) -> type[sqlite3.Connection]:
    """Return a kind of connection whose statements, fetches, commits and rollbacks may fail."""

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *parameters: Any) -> Self:
            plan.reached(self.connection, sql)
            return super().execute(sql, *parameters)

        # A statement that fails while it is read is over: it must not be left half read.
        def fetchall(self) -> list[Any]:
            rows = super().fetchall()
            plan.reached(self.connection)
            return rows

        def fetchone(self) -> Any:
            row = super().fetchone()
            try:
                plan.reached(self.connection)
            except sqlite3.Error:
                super().fetchall()
                raise
            return row

    class Connection(base):  # type: ignore[valid-type, misc]
        def cursor(self, factory: Callable[..., sqlite3.Cursor] = Cursor) -> sqlite3.Cursor:
            made: sqlite3.Cursor = super().cursor(factory)
            return made

        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            return self.cursor().execute(sql, *parameters)

        def commit(self) -> None:
            plan.reached(self, "COMMIT")
            super().commit()

        def rollback(self) -> None:
            plan.reached(self, "ROLLBACK")
            super().rollback()

    return Connection
