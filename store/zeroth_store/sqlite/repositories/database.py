"""A kept SQLite connection for writing: one transaction at a time, safe against cancellation."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import aiosqlite

from zeroth_store.errors import DatabaseUnavailable
from zeroth_store.sqlite.connection.faults import translated
from zeroth_store.sqlite.decoding.cells import ANY_TEXT

MEMORY = ":memory:"

Row = dict[str, Any]
"""A row by column name."""


class Session:
    """SQL on a connection whose lock the caller holds."""

    def __init__(self, connection: aiosqlite.Connection, name: str) -> None:
        self._connection = connection
        self._name = name

    async def execute(self, sql: str, parameters: Iterable[Any] | dict[str, Any] = ()) -> int:
        """Run one statement; returns the number of rows it changed."""
        with translated(self._name):
            async with self._connection.execute(sql, parameters) as cursor:
                return cursor.rowcount

    async def fetch_one(
        self, sql: str, parameters: Iterable[Any] | dict[str, Any] = ()
    ) -> Row | None:
        """Return the first row, or None."""
        rows = await self.fetch_all(sql, parameters)
        return rows[0] if rows else None

    async def fetch_all(
        self, sql: str, parameters: Iterable[Any] | dict[str, Any] = ()
    ) -> list[Row]:
        """Return all rows."""
        with translated(self._name):
            rows = await self._connection.execute_fetchall(sql, parameters)
        return [dict(row) for row in rows]


class AsyncSQLiteDatabase:
    """An SQLite database for the repositories, in a file or `:memory:`.

    The parent folder and the file are made when missing, readable by their owner alone. An
    in-memory database lives as long as its connection, and other connections of this process
    reach it through `location`.
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = 5.0) -> None:
        """Describe the database; nothing is opened until `connect`.

        `busy_timeout` is how many seconds a write waits for another process's lock.
        """
        self.path: Path | None = None if str(path) == MEMORY else Path(path).absolute()
        self.name = MEMORY if self.path is None else self.path.name
        self.location = (
            f"file:/zeroth-{uuid4().hex}?vfs=memdb" if self.path is None else str(self.path)
        )
        """What `sqlite3.connect(..., uri=True)` takes to reach the same database."""
        self._busy_timeout = busy_timeout
        self._connection: aiosqlite.Connection | None = None
        self._lock = asyncio.Lock()

    async def connect(self) -> None:
        """Open the database; doing it twice is harmless. Raises DatabaseUnavailable."""
        async with self._lock:
            if self._connection is None:
                self._connection = await self._open()

    async def _open(self) -> aiosqlite.Connection:
        if self.path is not None:
            _make_private_file(self.path)
        connection = aiosqlite.connect(
            self.location,
            uri=self.path is None,
            timeout=self._busy_timeout,
            isolation_level=None,
        )
        # A program that forgets to close must still be able to end.
        connection._thread.daemon = True
        try:
            with translated(self.name):
                # One that is opened after its await was cancelled would never be closed.
                await _to_the_end(connection)
                connection.row_factory = sqlite3.Row
                connection.text_factory = ANY_TEXT
                for pragma in ("trusted_schema=OFF", "secure_delete=ON", "synchronous=NORMAL"):
                    await connection.execute_fetchall(f"PRAGMA {pragma}")
        except BaseException:
            await _to_the_end(connection.close())
            raise
        return connection

    async def close(self) -> None:
        """Close the connection; doing it twice is harmless."""
        async with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                await connection.close()

    async def __aenter__(self) -> Self:
        """Connect."""
        await self.connect()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        await self.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """Hold the write lock (`BEGIN IMMEDIATE`), commit at the end, roll back on any exception.

        Raises DatabaseBusy when another process keeps the lock, DatabaseReadOnly, DatabaseFull or
        another DatabaseError; the database is then as it was before. A cancelled task leaves no
        transaction open.
        """
        async with self._lock:
            connection = self._opened()
            try:
                with translated(self.name):
                    await connection.execute_fetchall("BEGIN IMMEDIATE")
                yield Session(connection, self.name)
                with translated(self.name):
                    await connection.commit()
            except BaseException:
                # Statements queue up in order, so this also undoes one whose await was cancelled.
                # Where SQLite has rolled back by itself already, there is nothing left to undo.
                with suppress(sqlite3.Error):
                    await _to_the_end(connection.rollback())
                raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Session]:
        """Give single reads, each in its own implicit transaction."""
        async with self._lock:
            yield Session(self._opened(), self.name)

    def _opened(self) -> aiosqlite.Connection:
        if self._connection is None:
            raise DatabaseUnavailable(f"{self.name} is not connected: call `await connect()` first")
        return self._connection


async def _to_the_end(work: Awaitable[object]) -> None:
    """Await `work` even while the awaiting task is being cancelled; then let the cancel through."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()


def _make_private_file(path: Path) -> None:
    """Make the file and its parent folder when missing, for their owner alone.

    A file that is there is not opened: closing it again would drop the locks that all connections
    of this process hold on it, and another process could remove the log that they write to.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with suppress(FileExistsError):
            os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        reason = error.strerror or str(error)
        raise DatabaseUnavailable(f"{path} cannot be opened: {reason}") from error
