"""Which runs belong to each thread, or to none."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import islice
from typing import Any, Final

from zeroth_store.browse import RollUp, RunSummary, ThreadKey
from zeroth_store.sqlite.decoding.cells import bind, strings, text_of
from zeroth_store.sqlite.decoding.large_cells import rows_at
from zeroth_store.sqlite.finding import by_scope, chunks, find_ids, scope_of, stretches
from zeroth_store.sqlite.giving_way import give_way, spaced
from zeroth_store.sqlite.index.source import rowid_range, summaries_at
from zeroth_store.sqlite.lists.run_pages import tally
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.lists.thread_rows import listed
from zeroth_store.sqlite.tables import FIRST, LAST, Table, find_table, is_small, runs_table

Counts = list[tuple[str | None, int]]
"""Statuses, some perhaps more than once, and how many runs have them."""

_PAGE: Final = 500
"""How many runs of a thread one statement finds."""

_NEWEST: Final = 20_000
"""How many rows are looked through where nothing is known of a large table."""


def loose_runs(
    connection: sqlite3.Connection,
    limit: int,
    *,
    known: Iterable[int] = (),
    above: int | None = None,
) -> tuple[RunSummary, ...]:
    """Return the runs that no listed thread can show, newest first.

    Where the rowids up to `above` are `known`, only what is above them is looked through; where
    nothing is known of a large table, only its newest rows are.
    """
    runs = runs_table(connection)
    first, last = rowid_range(connection)
    if above is not None:
        first = above + 1
    elif not is_small(connection, runs):
        first = max(first, last - _NEWEST + 1)
    threads = find_table(connection, "threads")
    loose = "1"
    if runs.has("thread_id") and threads is not None and threads.has("thread_id"):
        loose = (
            f"(thread_id IS NULL OR NOT ({listed('thread_id')}) OR NOT EXISTS ("
            "SELECT 1 FROM threads AS t WHERE t.thread_id = runs.thread_id"
            f" AND {threads.tenant('t.')} = {runs.tenant('runs.')}"
            f" AND {threads.scope('t.')} = {runs.scope('runs.')}))"
        )
    rest = f"WHERE rowid BETWEEN ? AND ? AND {loose} ORDER BY rowid DESC LIMIT ?"
    found: dict[int, RunSummary] = {}
    for stretch in spaced(connection, stretches(first, last)):
        found.update(fetch_summaries(connection, runs, rest, (*stretch, limit)))
        if len(found) >= limit:
            break
    found.update(summaries_at(connection, known))
    return tuple(found[number] for number in sorted(found, reverse=True)[:limit])


def thread_runs(
    connection: sqlite3.Connection, thread: ThreadKey, limit: int
) -> tuple[RunSummary, ...]:
    """Return the newest runs of one thread, oldest first."""
    members = _members(connection, runs_table(connection), (thread,), limit)
    found = summaries_at(connection, nlargest(limit, members[thread]))
    return tuple(found[number] for number in sorted(found))


def roll_up(
    connection: sqlite3.Connection, threads: tuple[ThreadKey, ...]
) -> dict[ThreadKey, RollUp]:
    """Count the runs of each of these threads by status."""
    runs = runs_table(connection)
    count = _count_by_index if "thread_id" in runs.after_scope else _count_members
    counted = {thread: tally(rows) for thread, rows in count(connection, runs, threads).items()}
    return {
        thread: RollUp(sum(number for _, number in counts), counts)
        for thread, counts in counted.items()
    }


def _count_by_index(
    connection: sqlite3.Connection, runs: Table, threads: Sequence[ThreadKey]
) -> dict[ThreadKey, Counts]:
    """Count what names a thread, from its index, and of the runs that it lists the others."""
    status = runs.column("status")
    others = f"SELECT {status}, count(*) FROM runs WHERE NOT ({_naming(runs)}) AND rowid IN"
    counted: dict[ThreadKey, Counts] = {}
    for thread, listed_here in listed_runs(connection, threads).items():
        counts = Counter(found for _, found in _walk(connection, runs, thread, status))
        for chunk in spaced(connection, chunks(listed_here)):
            sql = f"{others} ({', '.join('?' * len(chunk))}) GROUP BY 1"
            counts.update(dict(connection.execute(sql, (*_names(thread), *chunk)).fetchall()))
        counted[thread] = [(text_of(found), number) for found, number in counts.items()]
    return counted


def _count_members(
    connection: sqlite3.Connection, runs: Table, threads: Sequence[ThreadKey]
) -> dict[ThreadKey, Counts]:
    members = _members(connection, runs, threads)
    statuses: dict[int, str | None] = {}
    every = {rowid for rowids in members.values() for rowid in rowids}
    for chunk in spaced(connection, chunks(every)):
        marks = ", ".join("?" * len(chunk))
        sql = f"SELECT rowid, {runs.column('status')} FROM runs WHERE rowid IN ({marks})"
        rows = connection.execute(sql, chunk).fetchall()
        statuses.update((rowid, text_of(status)) for rowid, status in rows)
    return {
        thread: [(statuses[rowid], 1) for rowid in rowids if rowid in statuses]
        for thread, rowids in members.items()
    }


def _members(
    connection: sqlite3.Connection,
    runs: Table,
    threads: Sequence[ThreadKey],
    limit: int | None = None,
) -> dict[ThreadKey, set[int]]:
    """Return the rowids of each thread's runs: those it lists and those that name it.

    With a limit, at least so many of the newest.
    """
    members = listed_runs(connection, threads)
    if "thread_id" in runs.after_scope:
        for thread, rowids in members.items():
            walked = islice(_walk(connection, runs, thread, "rowid"), limit)
            rowids.update(rowid for rowid, _ in walked)
    elif "thread_id" in runs.leading or (runs.has("thread_id") and is_small(connection, runs)):
        for thread, rowid in _by_name(connection, runs, threads):
            members.get(thread, set()).add(rowid)
    return members


def _walk(
    connection: sqlite3.Connection, runs: Table, thread: ThreadKey, column: str
) -> Iterator[tuple[int, Any]]:
    """Yield the rowid and a column of the runs that name a thread, newest first, by its index."""
    sql = f"SELECT rowid, {column} FROM runs WHERE {_naming(runs)} AND rowid <= ?"
    sql += " ORDER BY rowid DESC LIMIT ?"
    upto = LAST
    while rows := connection.execute(sql, (*_names(thread), upto, _PAGE)).fetchall():
        yield from rows
        if rows[-1][0] == FIRST:
            return
        upto = rows[-1][0] - 1
        give_way(connection)


def _naming(runs: Table) -> str:
    """Return SQL that is true for runs that name a thread; `_names` are its parameters."""
    return f"{runs.in_scope()} AND thread_id IS CAST(? AS TEXT)"


def _names(thread: ThreadKey) -> tuple[str | bytes | None, ...]:
    return (*scope_of(thread), bind(thread.thread_id))


def _by_name(
    connection: sqlite3.Connection, runs: Table, threads: Sequence[ThreadKey]
) -> Iterator[tuple[ThreadKey, int]]:
    """Yield the runs that name threads called so, those of all scopes in one walk."""
    names = [bound for name in {t.thread_id for t in threads} if (bound := bind(name)) is not None]
    for chunk in chunks(names):
        marks = ", ".join(["CAST(? AS TEXT)"] * len(chunk))
        rows = connection.execute(
            f"SELECT rowid, {runs.tenant()}, {runs.scope()}, thread_id FROM runs"
            f" WHERE thread_id IN ({marks})",
            chunk,
        ).fetchall()
        for rowid, *key in rows:
            yield ThreadKey(*key), rowid


def listed_runs(
    connection: sqlite3.Connection, threads: Iterable[ThreadKey]
) -> dict[ThreadKey, set[int]]:
    """Return the rowids of the runs that each of these threads lists itself."""
    runs, table = runs_table(connection), find_table(connection, "threads")
    members = {thread: set[int]() for thread in threads}
    if table is None or not table.has("thread_id", "run_ids"):
        return members
    for some in by_scope(members):
        listed = _listed_ids(connection, table, some)
        every = list({run_id for ids in listed.values() for run_id in ids})
        numbers = find_ids(connection, runs, "run_id", every, some[0])
        for thread, ids in listed.items():
            members[thread].update(numbers[run_id] for run_id in ids if run_id in numbers)
    return members


def _listed_ids(
    connection: sqlite3.Connection, table: Table, threads: Sequence[ThreadKey]
) -> dict[ThreadKey, tuple[str, ...]]:
    """Return the ids in the lists of one scope's threads."""
    names = {thread.thread_id: thread for thread in threads}
    found = find_ids(connection, table, "thread_id", list(names), threads[0])
    keys = {number: names[name] for name, number in found.items()}
    rows, _ = rows_at(connection, "SELECT rowid, run_ids FROM threads", keys)
    return {keys[number]: strings(run_ids, "run_ids") for number, run_ids in rows}
