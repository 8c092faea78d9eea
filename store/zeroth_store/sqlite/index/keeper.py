"""Builds the side index in the background and brings it up to what the database holds."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from zeroth_store.browse import IndexProgress
from zeroth_store.errors import StoreError
from zeroth_store.sqlite.connection.place import look
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.index.changes import (
    count_rows,
    highest_kept,
    is_sorted,
    live_rows,
    load,
    loaded_upto,
    make_index,
    outdated,
    refresh,
)
from zeroth_store.sqlite.index.compare import IndexComparison
from zeroth_store.sqlite.index.file import index_folder, index_path
from zeroth_store.sqlite.index.source import read_stretch, rowid_range, stamps_at
from zeroth_store.sqlite.index.table import INDEXES
from zeroth_store.sqlite.index.thread import IndexLost, IndexThread
from zeroth_store.sqlite.tables import FIRST, LAST

FEW: Final = 2_000
"""A table with no larger rowid is indexed so fast that no file is kept for it."""

COMPARED_AT_ONCE: Final = 5_000
"""An index of no more runs is compared with the database at every call: it takes milliseconds."""


class IndexKeeper:
    """Keeps one side index. Every read of the database is short, every write to the index whole.

    Between two stretches it rests, so that neither a writer nor a person at the keys notices it.
    What a writer does all the time (new runs, news of those that are not over) is taken in at
    once. What else may have changed only shows when everything is compared: of a large database
    that is done in the background, so seldom that it takes a hundredth of the time.
    """

    def __init__(
        self, reader: ReadConnection, index: IndexThread, folder: Path | None, *, rest: float
    ) -> None:
        """Keep index files in `folder`; rest so many times as long as each stretch took."""
        self._reader = reader
        self._index = index
        self._folder = folder
        self._busy = asyncio.Lock()
        self._file: tuple[int, int] | None = None
        self._opened = False
        self._comparison = IndexComparison(reader, index, rest=rest)
        self._later: asyncio.Task[None] | None = None
        self._done = 0
        self._total = 0
        self.ready = False
        """Whether the index holds every run; it may be behind by what changed a moment ago."""
        self.in_sight: tuple[int, ...] = ()
        """The rowids of runs that somebody looks at, whose changes are taken in at once."""

    @property
    def progress(self) -> IndexProgress:
        """How far the index is."""
        return IndexProgress(self._done, max(self._done, self._total), self.ready)

    @property
    def corrections(self) -> int:
        """How often a comparison has found something: then lists may have changed."""
        return self._comparison.corrections

    async def is_current(self) -> bool:
        """Say whether nothing was written since what the index has taken in."""
        return self.ready and self._comparison.seen == await self._comparison.version()

    def lost(self) -> None:
        """Take note that the index broke: the next `keep` makes it anew."""
        self.ready = self._opened = False

    async def close(self) -> None:
        """Give up what runs in the background."""
        if self._later is not None:
            self._later.cancel()
            await asyncio.wait((self._later,))

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
        version = await self._comparison.version()
        await self._follow()
        if self.ready and self._comparison.seen == version:
            return
        if not self.ready:
            low, top = await self._reader.run(rowid_range)
            self._total = top - low + 1
            self._done = await self._index.run(count_rows)
        if await self._index.run(is_sorted):
            await self._catch_up()
        else:
            await self._build(version)
        await self._count()
        if self.ready and self._done > COMPARED_AT_ONCE:
            self._compare_later()
        else:
            await self._compare(version)

    async def _count(self) -> None:
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
        self._comparison.forget()
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
            await self._comparison.pause(began)
        for definition in INDEXES:
            await self._index.run(make_index, definition)
        if upto is None:
            self._comparison.seen = version
            self.ready = True

    async def _catch_up(self) -> None:
        """Take in what a writer most likely did: new runs, and news of those that are not over."""
        likely = list(dict.fromkeys((*await self._index.run(live_rows), *self.in_sight)))
        seen = await self._reader.run(stamps_at, likely)
        await self._comparison.take_in(await self._index.run(outdated, likely, seen))
        top = await self._index.run(highest_kept)
        start = FIRST if top is None else min(top + 1, LAST)
        while start < LAST:
            stretch = await self._reader.run(read_stretch, start)
            await self._index.run(refresh, [row[0] for row in stretch.rows], stretch.rows)
            start = min(stretch.upto + 1, LAST)

    def _compare_later(self) -> None:
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._compare_when_due())

    async def _compare_when_due(self) -> None:
        """Go through passes between the calls of `keep`, until one has seen all that is there."""
        try:
            while self.ready and not await self.is_current():
                await self._comparison.due()
                more = True
                while more:
                    async with self._busy:
                        more = self.ready and await self._comparison.stretch()
        except StoreError:
            return  # the next call of `keep` meets and reports it
        except IndexLost:
            self.lost()

    async def _compare(self, version: object) -> None:
        """Compare until nothing that was there at this version can be missing."""
        if self._comparison.under_way:
            await self._comparison.finish()
        if self._comparison.seen != version:
            await self._comparison.finish()
        self.ready = True
        await self._count()
