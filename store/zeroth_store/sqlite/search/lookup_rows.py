"""The rows of a database that a text names: through the primary key, or among the newest."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from zeroth_store.ascii_case import lower
from zeroth_store.browse import RunSummary, Stored, ThreadKey, ThreadSummary
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.finding import chunks, scope_of
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.lists.thread_rows import fetch_threads, listed
from zeroth_store.sqlite.tables import Table, find_table, is_small

NEWEST: Final = 2_000
"""How many of the newest rows of a table are looked through where no index serves."""

Hit = RunSummary | ThreadSummary
"""What is found."""

_SCOPES: Final = 1_000
_BEHIND: Final = "\U0010ffff"
_IDS: Final = {"runs": "run_id", "threads": "thread_id"}


def hits_stored(connection: sqlite3.Connection, text: str, limit: int) -> list[Hit]:
    """Return what starts with a text, and where that is little what of the newest contains it."""
    tables = [table for name in _IDS if (table := find_table(connection, name)) is not None]
    found = [hit for table in tables for hit in _starting(connection, table, text, limit)]
    if len(found) >= limit:
        return found
    return found + [hit for table in tables for hit in _newest(connection, table, text, limit)]


def hits_at(
    connection: sqlite3.Connection, numbers: Sequence[int], threads: Iterable[ThreadKey]
) -> list[Hit]:
    """Return those of the runs and threads that have a row."""
    hits: list[Hit] = [*summaries_at(connection, numbers).values()]
    table = find_table(connection, "threads")
    if table is None or not table.has("thread_id"):
        return hits
    where = f"WHERE {table.in_scope()} AND thread_id = CAST(? AS TEXT) AND {listed('thread_id')}"
    for key in threads:
        found = fetch_threads(connection, table, where, (*scope_of(key), bind(key.thread_id)))
        hits += [thread for _, thread in found]
    return hits


def contains(column: str) -> str:
    """Return SQL for: the text is in this column, in any ASCII case, whatever follows a NUL."""
    return f"COALESCE(instr(lower({column}), CAST(:needle AS TEXT)) > 0, 0)"


def _starting(connection: sqlite3.Connection, table: Table, text: str, limit: int) -> list[Hit]:
    """Return the first rows whose id starts with a text, through the primary key."""
    column = _IDS[table.name]
    if not table.has(column):
        return []
    rows: list[tuple[str, int]] = []
    for scope, values in islice(_scopes(connection, table, column), _SCOPES):
        rows += connection.execute(
            f"SELECT {column}, rowid FROM {table.name} WHERE {scope} AND {_listed(table)}"
            f" AND {column} >= CAST(? AS TEXT) AND {column} < CAST(? AS TEXT)"
            f" ORDER BY {column} LIMIT ?",
            (*values, bind(text), bind(text + _BEHIND), limit),
        ).fetchall()
    return _fetch(connection, table, [rowid for _, rowid in sorted(rows)[:limit]])


def _newest(connection: sqlite3.Connection, table: Table, text: str, limit: int) -> list[Hit]:
    """Return those of the newest rows whose id or graph contains a text, first those by id."""
    column, graph = _IDS[table.name], table.column("graph_version_ref")
    if not table.has(column):
        return []
    newest = (
        f"SELECT rowid AS number, {column} AS id, {graph} AS graph FROM {table.name}"
        f" WHERE {_listed(table)} ORDER BY rowid DESC LIMIT {NEWEST}"
    )
    rows = connection.execute(
        f"SELECT number FROM ({newest}) WHERE {contains('id')} OR {contains('graph')}"
        f" ORDER BY {contains('id')} DESC, number DESC LIMIT :limit",
        {"needle": bind(lower(text)), "limit": limit},
    ).fetchall()
    return _fetch(connection, table, [row[0] for row in rows])


def _scopes(
    connection: sqlite3.Connection, table: Table, column: str
) -> Iterator[tuple[str, tuple[Stored, ...]]]:
    """Yield the conditions and values under each of which ids are in the order of an index."""
    if column in table.leading or not table.has("tenant_id", "workspace_scope"):
        if column in table.leading or is_small(connection, table):
            yield "1", ()
        return
    where = "tenant_id = CAST(? AS TEXT)"
    for tenant in _texts(connection, table.name, "tenant_id"):
        of_tenant = (where, (bind(tenant),))
        for scope in _texts(connection, table.name, "workspace_scope", of_tenant):
            yield f"{where} AND workspace_scope = CAST(? AS TEXT)", (bind(tenant), bind(scope))


def _texts(
    connection: sqlite3.Connection,
    table: str,
    column: str,
    within: tuple[str, tuple[Stored, ...]] = ("1", ()),
) -> Iterator[str]:
    """Yield the different texts in a column, some at the most, by jumping from one to the next."""
    where, values = within
    sign, last = ">=", ""
    for _ in range(_SCOPES):
        sql = f"SELECT min({column}) FROM {table} WHERE {where} AND {column} {sign} CAST(? AS TEXT)"
        (found,) = connection.execute(sql, (*values, bind(last))).fetchall()[0]
        if not isinstance(found, str):
            return
        yield found
        sign, last = ">", found


def _listed(table: Table) -> str:
    return listed("thread_id") if table.name == "threads" else "1"


def _fetch(connection: sqlite3.Connection, table: Table, numbers: Sequence[int]) -> list[Hit]:
    if table.name == "runs":
        return list(summaries_at(connection, numbers).values())
    hits: list[Hit] = []
    for chunk in chunks(numbers):
        marks = ", ".join("?" * len(chunk))
        found = fetch_threads(connection, table, f"WHERE rowid IN ({marks})", tuple(chunk))
        hits += [thread for _, thread in found]
    return hits
