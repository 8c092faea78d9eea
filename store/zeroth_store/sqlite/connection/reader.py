"""Reading off the event loop: one thread with one connection, whose jobs can be given up."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from zeroth_store.errors import DatabaseUnavailable
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.giving_way import BREATH, give_way

P = ParamSpec("P")
T = TypeVar("T")

_CLOSE_SECONDS: Final = 2.0


class ReadConnection:
    """Runs functions on an SQLite connection in a thread of its own, one after the other.

    Query and decoding both happen there; the caller's event loop only gets the finished value. A
    job whose caller no longer waits is stopped, without touching the job behind it.
    """

    def __init__(self, location: str | os.PathLike[str], *, budget: float = 3.0) -> None:
        self.session = Session(location, budget=budget)
        """The connection; only to be used inside jobs, in the reading thread."""
        self._closed = threading.Event()
        self._ended = 0.0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="zeroth-read")

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect now, so that a file that cannot be read is reported here."""
        try:
            await self.run(_nothing)
        except BaseException:
            await self.close()
            raise

    async def run(
        self,
        work: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return `work(connection, *args, **kwargs)`, run in the reading thread."""
        if self._closed.is_set():
            raise DatabaseUnavailable(f"{self.session.place.name} is closed")
        given_up = threading.Event()

        def job() -> T:
            try:
                return self.session.run(
                    lambda connection: work(self._giving_way(connection), *args, **kwargs),
                    lambda: given_up.is_set() or self._closed.is_set(),
                )
            finally:
                self._ended = time.monotonic()

        try:
            return await asyncio.wrap_future(self._thread.submit(job))
        finally:
            given_up.set()

    def _giving_way(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """Between jobs that follow each other closely, leave a writer its moment, too."""
        give_way(connection, rested=time.monotonic() > self._ended + BREATH)
        return connection

    async def close(self) -> None:
        """Stop what runs, close the connection and end the thread; may be called again."""
        if self._closed.is_set():
            return
        self._closed.set()
        closing = asyncio.wrap_future(self._thread.submit(self.session.close))
        self._thread.shutdown(wait=False)
        # A read that hangs inside the operating system cannot be stopped: it is left behind.
        await asyncio.wait((closing,), timeout=_CLOSE_SECONDS)


def _nothing(connection: sqlite3.Connection) -> None:
    """Do no work: running a job at all opens the connection."""
