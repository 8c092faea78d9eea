"""The side index in a thread of its own, where it is opened, read, written and closed."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from zeroth_store.errors import DatabaseUnavailable
from zeroth_store.sqlite.connection.faults import translate
from zeroth_store.sqlite.index.file import IndexConnection, close_index, open_index

P = ParamSpec("P")
T = TypeVar("T")

_CLOSE_SECONDS: Final = 2.0
_STEPS: Final = 20_000
_BROKEN: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)
"""The errors for which the file is to blame and not the statement."""


class IndexLost(Exception):
    """The index broke, or cannot be made; it is empty when it is used again."""


class IndexThread:
    """Runs functions on the index, one after the other, each in one transaction.

    One that fails, or whose caller no longer waits, leaves the index as it was before.
    """

    def __init__(self) -> None:
        self._connection: IndexConnection | None = None
        self._closed = threading.Event()
        self._thread: ThreadPoolExecutor | None = None

    async def open(self, path: Path | None) -> None:
        """Use the index in this file, or a temporary one, from now on."""
        await self._submit(lambda: self._reopen(path))

    async def run(
        self,
        work: Callable[Concatenate[IndexConnection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return `work(connection, *args, **kwargs)`, run in the index's thread."""
        given_up = threading.Event()

        def job() -> T:
            return self._job(lambda connection: work(connection, *args, **kwargs), given_up.is_set)

        try:
            return await self._submit(job)
        finally:
            given_up.set()

    async def close(self) -> None:
        """Stop what runs, close the index and end the thread; may be called again."""
        self._closed.set()
        if self._thread is None:
            return
        thread, self._thread = self._thread, None
        closing = asyncio.wrap_future(thread.submit(self._close))
        thread.shutdown(wait=False)
        await asyncio.wait((closing,), timeout=_CLOSE_SECONDS)

    async def _submit(self, job: Callable[[], T]) -> T:
        if self._closed.is_set():
            raise DatabaseUnavailable("the side index is closed")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="zeroth-index")
        return await asyncio.wrap_future(self._thread.submit(job))

    def _reopen(self, path: Path | None) -> None:
        self._close()
        try:
            self._connection = open_index(path)
        except sqlite3.Error as error:
            raise IndexLost(str(error)) from error

    def _job(self, work: Callable[[IndexConnection], T], given_up: Callable[[], bool]) -> T:
        connection = self._connection
        if connection is None:
            raise IndexLost("there is no index")
        connection.set_progress_handler(lambda: given_up() or self._closed.is_set(), _STEPS)
        try:
            with _whole(connection):
                return work(connection)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _BROKEN:
                raise translate(error, "the side index") from error
            self._drop()
            raise IndexLost(str(error)) from error

    def _drop(self) -> None:
        """Close without saying that it was closed well, so that nobody trusts the file again."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                close_index(connection)


@contextmanager
def _whole(connection: IndexConnection) -> Iterator[None]:
    """Do everything inside in one transaction, or nothing of it."""
    try:
        connection.execute("BEGIN")
        yield
        connection.execute("COMMIT")
    finally:
        connection.set_progress_handler(None, 0)
        if connection.in_transaction:
            connection.tally = None
            connection.execute("ROLLBACK")
