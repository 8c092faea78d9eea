"""Following a database without scanning it: new runs by rowid, live ones and those in sight."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from zeroth_store.changes import Mark, Version
from zeroth_store.sqlite.connection.file_events import FileEvents
from zeroth_store.sqlite.connection.mounts import MOUNTS, shared_warning
from zeroth_store.sqlite.connection.place import look
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.finding import find_run
from zeroth_store.sqlite.index.changes import live_rows
from zeroth_store.sqlite.index.keeper import IndexKeeper
from zeroth_store.sqlite.index.source import rowid_range, stamps_at, summaries_at
from zeroth_store.sqlite.index.thread import IndexLost, IndexThread
from zeroth_store.sqlite.tables import runs_table
from zeroth_store.summaries import RunKey, RunSummary

_MOST_NEW: Final = 10_000
"""More new runs than that are not counted."""


class ChangeReads:
    """A ChangeFeed over a database and its side index, which a browser opens and closes."""

    _reader: ReadConnection
    _index: IndexThread
    _keeper: IndexKeeper
    _events: FileEvents
    _mounts: Path = MOUNTS

    async def version(self) -> Version:
        """Return a value that differs from the last one after any commit, cheaply.

        It differs too when the side index turns out to have missed something.
        """
        return await self._reader.run(self._version)

    async def stirred(self, seconds: float) -> bool:
        """Return when the file system tells of a write, at the latest after so many seconds."""
        return await self._events.wait(seconds)

    async def file_system_warning(self) -> str:
        """Return what to know where other machines share the file; empty anywhere else."""
        path = self._reader.session.place.path
        return "" if path is None else await asyncio.to_thread(shared_warning, path, self._mounts)

    async def mark(self) -> Mark:
        """Take down how the runs stand now."""
        likely: Iterable[int] = ()
        if self._keeper.ready:
            try:
                likely = await self._index.run(live_rows)
            except IndexLost:
                self._keeper.lost()
        return await self._reader.run(_mark, {*likely, *self._keeper.in_sight})

    async def changed_since(self, mark: Mark) -> int:
        """Count the runs that are new or were written since, up to some ten thousand."""
        return await self._reader.run(_changed, mark)

    async def summaries(self, keys: Sequence[RunKey]) -> dict[RunKey, RunSummary]:
        """Return some runs as a list shows them; those that are gone are left out."""
        return await self._reader.run(_summaries, keys)

    def _version(self, connection: sqlite3.Connection) -> Version:
        session = self._reader.session
        commits = (*session.version(connection), self._keeper.corrections)
        if session.place.path is None:
            return Version(None, commits)
        sight = look(session.place.path)
        return Version((sight.device, sight.inode), commits)


def _mark(connection: sqlite3.Connection, numbers: Iterable[int]) -> Mark:
    return Mark(rowid_range(connection)[1], stamps_at(connection, numbers))


def _changed(connection: sqlite3.Connection, mark: Mark) -> int:
    sql = "SELECT count(*) FROM (SELECT 1 FROM runs WHERE rowid > ? LIMIT ?)"
    new: int = connection.execute(sql, (mark.newest, _MOST_NEW)).fetchall()[0][0]
    stamps = stamps_at(connection, mark.stamps)
    return new + sum(stamps.get(number) != stamp for number, stamp in mark.stamps.items())


def _summaries(connection: sqlite3.Connection, keys: Sequence[RunKey]) -> dict[RunKey, RunSummary]:
    runs = runs_table(connection)
    numbers = {key: find_run(connection, runs, key) for key in keys}
    found = summaries_at(connection, [one for one in numbers.values() if one is not None])
    return {key: found[one] for key, one in numbers.items() if one is not None and one in found}
