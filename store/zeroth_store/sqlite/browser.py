"""The read side of a run database in SQLite, own or guest of any published schema."""

from __future__ import annotations

import os
import sqlite3
from typing import Literal, Self

from zeroth_store.browse import (
    CheckpointSummary,
    DatabaseInfo,
    JsonText,
    Page,
    RelatedRows,
    RollUp,
    RunDetail,
    RunKey,
    RunQuery,
    RunSummary,
    ThreadKey,
    ThreadPage,
)
from zeroth_store.sqlite.describe import describe_open, identify, total_runs
from zeroth_store.sqlite.detail import read_run
from zeroth_store.sqlite.members import loose_runs, roll_up, thread_page, thread_runs
from zeroth_store.sqlite.reader import ReadConnection
from zeroth_store.sqlite.related import related_rows
from zeroth_store.sqlite.run_pages import count_statuses, run_page
from zeroth_store.sqlite.snapshots import checkpoint_state, list_checkpoints


class SQLiteRunBrowser:
    """A RunBrowser over one file, or over an SQLite URI (as of an in-memory database)."""

    def __init__(self, location: str | os.PathLike[str], *, budget: float = 3.0) -> None:
        self._reader = ReadConnection(location, budget=budget)

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
        await self._reader.close()

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
        return await self._reader.run(count_statuses)

    async def threads(self, *, after: int | None = None, limit: int = 100) -> ThreadPage:
        """Return threads, newest created first, without pseudo-threads of thread state."""
        return await self._reader.run(thread_page, after, limit)

    async def loose_runs(self, *, limit: int = 500) -> tuple[RunSummary, ...]:
        """Return runs whose thread has no row, newest first."""
        return await self._reader.run(loose_runs, limit)

    async def thread_runs(self, thread: ThreadKey) -> tuple[RunSummary, ...]:
        """Return a thread's runs, oldest first: those it lists and those that name it."""
        return await self._reader.run(thread_runs, thread)

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        return await self._reader.run(roll_up, threads)

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        return await self._reader.run(run_page, query, after, limit)

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
