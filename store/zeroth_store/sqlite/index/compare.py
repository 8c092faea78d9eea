"""Compares the whole side index with the database, a short stretch at a time."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.index.changes import differing, refresh
from zeroth_store.sqlite.index.source import read_rows, read_stamps
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.tables import FIRST, LAST

_AT_ONCE: Final = 400
_SHARE: Final = 100
_LONGEST: Final = 60.0


class _Pass(NamedTuple):
    """One comparison from the first run to the last, which may be left and gone on with."""

    version: object
    """What the database's version was when it began."""
    start: int = FIRST
    """The rowid from which on it has yet to compare."""
    took: float = 0.0
    """How many seconds it has worked so far."""
    found: bool = False
    """Whether anything differed."""


class IndexComparison:
    """Finds what nothing else tells of: runs deleted, renumbered, or changed after their end."""

    def __init__(self, reader: ReadConnection, index: IndexThread, *, rest: float) -> None:
        """Rest so many times as long as each stretch took."""
        self._reader = reader
        self._index = index
        self._rest = rest
        self._pass: _Pass | None = None
        self._next = 0.0
        self.seen: object = None
        """The version of the database with which the index agrees; None when there is none."""
        self.corrections = 0
        """How many passes have found something."""

    @property
    def under_way(self) -> bool:
        """Whether a pass has begun and is not over."""
        return self._pass is not None

    def forget(self) -> None:
        """Take note that there is another index now."""
        self.seen = self._pass = None
        self._next = 0.0

    async def version(self) -> object:
        """Return the database's version now."""
        return await self._reader.run(self._version)

    async def due(self) -> None:
        """Wait until the next pass may begin, so that passes take a hundredth of the time.

        Of a very large database each minute may have one.
        """
        await asyncio.sleep(self._next - time.monotonic())

    async def finish(self) -> None:
        """Go through the pass that has begun, or else through a new one."""
        while await self.stretch():
            pass

    async def stretch(self) -> bool:
        """Compare the next runs, take in what differs, and rest; says whether there are more."""
        began = time.monotonic()
        now = self._pass or _Pass(await self.version())
        self._pass = now
        stamps = await self._reader.run(read_stamps, now.start)
        different = await self._index.run(differing, now.start, stamps)
        await self.take_in(different)
        took, found = now.took + time.monotonic() - began, now.found or bool(different)
        if stamps.upto < LAST:
            self._pass = _Pass(now.version, stamps.upto + 1, took, found)
        else:
            self.seen, self._pass = now.version, None
            self._next = time.monotonic() + min(took * _SHARE, _LONGEST)
            self.corrections += found
        await self.pause(began)
        return self.under_way

    async def take_in(self, numbers: Sequence[int]) -> None:
        """Bring what the index keeps of these rowids to what the database holds."""
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            rows = await self._reader.run(read_rows, some)
            await self._index.run(refresh, some, rows)

    async def pause(self, began: float) -> None:
        """Rest after a stretch of work that began then."""
        await asyncio.sleep((time.monotonic() - began) * self._rest)

    def _version(self, connection: sqlite3.Connection) -> object:
        return self._reader.session.version(connection)
