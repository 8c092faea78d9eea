"""The read side of a run database in SQLite, own or guest of any published schema."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import datetime
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from zeroth_store.browse import (
    THREAD_RUNS,
    DatabaseInfo,
    GraphShape,
    IndexProgress,
    Page,
    RelatedRows,
    RollUp,
    RunDetail,
    RunKey,
    RunOrder,
    RunQuery,
    RunSummary,
    SearchPage,
    ThreadKey,
    ThreadPage,
    Window,
)
from zeroth_store.encryption import EncryptionKey
from zeroth_store.local_zone import LocalZone
from zeroth_store.sqlite.changes import ChangeReads
from zeroth_store.sqlite.checkup.describe import describe_open, identify, total_runs
from zeroth_store.sqlite.connection.file_events import FileEvents
from zeroth_store.sqlite.connection.mounts import MOUNTS
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.detail.checkpoint_reads import CheckpointReads
from zeroth_store.sqlite.detail.graphs import run_graph
from zeroth_store.sqlite.detail.related import related_rows
from zeroth_store.sqlite.detail.run import read_run
from zeroth_store.sqlite.index.keeper import IndexKeeper
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.index.threads import (
    all_members,
    child_numbers,
    count_statuses_kept,
    highest,
    named_threads,
    newest_runs,
    roll_up_kept,
    without_row,
)
from zeroth_store.sqlite.index.windows import RunWindows
from zeroth_store.sqlite.lists.members import listed_runs, loose_runs, roll_up, thread_runs
from zeroth_store.sqlite.lists.run_pages import count_statuses, run_page
from zeroth_store.sqlite.lists.thread_rows import thread_page
from zeroth_store.sqlite.lists.thread_windows import ThreadReads
from zeroth_store.sqlite.overview.figures import OverviewReads

if TYPE_CHECKING:
    from zeroth_store.sqlite.past.feed import SQLitePast


def _local_now() -> datetime:
    return datetime.now(LocalZone())


class SQLiteRunBrowser(OverviewReads, CheckpointReads, ThreadReads, ChangeReads):
    """A RunBrowser over one file, or over an SQLite URI (as of an in-memory database)."""

    def __init__(
        self,
        location: str | os.PathLike[str],
        *,
        budget: float = 3.0,
        index_folder: Path | None = None,
        index_rest: float = 1.0,
        clock: Callable[[], datetime] = _local_now,
        secret: EncryptionKey | None = None,
        mounts: Path = MOUNTS,
    ) -> None:
        """Read `location`, a query for at most `budget` seconds.

        Side indexes lie in `index_folder`, or else in the user's cache folder. Work on the index
        rests `index_rest` times as long as it takes. Ages and days are counted from `clock()`.
        Checkpoints that are encrypted are opened with `secret`. `mounts` lists the file systems.
        """
        self._reader = ReadConnection(location, budget=budget)
        self._events = FileEvents(self._reader.session.place.path)
        self._index = IndexThread()
        self._keeper = IndexKeeper(self._reader, self._index, index_folder, rest=index_rest)
        self._windows = RunWindows(self._reader, self._index, self._keeper, clock)
        self._clock = clock
        self._secret = secret
        self._mounts = mounts

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect; raises a StoreError that says why a file is no run database."""
        await self._reader.open()

    async def close(self) -> None:
        """Give up what runs and close; may be called again."""
        self._events.close()
        await self._keeper.close()
        await asyncio.gather(self._index.close(), self._reader.close())

    async def info(self) -> DatabaseInfo:
        """Count and describe the whole database (reads every run's status)."""
        totals = await self._reader.run(total_runs)
        return await self._reader.run(describe_open, self._reader.session, totals)

    async def identity(self) -> tuple[Literal["own", "guest"], str | None, bool]:
        """Return kind, revision and whether it is a snapshot, without counting anything."""
        kind, revision = await self._reader.run(identify)
        return kind, revision, self._reader.session.mode == "snapshot"

    async def counts(self) -> tuple[tuple[str | None, int], ...]:
        """Return how many runs have each stored status, most frequent first."""
        return await self._indexed(
            lambda: self._index.run(count_statuses_kept),
            lambda: self._reader.run(count_statuses),
        )

    async def threads(self, *, after: int | None = None, limit: int = 100) -> ThreadPage:
        """Return threads, newest created first, without pseudo-threads of thread state."""
        return await self._reader.run(thread_page, after, limit)

    async def loose_runs(self, *, limit: int = 500) -> tuple[RunSummary, ...]:
        """Return runs whose thread has no row, newest first."""
        return await self._indexed(
            lambda: self._kept_loose_runs(limit), lambda: self._reader.run(loose_runs, limit)
        )

    async def thread_runs(
        self, thread: ThreadKey, *, limit: int = THREAD_RUNS
    ) -> tuple[RunSummary, ...]:
        """Return a thread's newest runs, oldest first: of those it lists and those that name it."""
        return await self._indexed(
            lambda: self._kept_thread_runs(thread, limit),
            lambda: self._reader.run(thread_runs, thread, limit),
        )

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        return await self._indexed(
            lambda: self._kept_roll_up(threads), lambda: self._reader.run(roll_up, threads)
        )

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        return await self._reader.run(run_page, query, after, limit, self._clock())

    async def search(self, query: RunQuery, *, after: int | None = None) -> SearchPage:
        """Search payloads too, newest created first: one short read, which looks at some runs."""
        from zeroth_store.sqlite.search.payload_search import search_page

        return await self._reader.run(search_page, query, after, self._clock())

    async def window(self, query: RunQuery, order: RunOrder, start: int, limit: int) -> Window:
        """Return the runs at these positions among those that match, in this order."""
        return await self._windows.window(query, order, start, limit)

    async def position(self, query: RunQuery, order: RunOrder, key: RunKey) -> int | None:
        """Return where `window` shows a run; None when it does not match or is gone."""
        return await self._windows.position(query, order, key)

    async def children(self, key: RunKey) -> tuple[RunSummary, ...]:
        """Return the runs that name this one as their parent, oldest first, in any thread."""
        return await self._indexed(
            lambda: self._kept_children(key), lambda: self._stored_children(key)
        )

    async def index_progress(self) -> IndexProgress:
        """Return how far the side index is."""
        return self._keeper.progress

    async def keep_index(self) -> None:
        """Bring the side index up to the database; to be called at start and after each change.

        Works in the background until everything that was there at the call is in the index. May
        be cancelled at any time: the next call goes on from there.
        """
        await self._keeper.keep()

    async def run(self, key: RunKey) -> RunDetail | None:
        """Return one run whole, or None when it is gone."""
        return await self._reader.run(read_run, key)

    async def graph(self, key: RunKey) -> GraphShape | None:
        """Return the graph that a run was deployed with, or None where none is stored."""
        return await self._reader.run(run_graph, key)

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        return await self._indexed(
            lambda: self._kept_related(key), lambda: self._reader.run(related_rows, key)
        )

    def past(self) -> SQLitePast:
        """Return the past of this database; what is read of it is kept as long as it is."""
        from zeroth_store.sqlite.past.feed import SQLitePast

        return SQLitePast(self)

    async def _kept_thread_runs(self, thread: ThreadKey, limit: int) -> tuple[RunSummary, ...]:
        listed = await self._reader.run(listed_runs, (thread,))
        members = await self._index.run(all_members, listed)
        found = await self._reader.run(summaries_at, nlargest(limit, members[thread]))
        return tuple(found[number] for number in sorted(found))

    async def _kept_roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        listed = await self._reader.run(listed_runs, threads)
        return await self._index.run(roll_up_kept, listed)

    async def _kept_children(self, key: RunKey) -> tuple[RunSummary, ...]:
        numbers = await self._index.run(child_numbers, key)
        found = await self._reader.run(summaries_at, numbers)
        return tuple(found[number] for number in numbers if number in found)

    async def _stored_children(self, key: RunKey) -> tuple[RunSummary, ...]:
        return (await self._reader.run(related_rows, key)).children

    async def _kept_related(self, key: RunKey) -> RelatedRows:
        above = await self._index.run(highest)  # first: a child that is indexed now is above it
        known = await self._index.run(child_numbers, key)
        return await self._reader.run(related_rows, key, known=known, above=above)

    async def _kept_loose_runs(self, limit: int) -> tuple[RunSummary, ...]:
        above = await self._index.run(highest)
        threads = await self._reader.run(without_row, await self._index.run(named_threads))
        known = await self._index.run(newest_runs, threads, limit)
        return await self._reader.run(loose_runs, limit, known=known, above=above)
