"""The part of the explorer that follows the database: commits, and the index behind the lists."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from textual import work
from textual.worker import WorkerCancelled

from zeroth_store.errors import StoreError
from zeroth_tui.screens.reading_screen import ReadingScreen

POLL_SECONDS: Final = 0.25
"""How often the database is asked whether somebody committed."""
LONGEST_SECONDS: Final = 8.0
"""How long it is left alone at the most while it cannot be read."""
MANY: Final = 20_000
"""From so many runs on it is said how far the index is; for fewer it takes no time."""


class WatchingScreen(ReadingScreen):
    """Reads again what is shown when it has changed."""

    _first_index = True

    def has_arrived(self) -> None:
        """Start the index behind the first list."""
        self._index()

    async def tell_progress(self) -> None:
        """Say how far the index is, while it is being built."""
        progress = await self._browser.index_progress()
        words = ""
        if not progress.ready and progress.total >= MANY:
            words = f"indexing {100 * progress.done // progress.total} %"
        if words != self._facts.indexing:
            self._tell(indexing=words)

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
            if not self._wanted.searches:
                self._reload()
        # Lists and counts are read from the index, which only now knows of the last changes.
        elif not self._wanted.searches:
            self._reload()

    @work(group="watch")
    async def _watch(self) -> None:
        """Read again what is shown whenever somebody committed, one time after the other."""
        seen: object = None
        wait = POLL_SECONDS
        while True:
            try:
                version = await self._browser.version()
            except StoreError as error:
                self._trouble(error)
            else:
                if seen is not None and (version != seen or self._facts.trouble):
                    await self._refresh()
                seen = version
            # What has failed is tried again, but less and less often: it may be slow, not gone.
            wait = min(2 * wait, LONGEST_SECONDS) if self._facts.trouble else POLL_SECONDS
            await asyncio.sleep(wait)

    async def _refresh(self) -> None:
        """Read everything on screen again, and wait until that is done.

        Waiting keeps a database that changes all the time from starving the screen: a read is
        never given up for the next one.
        """
        opening, indexing = self._reopen(), self._index()
        if self._wanted.searches:  # what a search has found stays until it is started again
            reading = self._count()
        elif self._wanted.flat and (await self._browser.index_progress()).ready:
            reading = indexing  # which reads the list when it knows of the change
        else:
            reading = self._reload()
        for worker in (reading, opening):
            if worker is not None:
                with suppress(WorkerCancelled):  # the person asked for something else meanwhile
                    await worker.wait()
