"""The past of a run database in SQLite: browsers for its moments, and what happened when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from zeroth_store.past.browsing import PastView
from zeroth_store.past.events import Event, run_events
from zeroth_store.past.life import UNDER_WAY, life_of
from zeroth_store.sqlite.index.provision import provide_index
from zeroth_store.sqlite.index.table import SORTED, microseconds
from zeroth_store.sqlite.index.thread import IndexLost
from zeroth_store.sqlite.past.browser import PastRunBrowser
from zeroth_store.sqlite.past.index import (
    LIFETIMES,
    IndexAt,
    Then,
    census,
    neighbour_of,
    written_later,
)
from zeroth_store.sqlite.past.lives import LifeCache
from zeroth_store.sqlite.past.threads import ThreadBirths, runs_there, threads_at
from zeroth_store.sqlite.past.windows import no_past
from zeroth_store.summaries import RunKey

if TYPE_CHECKING:
    from zeroth_store.sqlite.browser import SQLiteRunBrowser

MOST_LIVES: Final = 200
"""Of so many runs that were under way at a moment it is looked up what they were doing."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class SQLitePast:
    """See `Past`."""

    def __init__(self, live: SQLiteRunBrowser) -> None:
        """Look at the past of what `live` shows the present of."""
        self._live = live
        self._reader = live._reader
        self._index = live._index
        self._keeper = live._keeper
        self._lives = LifeCache(self._reader)
        self._threads = ThreadBirths(self._reader)

    async def at(self, moment: datetime) -> PastView:
        """Return everything as it was at a moment."""
        try:
            await self._prepare()
            counted = await self._index.run(census, moment)
            numbers = await self._index.run(written_later, moment, MOST_LIVES)
            lives = await self._lives.of(numbers)
            statuses = {number: life.status(moment) for number, (_, life) in lives.items()}
            told = {number: status for number, status in statuses.items() if status != UNDER_WAY}
            then = Then(microseconds(moment) or 0, counted, told)
            index = IndexAt(self._index, then)
            threads = await self._threads_at(moment, index)
        except IndexLost:
            self._keeper.lost()
            no_past()
        browser = PastRunBrowser(self._live, moment, then, dict(lives.values()), threads)
        return PastView(browser, then.known)

    async def events(self, key: RunKey) -> tuple[Event, ...]:
        """Return what has happened to a run; nothing for one that is gone."""
        detail = await self._live.run(key)
        if detail is None:
            return ()
        related = await self._live.related(key)
        checkpoints = await self._live.checkpoints(key)
        return run_events(detail, related, checkpoints, life_of(detail, related))

    async def neighbour(self, moment: datetime, *, forward: bool) -> datetime | None:
        """Return when a run was started or written last, next to a moment."""
        try:
            await self._prepare()
            found = await self._index.run(neighbour_of, moment, forward=forward)
        except IndexLost:
            self._keeper.lost()
            no_past()
        return None if found is None else _EPOCH + timedelta(microseconds=found)

    async def _threads_at(self, moment: datetime, index: IndexAt) -> list[int]:
        """Return the rowids of the threads that were there, or had a run, newest first."""
        there, soon = await self._threads.at(moment)
        found = await self._reader.run(threads_at, soon)
        begun = await runs_there(self._reader, index, [one.key for one in found.values()])
        there += [number for number, thread in found.items() if begun[thread.key]]
        return sorted(there, reverse=True)

    async def _prepare(self) -> None:
        """Bring the index up to the database, with what looks at the past need."""
        await self._keeper.keep()
        if not self._keeper.ready:
            no_past()
        for definition in (LIFETIMES, SORTED["updated"]):
            await provide_index(self._index, definition)
