"""A browser that answers as it would have at a moment, with what is stored today."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from operator import neg
from typing import TypeVar

from zeroth_store.browse import (
    THREAD_RUNS,
    CheckpointSummary,
    JsonText,
    Page,
    RelatedRows,
    RunDetail,
    RunKey,
    RunOrder,
    RunQuery,
    RunSummary,
    SearchPage,
    ThreadKey,
    ThreadPage,
    ThreadSummary,
    ThreadWindow,
    Version,
)
from zeroth_store.checkpoint_detail import CheckpointFacts, CheckpointState, RunAsOf
from zeroth_store.overview import Overview, OverviewQuery
from zeroth_store.past.browsing import PastUnknown
from zeroth_store.past.knowing import after as later
from zeroth_store.past.life import NO_LIFE, Lives, life_of
from zeroth_store.past.related import checkpoints_at, related_at, runs_at
from zeroth_store.past.runs import detail_at, is_settled, summary_at
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.detail.related import related_rows
from zeroth_store.sqlite.index.thread import IndexLost
from zeroth_store.sqlite.past.index import IndexAt, Then
from zeroth_store.sqlite.past.threads import runs_there, thread_before, thread_number, threads_at
from zeroth_store.sqlite.past.windows import PastWindows, no_past
from zeroth_store.sqlite.tables import LAST

T = TypeVar("T")

_WRITTEN_AGAIN = "was written again after this moment: what it held then is not stored"


class PastRunBrowser(SQLiteRunBrowser):
    """Shares its connections with a browser of the present, which opens and closes them."""

    def __init__(
        self,
        live: SQLiteRunBrowser,
        at: datetime,
        then: Then,
        lives: Lives,
        threads: list[int],
    ) -> None:
        """Answer as of `at`; `lives` are those of runs that were written later.

        `threads` are the rowids of the threads that were there, newest first.
        """
        self._live = live
        self._at = at
        self._lives = dict(lives)
        self._threads = threads
        self._reader = live._reader
        self._events = live._events
        self._keeper = live._keeper
        self._secret = live._secret
        self._index = IndexAt(live._index, then)
        self._clock = lambda: at
        self._windows = PastWindows(
            self._reader, self._index, self._keeper, self._clock, self._then
        )

    async def close(self) -> None:
        """Leave everything to the browser of the present."""

    async def version(self) -> Version:
        """Return the same value while it is the same file: nothing new happens in the past."""
        return Version((await self._live.version()).file, ())

    async def loose_runs(self, *, limit: int = 500) -> tuple[RunSummary, ...]:
        """Return runs whose thread has no row, newest first."""
        return runs_at(await super().loose_runs(limit=limit), self._at, self._lives)

    async def thread_runs(
        self, thread: ThreadKey, *, limit: int = THREAD_RUNS
    ) -> tuple[RunSummary, ...]:
        """Return a thread's newest runs of then, oldest first, of all that it has now."""
        every = await super().thread_runs(thread, limit=sys.maxsize)
        return runs_at(every, self._at, self._lives)[-limit:]

    async def children(self, key: RunKey) -> tuple[RunSummary, ...]:
        """Return the runs that name this one as their parent, oldest first, in any thread."""
        return runs_at(await super().children(key), self._at, self._lives)

    async def summaries(self, keys: Sequence[RunKey]) -> dict[RunKey, RunSummary]:
        """Return some runs as a list showed them; those that were not there are left out."""
        found = await super().summaries(keys)
        shown = {key: self._then(run) for key, run in found.items()}
        return {key: run for key, run in shown.items() if run is not None}

    async def threads(self, *, after: int | None = None, limit: int = 100) -> ThreadPage:
        """Return threads, newest created first, without pseudo-threads of thread state."""
        start = after or 0
        window = await self.thread_window(start, limit)
        more = start + limit
        return ThreadPage(window.rows, more if more < window.total else None)

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        start = after or 0
        window = await self.window(query, RunOrder(), start, limit)
        more = start + limit
        return Page(window.rows, more if more < window.total else None)

    async def thread_window(self, start: int, limit: int) -> ThreadWindow:
        """Return the threads at these positions, newest created first."""
        start = max(start, 0)
        numbers = list(self._threads[start : start + limit])
        found = await self._reader.run(threads_at, numbers)
        rows = await self._as_they_were([found[one] for one in numbers if one in found])
        return ThreadWindow(rows=rows, start=start, total=len(self._threads), exact=True)

    async def thread_position(self, key: ThreadKey) -> int | None:
        """Return where `thread_window` shows a thread; None when it is not there."""
        number = await self._reader.run(thread_number, key)
        if number is None:
            return None
        place = bisect_left(self._threads, -number, key=neg)
        return place if self._threads[place : place + 1] == [number] else None

    async def search(self, query: RunQuery, *, after: int | None = None) -> SearchPage:
        """Search the payloads of runs that were written last by then: those of others are later."""
        page = await super().search(query, after=after)
        there = [hit for hit in page.hits if not later(hit.run.started, self._at)]
        hits = tuple(hit for hit in there if is_settled(hit.run, self._at))
        return SearchPage(hits, page.scanned, page.more)

    async def find(self, text: str, *, limit: int = 20) -> tuple[RunSummary | ThreadSummary, ...]:
        """Return runs and threads by id or graph, the best first."""
        every = await super().find(text, limit=limit)
        threads = [one for one in every if isinstance(one, ThreadSummary)]
        shown = {thread.key: thread for thread in await self._as_they_were(threads)}
        found: list[RunSummary | ThreadSummary] = []
        for one in every:
            if isinstance(one, RunSummary):
                found += runs_at((one,), self._at, self._lives)
            elif not later(one.created, self._at):
                found.append(shown[one.key])
        return tuple(found)

    async def overview(self, wanted: OverviewQuery) -> Overview:  # noqa: ARG002 - whatever it is
        """Refuse: nodes and approvals are counted as of today, whatever the moment."""
        raise PastUnknown("The overview counts what is stored today: it has no past")

    async def run(self, key: RunKey) -> RunDetail | None:
        """Return one run whole, or None when it was not there."""
        detail = await super().run(key)
        if detail is None:
            return None
        life = NO_LIFE
        if not is_settled(detail.summary, self._at):
            life = life_of(detail, await self._reader.run(related_rows, key, above=LAST))
        return detail_at(detail, self._at, life)

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        return related_at(await super().related(key), self._at, self._lives)

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        return checkpoints_at(await super().checkpoints(key), self._at)

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint, unless it was written again later."""
        if checkpoint_id in await self._written_again(key):
            return None
        return await super().checkpoint(key, checkpoint_id)

    async def checkpoint_state(self, key: RunKey, checkpoint_id: str) -> CheckpointState | None:
        """Return the state of one checkpoint in the run's scope; None when it is gone."""
        if checkpoint_id in await self._written_again(key):
            return CheckpointState(checkpoint_id=checkpoint_id, problem=_WRITTEN_AGAIN)
        return await super().checkpoint_state(key, checkpoint_id)

    async def checkpoint_facts(
        self, key: RunKey, checkpoint_ids: tuple[str, ...]
    ) -> tuple[CheckpointFacts, ...]:
        """Return what to compare checkpoints of the run's scope by; those that are gone lack."""
        again = await self._written_again(key)
        known = tuple(one for one in checkpoint_ids if one not in again)
        return await super().checkpoint_facts(key, known)

    async def run_as_of(self, key: RunKey, checkpoint_id: str) -> RunAsOf | None:
        """Return the run that a checkpoint holds, unless it was written again later."""
        if checkpoint_id in await self._written_again(key):
            return None
        found = await super().run_as_of(key, checkpoint_id)
        if found is None:
            return None
        return RunAsOf(found.detail, related_at(found.related, self._at, self._lives))

    def _then(self, run: RunSummary) -> RunSummary | None:
        return summary_at(run, self._at, self._lives.get(run.key, NO_LIFE))

    async def _as_they_were(self, threads: Sequence[ThreadSummary]) -> tuple[ThreadSummary, ...]:
        """Return threads without the runs that came later."""
        written = [thread.key for thread in threads if later(thread.updated, self._at)]
        there = await runs_there(self._reader, self._index, written)
        return tuple(
            thread_before(thread, there[thread.key]) if thread.key in there else thread
            for thread in threads
        )

    async def _written_again(self, key: RunKey) -> frozenset[str]:
        """Return the checkpoints of which only a later state is stored, and those made later."""
        every = await super().checkpoints(key)
        return frozenset(one.checkpoint_id for one in every if later(one.saved, self._at))

    async def _indexed(
        self,
        kept: Callable[[], Awaitable[T]],
        stored: Callable[[], Awaitable[T]],  # noqa: ARG002 - what it tells is of today
    ) -> T:
        """Return the index's answer: the database alone only tells of today."""
        if not self._keeper.ready:
            no_past()
        try:
            return await kept()
        except IndexLost:
            self._keeper.lost()
            no_past()
