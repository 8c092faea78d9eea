"""The rows of threads, as the thread list shows them."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from zeroth_store.browse import ThreadKey, ThreadPage, ThreadSummary
from zeroth_store.sqlite.decoding.cells import moment, strings, text_of
from zeroth_store.sqlite.tables import Table, find_table, is_json

_PSEUDO: Final = "thread-state:*:*"
_LARGE: Final = 1_048_576


def thread_page(connection: sqlite3.Connection, after: int | None, limit: int) -> ThreadPage:
    """Return threads from behind the row `after` on, newest created first."""
    table = find_table(connection, "threads")
    if table is None or not table.has("thread_id"):
        return ThreadPage(())
    before = "" if after is None else "AND rowid < ?"
    found = fetch_threads(
        connection,
        table,
        f"WHERE {listed('thread_id')} {before} ORDER BY rowid DESC LIMIT ?",
        (*(() if after is None else (after,)), limit + 1),
    )
    rows = tuple(thread for _, thread in found[:limit])
    return ThreadPage(rows, found[limit - 1][0] if len(found) > limit else None)


def fetch_threads(
    connection: sqlite3.Connection, table: Table, rest: str, parameters: tuple[Any, ...] = ()
) -> list[tuple[int, ThreadSummary]]:
    """Return (rowid, summary) of the threads that the `rest` of a SELECT statement names."""
    sql = f"SELECT {_thread_columns(table)} FROM threads {rest}"
    rows = connection.execute(sql, parameters).fetchall()
    return [(row[0], _thread(row)) for row in rows]


def listed(column: str) -> str:
    """Return SQL that is true for ids of threads that the thread list shows."""
    return f"typeof({column}) = 'text' AND {column} NOT GLOB '{_PSEUDO}'"


def _thread_columns(table: Table) -> str:
    refs = table.column("checkpoint_refs")
    run_ids = table.column("run_ids")
    small = f"CASE WHEN length({run_ids}) <= {_LARGE} THEN {run_ids} END"
    plain = ("status", "graph_version_ref", "deployment_ref", "created_at", "updated_at")
    return ", ".join(
        (
            "rowid",
            table.tenant(),
            table.scope(),
            "thread_id",
            *(table.column(name) for name in plain),
            table.column("active_run_id"),
            table.column("last_run_id"),
            small,
            _length(run_ids),
            _length(refs),
        )
    )


def _length(column: str) -> str:
    """Return SQL for how many items a JSON list has."""
    return f"CASE WHEN {is_json(column)} THEN json_array_length({column}) END"


def _thread(row: tuple[Any, ...]) -> ThreadSummary:
    _, tenant, scope, thread_id, status, graph, deployment, created, updated = row[:9]
    active, last, run_ids, count, checkpoints = row[9:]
    return ThreadSummary(
        key=ThreadKey(text_of(tenant) or "", text_of(scope) or "", text_of(thread_id) or ""),
        status=text_of(status),
        graph=text_of(graph),
        deployment=text_of(deployment),
        created=moment(created),
        updated=moment(updated),
        run_ids=strings(run_ids, "run_ids"),
        run_count=count or 0,
        active_run_id=text_of(active),
        last_run_id=text_of(last),
        checkpoint_count=checkpoints or 0,
    )
