"""When each thread was created, so that the thread list can be shown as of any moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Set
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import msgspec

from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.decoding.cells import moment
from zeroth_store.sqlite.finding import chunks, find_ids
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.lists.members import listed_runs
from zeroth_store.sqlite.lists.thread_rows import fetch_threads, listed
from zeroth_store.sqlite.past.index import existing
from zeroth_store.sqlite.tables import Table, find_table
from zeroth_store.summaries import ThreadKey, ThreadSummary
from zeroth_store.times import NO_MOMENT

_AT_ONCE: Final = 20_000
_SOON: Final = timedelta(seconds=10)
_MOST_SOON: Final = 20


class Birth(NamedTuple):
    """A thread by its rowid, and when it was created; None where that cannot be read."""

    number: int
    created: datetime | None


class ThreadBirths:
    """Remembers the births of all listed threads; only new ones are read again."""

    def __init__(self, reader: ReadConnection) -> None:
        self._reader = reader
        self._births: list[Birth] = []

    async def at(self, at: datetime) -> tuple[list[int], list[int]]:
        """Return the rowids of the threads that were there at a moment, and of those about to be.

        A run is stored a moment before the thread that it begins.
        """
        while True:
            last = self._births[-1].number if self._births else None
            more = await self._reader.run(_births, last)
            self._births += more
            if len(more) < _AT_ONCE:
                break
        there, soon = list[int](), list[int]()
        for number, created in self._births:
            if created is None or created <= at:
                there.append(number)
            elif created - at < _SOON and len(soon) < _MOST_SOON:
                soon.append(number)
        return there, soon


def threads_at(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, ThreadSummary]:
    """Return rowid -> thread, of those of the threads that exist."""
    table = _threads(connection)
    if table is None:
        return {}
    found: dict[int, ThreadSummary] = {}
    for some in chunks(numbers):
        marks = ", ".join("?" * len(some))
        found.update(fetch_threads(connection, table, f"WHERE rowid IN ({marks})", tuple(some)))
    return found


async def runs_there(
    reader: ReadConnection, index: IndexThread, threads: Iterable[ThreadKey]
) -> dict[ThreadKey, set[str]]:
    """Return the ids of the runs that each of these threads lists and that were there."""
    if not (wanted := tuple(threads)):
        return {}
    listed = await reader.run(listed_runs, wanted)
    there = await index.run(existing, {number for numbers in listed.values() for number in numbers})
    return {
        thread: {there[number] for number in numbers if number in there}
        for thread, numbers in listed.items()
    }


def thread_before(thread: ThreadSummary, there: Set[str]) -> ThreadSummary:
    """Return a thread as it was before its last write, when it had these runs."""
    return msgspec.structs.replace(
        thread,
        updated=NO_MOMENT,
        run_ids=tuple(run_id for run_id in thread.run_ids if run_id in there),
        run_count=len(there),
        active_run_id=None,
        last_run_id=None,
        checkpoint_count=None,
    )


def thread_number(connection: sqlite3.Connection, key: ThreadKey) -> int | None:
    """Return the rowid of a thread."""
    table = _threads(connection)
    if table is None:
        return None
    return find_ids(connection, table, "thread_id", (key.thread_id,), key).get(key.thread_id)


def _births(connection: sqlite3.Connection, behind: int | None) -> list[Birth]:
    table = _threads(connection)
    if table is None:
        return []
    after, parameters = ("1", ()) if behind is None else ("rowid > ?", (behind,))
    rows = connection.execute(
        f"SELECT rowid, {table.column('created_at')} FROM threads"
        f" WHERE {after} AND {listed('thread_id')} ORDER BY rowid LIMIT {_AT_ONCE}",
        parameters,
    )
    return [Birth(number, moment(created).instant) for number, created in rows.fetchall()]


def _threads(connection: sqlite3.Connection) -> Table | None:
    table = find_table(connection, "threads")
    return table if table is not None and table.has("thread_id") else None
