"""Runs of threads or of none, children and counts from the side index, without a scan."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable, Mapping, Set
from operator import attrgetter
from typing import NamedTuple

from zeroth_store.browse import NULL_SCOPE, RollUp, RunKey, ThreadKey
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.finding import chunks, scope_of
from zeroth_store.sqlite.index.changes import count_statuses, highest_kept
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.table import DEFAULT_TENANT
from zeroth_store.sqlite.lists.run_pages import StatusCounts, tally
from zeroth_store.sqlite.lists.thread_rows import listed
from zeroth_store.sqlite.tables import FIRST, find_table

_SCOPED = "tenant_id = CAST(? AS TEXT) AND workspace_scope = CAST(? AS TEXT)"

_NAMING = f"thread_id IS CAST(? AS TEXT) AND {_SCOPED}"

Members = Mapping[ThreadKey, Set[int]]
"""The rowids of each thread's runs."""


def count_statuses_kept(connection: IndexConnection) -> StatusCounts:
    """Count the runs of each stored status."""
    return tally(count_statuses(connection))


def child_numbers(connection: IndexConnection, key: RunKey) -> list[int]:
    """Return the rowids of the runs that name this one as their parent, oldest first."""
    rows = connection.execute(
        f"SELECT number FROM runs WHERE parent = CAST(? AS TEXT) AND {_SCOPED} ORDER BY number",
        (bind(key.run_id), *scope_of(key)),
    )
    return [row[0] for row in rows.fetchall()]


def highest(connection: IndexConnection) -> int:
    """Return the largest rowid that the index holds: what is above it is not in the index yet."""
    top = highest_kept(connection)
    return FIRST if top is None else top


class NamedThread(NamedTuple):
    """A thread that runs name, as the index keeps it."""

    thread_id: str | None
    tenant: str | None
    scope: str | None
    newest: int
    """The rowid of its newest run."""


def named_threads(connection: IndexConnection) -> list[NamedThread]:
    """Return the threads that runs name; one without an id for runs that name none."""
    columns = "thread_id, tenant, scope"
    rows = connection.execute(f"SELECT {columns}, max(number) FROM kept GROUP BY {columns}")
    return [NamedThread(*row) for row in rows.fetchall()]


def without_row(
    connection: sqlite3.Connection, threads: Iterable[NamedThread]
) -> list[NamedThread]:
    """Return those of the threads that the thread list does not show."""
    table = find_table(connection, "threads")
    if table is None or not table.has("thread_id"):
        return list(threads)
    sql = f"SELECT 1 FROM threads WHERE {table.in_scope()} AND thread_id = CAST(? AS TEXT)"
    sql += f" AND {listed('thread_id')}"

    def is_listed(thread: NamedThread) -> bool:
        scope = bind(thread.tenant or DEFAULT_TENANT), bind(thread.scope or NULL_SCOPE)
        name = None if thread.thread_id is None else bind(thread.thread_id)
        return bool(connection.execute(sql, (*scope, name)).fetchall())

    return [thread for thread in threads if not is_listed(thread)]


def newest_runs(
    connection: IndexConnection, threads: Iterable[NamedThread], limit: int
) -> list[int]:
    """Return the rowids of the newest runs of all these threads."""
    same = (f"{name} IS CAST(? AS TEXT)" for name in ("thread_id", "tenant", "scope"))
    sql = f"SELECT number FROM kept WHERE {' AND '.join(same)} ORDER BY number DESC LIMIT ?"
    found: list[int] = []
    for thread in heapq.nlargest(limit, threads, key=attrgetter("newest")):
        named = [None if text is None else bind(text) for text in thread[:3]]
        found += [row[0] for row in connection.execute(sql, (*named, limit)).fetchall()]
    return heapq.nlargest(limit, found)


def all_members(connection: IndexConnection, listed: Members) -> Members:
    """Add the runs that name the threads to those that the threads list."""
    sql = f"SELECT number FROM runs WHERE {_NAMING}"
    members: dict[ThreadKey, Set[int]] = {}
    for thread, numbers in listed.items():
        rows = connection.execute(sql, (bind(thread.thread_id), *scope_of(thread))).fetchall()
        members[thread] = numbers | {row[0] for row in rows}
    return members


def roll_up_kept(connection: IndexConnection, listed: Members) -> dict[ThreadKey, RollUp]:
    """Count the runs of threads by status; `listed` are those that the threads list."""
    return {thread: _roll_up(connection, thread, numbers) for thread, numbers in listed.items()}


def _roll_up(connection: IndexConnection, thread: ThreadKey, numbers: Set[int]) -> RollUp:
    """Count the runs that name the thread, and of those that it lists (few) the others."""
    names = bind(thread.thread_id), *scope_of(thread)
    sql = "SELECT status, count(*) FROM runs WHERE"
    rows = connection.execute(f"{sql} {_NAMING} GROUP BY 1", names).fetchall()
    for chunk in chunks(numbers):
        others = f"number IN ({', '.join('?' * len(chunk))}) AND NOT ({_NAMING})"
        rows += connection.execute(f"{sql} {others} GROUP BY 1", (*chunk, *names)).fetchall()
    counts = tally(rows)
    return RollUp(sum(count for _, count in counts), counts)
