"""Builds the side index in the background and brings it up to what the database holds."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from zeroth_store.browse import IndexProgress
from zeroth_store.sqlite.index_changes import (
    count_rows,
    differing,
    highest_kept,
    is_sorted,
    live_rows,
    load,
    loaded_upto,
    make_index,
    refresh,
)
from zeroth_store.sqlite.index_file import index_folder, index_path
from zeroth_store.sqlite.index_source import (
    FIRST,
    LAST,
    read_rows,
    read_stamps,
    read_stretch,
    rowid_range,
)
from zeroth_store.sqlite.index_table import INDEXES
from zeroth_store.sqlite.index_thread import IndexLost, IndexThread
from zeroth_store.sqlite.place import look
from zeroth_store.sqlite.reader import ReadConnection

FEW: Final = 2_000
"""A table with no larger rowid is indexed so fast that no file is kept for it."""

_AT_ONCE: Final = 400


class _Pass(NamedTuple):
    """A comparison of the whole index with the database, which may go on in a later call."""

    version: object
    """What the database's version was when it began."""
    start: int
    """The rowid from which on it has yet to compare."""


class IndexKeeper:
    """Keeps one side index. Every read of the database is short, every write to the index whole.

    Between two stretches it rests, so that neither a writer nor a person at the keys notices it.
    """

    def __init__(
        self, reader: ReadConnection, index: IndexThread, folder: Path | None, *, rest: float
    ) -> None:
        """Keep index files in `folder`; rest so many times as long as each stretch took."""
        self._reader = reader
        self._index = index
        self._folder = folder
        self._rest = rest
        self._busy = asyncio.Lock()
        self._file: tuple[int, int] | None = None
        self._opened = False
        self._seen: object = None
        self._pass: _Pass | None = None
        self._done = 0
        self._total = 0
        self.ready = False
        """Whether the index holds every run; it may be behind by what changed a moment ago."""

    @property
    def progress(self) -> IndexProgress:
        """How far the index is."""
        return IndexProgress(self._done, max(self._done, self._total), self.ready)

    async def is_current(self) -> bool:
        """Say whether nothing was written since what the index has taken in."""
        return self.ready and self._seen == await self._reader.run(self._version)

    def lost(self) -> None:
        """Take note that the index broke: the next `keep` makes it anew."""
        self.ready = self._opened = False

    async def keep(self) -> None:
        """Bring the index to what the database holds now; without one where that is impossible."""
        async with self._busy:
            try:
                await self._keep()
            except IndexLost:
                # The file is broken, or its disk is full: what remains is a temporary one.
                try:
                    await self._start(None)
                    await self._keep()
                except IndexLost:
                    self.lost()

    async def _keep(self) -> None:
        version = await self._reader.run(self._version)
        await self._follow()
        if self.ready and self._seen == version:
            return
        if not self.ready:
            low, top = await self._reader.run(rowid_range)
            self._total = top - low + 1
            self._done = await self._index.run(count_rows)
        if await self._index.run(is_sorted):
            await self._catch_up()
        else:
            await self._build(version)
        if self._pass is not None:
            await self._compare()
        if self._seen != version:
            self._pass = _Pass(version, FIRST)
            await self._compare()
        self._done = self._total = await self._index.run(count_rows)

    async def _follow(self) -> None:
        """Open the index of the file that is there now."""
        path = self._reader.session.place.path
        sight = None if path is None else await asyncio.to_thread(look, path)
        identity = None if sight is None else (sight.device, sight.inode)
        if self._opened and identity == self._file:
            return
        self._file = identity
        _, top = await self._reader.run(rowid_range)
        kept = None
        if path is not None and identity is not None and top > FEW:
            kept = index_path(self._folder or index_folder(), path, identity)
        await self._start(kept)

    async def _start(self, path: Path | None) -> None:
        self.ready = False
        self._seen = self._pass = None
        self._opened = False
        await self._index.open(path)
        self._opened = True

    async def _build(self, version: object) -> None:
        upto = await self._index.run(loaded_upto)
        start = FIRST if upto is None else upto
        while start < LAST:
            began = time.monotonic()
            stretch = await self._reader.run(read_stretch, start)
            await self._index.run(load, stretch)
            self._done += len(stretch.rows)
            start = min(stretch.upto + 1, LAST)
            await self._pause(began)
        for definition in INDEXES:
            await self._index.run(make_index, definition)
        if upto is None:
            self._seen = version
            self.ready = True

    async def _catch_up(self) -> None:
        """Take in what a writer most likely did: new runs, and news of those that are not over."""
        await self._read_again(await self._index.run(live_rows))
        top = await self._index.run(highest_kept)
        start = FIRST if top is None else min(top + 1, LAST)
        while start < LAST:
            stretch = await self._reader.run(read_stretch, start)
            numbers = [row.number for row in stretch.rows]
            await self._index.run(refresh, numbers, stretch.rows)
            start = min(stretch.upto + 1, LAST)

    async def _compare(self) -> None:
        """Finish the pass that has begun, and take in what differs."""
        while self._pass is not None:
            began = time.monotonic()
            start = self._pass.start
            stamps = await self._reader.run(read_stamps, start)
            await self._read_again(await self._index.run(differing, start, stamps))
            if stamps.upto == LAST:
                self._seen, self._pass = self._pass.version, None
                self.ready = True
            else:
                self._pass = self._pass._replace(start=stamps.upto + 1)
            await self._pause(began)

    async def _read_again(self, numbers: Sequence[int]) -> None:
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            rows = await self._reader.run(read_rows, some)
            await self._index.run(refresh, some, rows)

    async def _pause(self, began: float) -> None:
        await asyncio.sleep((time.monotonic() - began) * self._rest)

    def _version(self, connection: sqlite3.Connection) -> object:
        return self._reader.session.version(connection)
