"""The read side of a run database in SQLite, own or guest of any published schema."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self, TypeVar

from zeroth_store.browse import (
    CheckpointSummary,
    DatabaseInfo,
    IndexProgress,
    JsonText,
    Page,
    RelatedRows,
    RollUp,
    RunDetail,
    RunKey,
    RunOrder,
    RunQuery,
    RunSummary,
    ThreadKey,
    ThreadPage,
    Window,
)
from zeroth_store.sqlite.describe import describe_open, identify, total_runs
from zeroth_store.sqlite.detail import read_run
from zeroth_store.sqlite.index_keeper import IndexKeeper
from zeroth_store.sqlite.index_source import summaries_at
from zeroth_store.sqlite.index_thread import IndexLost, IndexThread
from zeroth_store.sqlite.index_threads import (
    all_members,
    child_numbers,
    count_statuses_kept,
    listed_members,
    roll_up_kept,
)
from zeroth_store.sqlite.index_windows import RunWindows
from zeroth_store.sqlite.members import loose_runs, roll_up, thread_page, thread_runs
from zeroth_store.sqlite.reader import ReadConnection
from zeroth_store.sqlite.related import related_rows
from zeroth_store.sqlite.run_pages import count_statuses, run_page
from zeroth_store.sqlite.snapshots import checkpoint_state, list_checkpoints

T = TypeVar("T")


def _local_now() -> datetime:
    return datetime.now(UTC).astimezone()


class SQLiteRunBrowser:
    """A RunBrowser over one file, or over an SQLite URI (as of an in-memory database)."""

    def __init__(
        self,
        location: str | os.PathLike[str],
        *,
        budget: float = 3.0,
        index_folder: Path | None = None,
        index_rest: float = 1.0,
        clock: Callable[[], datetime] = _local_now,
    ) -> None:
        """Read `location`, a query for at most `budget` seconds.

        Side indexes lie in `index_folder`, or else in the user's cache folder. Work on the index
        rests `index_rest` times as long as it takes. Ages and days are counted from `clock()`.
        """
        self._reader = ReadConnection(location, budget=budget)
        self._index = IndexThread()
        self._keeper = IndexKeeper(self._reader, self._index, index_folder, rest=index_rest)
        self._windows = RunWindows(self._reader, self._index, self._keeper, clock)
        self._clock = clock

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
        return await self._reader.run(loose_runs, limit)

    async def thread_runs(self, thread: ThreadKey) -> tuple[RunSummary, ...]:
        """Return a thread's runs, oldest first: those it lists and those that name it."""
        return await self._indexed(
            lambda: self._kept_thread_runs(thread), lambda: self._reader.run(thread_runs, thread)
        )

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        return await self._indexed(
            lambda: self._kept_roll_up(threads), lambda: self._reader.run(roll_up, threads)
        )

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        return await self._reader.run(run_page, query, after, limit, self._clock())

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

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        return await self._reader.run(related_rows, key)

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        return await self._reader.run(list_checkpoints, key)

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint in the run's scope, as text."""
        return await self._reader.run(checkpoint_state, key, checkpoint_id)

    async def version(self) -> object:
        """Return a value that differs from the last one after any commit, cheaply."""
        return await self._reader.run(self._version)

    def _version(self, connection: sqlite3.Connection) -> tuple[int, int]:
        return self._reader.session.version(connection)

    async def _indexed(
        self, kept: Callable[[], Awaitable[T]], stored: Callable[[], Awaitable[T]]
    ) -> T:
        """Return the index's answer, or the database's own while there is no index."""
        if self._keeper.ready:
            try:
                return await kept()
            except IndexLost:
                self._keeper.lost()
        return await stored()

    async def _kept_thread_runs(self, thread: ThreadKey) -> tuple[RunSummary, ...]:
        listed = await self._reader.run(listed_members, (thread,))
        members = await self._index.run(all_members, listed)
        found = await self._reader.run(summaries_at, members[thread])
        return tuple(found[number] for number in sorted(found))

    async def _kept_roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        listed = await self._reader.run(listed_members, threads)
        return await self._index.run(roll_up_kept, listed)

    async def _kept_children(self, key: RunKey) -> tuple[RunSummary, ...]:
        numbers = await self._index.run(child_numbers, key)
        found = await self._reader.run(summaries_at, numbers)
        return tuple(found[number] for number in numbers if number in found)

    async def _stored_children(self, key: RunKey) -> tuple[RunSummary, ...]:
        return (await self.related(key)).children
