"""The part of the explorer that watches the database: commits, and the index behind the lists."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import datetime
from typing import Final

from textual import work
from textual.worker import Worker, WorkerCancelled

from zeroth_store.browse import RunBrowser, Version
from zeroth_store.errors import StoreError
from zeroth_tui.format import age
from zeroth_tui.screens.pace import Pace
from zeroth_tui.screens.reading_screen import ReadingScreen
from zeroth_tui.text import line

MANY: Final = 20_000
"""From so many runs on it is said how far the index is; for fewer it takes no time."""
BEHIND_SECONDS: Final = 2.0
"""How long the screen may be behind the database before that is said."""


class WatchingScreen(ReadingScreen):
    """Reads again what is shown when it has changed."""

    _first_index = True
    _indexing: Worker[None] | None = None
    _busy_since: datetime | None = None
    """Since when the database is being asked whether it changed, and what."""

    @property
    def watched(self) -> RunBrowser:
        """Tells of commits."""
        return self._browser

    def has_arrived(self) -> None:
        """Start the index behind the first list."""
        self._indexing = self._index()

    async def tell_progress(self) -> None:
        """Say how far the index is, while it is being built."""
        progress = await self._browser.index_progress()
        words = ""
        if not progress.ready and progress.total >= MANY:
            words = f"indexing {100 * progress.done // progress.total} %"
        if words != self._facts.indexing:
            self._tell(indexing=words)

    def tell_age(self) -> None:
        """Say how old what is on screen is, where it is not as of now."""
        fresh = self._facts.fresh
        if fresh.trouble and self._read_at is not None:
            self._tell_fresh(age=age(self._read_at, self._clock()))
        since = self._busy_since
        late = 0.0 if since is None else (self._live() - since).total_seconds()
        behind = f"{late:.0f}s" if late >= BEHIND_SECONDS else ""
        if behind != fresh.behind:
            self._tell_fresh(behind=behind)

    @work(exclusive=True, group="index")
    async def _index(self) -> None:
        """Bring the side index up to the database, behind everything else."""
        try:
            await self._browser.keep_index()
        except StoreError as error:
            self._trouble(error)
            return
        if self._first_index:  # what was read without it may lack what only the index finds
            self._first_index = False
            self._reopen()
        # Lists and counts are read from the index, which only now knows of the last changes.
        if not self._wanted.searches:
            self._reload()

    @work(group="watch")
    async def _watch(self) -> None:
        """Take in whatever somebody commits, one time after the other."""
        pace, woken = Pace(self._opening.refresh), False
        seen: Version | None = None
        while True:
            began, self._busy_since = time.monotonic(), self._live()
            try:
                version = await self.watched.version()
                changed = seen not in {None, version} or self._facts.fresh.old
                if changed:
                    await self.take_change(replaced=seen is not None and seen.file != version.file)
                seen = version
            except StoreError as error:
                self._trouble(error)
                changed = False
            self._busy_since = None
            if self._facts.fresh.old:
                pace.after_trouble()
            elif changed:
                pace.after_change(time.monotonic() - began)
            else:
                pace.after_nothing(woken=woken)
            await asyncio.sleep(pace.rest)
            woken = await self.watched.stirred(pace.wait)

    async def take_change(self, *, replaced: bool) -> None:
        """Show what has changed; another file may have taken the place of the one before."""
        if replaced:
            self._identify()
            words = f"{line(self._facts.name)} was replaced by another file, which is shown now"
            self.notify(words, severity="warning", markup=False)
        await self.refresh_all()

    async def refresh_all(self) -> None:
        """Read everything on screen again, and wait until that is done. Raises a StoreError.

        Waiting keeps a database that changes all the time from starving the screen: a read is
        never given up for the next one.
        """
        if (await self._browser.index_progress()).ready:
            # New runs, and news of those that are live or in sight: lists are read from it.
            await self._browser.keep_index()
        elif self._indexing is None or self._indexing.is_finished:
            self._indexing = self._index()
        await self.aim()
        await self.read_shown()

    async def read_shown(self) -> None:
        """Read the list and the run that are on screen again, and wait until that is done."""
        # What a search has found stays until it is started again.
        reading = self._count() if self._wanted.searches else self._reload()
        for worker in (reading, self._reopen()):
            if worker is not None:
                with suppress(WorkerCancelled):  # the person asked for something else meanwhile
                    await worker.wait()

    async def aim(self) -> None:
        """Choose what the next list has its cursor on, beside what it is on now."""
