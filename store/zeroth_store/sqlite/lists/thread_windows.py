"""Threads by position, in the order of creation."""

from __future__ import annotations

import sqlite3

from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.finding import scope_of
from zeroth_store.sqlite.index.source import rowid_range
from zeroth_store.sqlite.lists.thread_rows import fetch_threads, listed
from zeroth_store.sqlite.tables import Table, find_table, is_small
from zeroth_store.summaries import ThreadKey
from zeroth_store.thread_lists import ThreadWindow

_NEWEST = "ORDER BY rowid DESC LIMIT ?"


class ThreadReads:
    """ThreadLists over a database that a browser opens and closes."""

    _reader: ReadConnection

    async def thread_window(self, start: int, limit: int) -> ThreadWindow:
        """Return the threads at these positions, newest created first."""
        return await self._reader.run(_window, max(start, 0), limit)

    async def thread_position(self, key: ThreadKey) -> int | None:
        """Return where `thread_window` shows a thread; None when it is not there."""
        return await self._reader.run(_position, key)


def _window(connection: sqlite3.Connection, start: int, limit: int) -> ThreadWindow:
    table = _threads(connection)
    if table is None:
        return ThreadWindow(rows=(), start=start, total=0, exact=True)
    if is_small(connection, table):
        rest, parameters = f"WHERE {listed('thread_id')} {_NEWEST} OFFSET ?", (limit, start)
        counted = f"SELECT count(*) FROM threads WHERE {listed('thread_id')}"
        total: int = connection.execute(counted).fetchall()[0][0]
        exact = True
    else:
        # As if no thread had been deleted and none were of thread state.
        low, top = rowid_range(connection, "threads")
        rest = f"WHERE rowid <= ? AND {listed('thread_id')} {_NEWEST}"
        parameters = (top - start, limit)
        total, exact = top - low + 1, False
    found = fetch_threads(connection, table, rest, parameters)
    return ThreadWindow(
        rows=tuple(thread for _, thread in found), start=start, total=total, exact=exact
    )


def _position(connection: sqlite3.Connection, key: ThreadKey) -> int | None:
    table = _threads(connection)
    if table is None:
        return None
    found = connection.execute(
        f"SELECT rowid FROM threads WHERE {table.in_scope()} AND thread_id = CAST(? AS TEXT)"
        f" AND {listed('thread_id')} LIMIT 1",
        (*scope_of(key), bind(key.thread_id)),
    ).fetchall()
    if not found:
        return None
    number: int = found[0][0]
    if not is_small(connection, table):
        return rowid_range(connection, "threads")[1] - number
    above = f"SELECT count(*) FROM threads WHERE rowid > ? AND {listed('thread_id')}"
    position: int = connection.execute(above, (number,)).fetchall()[0][0]
    return position


def _threads(connection: sqlite3.Connection) -> Table | None:
    table = find_table(connection, "threads")
    return table if table is not None and table.has("thread_id") else None
