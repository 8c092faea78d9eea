"""The side index's one table, what it keeps of each run, and the view by which filters read it.

In the view `runs` the columns that carry Zeroth's names hold what a run's summary says, spelled so
that a compiled filter reads them as it reads the database itself. What follows from other columns
is not stored: SQLite works it out where it is asked for.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from zeroth_store.browse import NULL_SCOPE, RunSummary, Stored
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.status import LIVE
from zeroth_store.times import Moment

VERSION: Final = 3
"""Of the table's shape and meaning; an index of another version is made anew."""

APPLICATION: Final = 0x7A74_7569
"""Marks a file as a side index (`ztui`)."""

FILTERED: Final = frozenset(
    {
        "tenant_id",
        "workspace_scope",
        "run_id",
        "status",
        "thread_id",
        "graph_version_ref",
        "deployment_ref",
        "current_step",
        "error",
        "failure_state",
        "metadata",
        "lease_worker_id",
        "lease_expires_at",
        "token_snapshot_write_disabled",
    }
)
"""The columns that filters may ask for; what lists are sorted by is asked for as numbers."""

DEFAULT_TENANT: Final = "default"
"""The tenant, and NULL_SCOPE the scope, of nearly all runs: kept as NULL."""

_SEARCHED: Final = (
    *("run_id", "thread_id", "graph_version_ref", "deployment_ref", "status", "reason"),
    "coalesce(message, error)",
)


def _quoted(column: str) -> str:
    """Return SQL for a text in JSON, without the functions that a schema may not use.

    Rare control characters stay as they are: filters take that as a doubt.
    """
    escaped = f"replace(replace(replace({column}, '\\', '\\\\'), '\"', '\\\"'), char(10), '\\n')"
    return f"coalesce('\"' || {escaped} || '\"', 'null')"


_WORDS: Final = " || char(31) || ".join(f"coalesce({name}, '')" for name in _SEARCHED)

TABLES: Final = (
    """CREATE TABLE kept (
    number INTEGER PRIMARY KEY, tenant TEXT, scope TEXT, run_id TEXT, status TEXT, thread_id TEXT,
    graph_version_ref TEXT, deployment_ref TEXT, current_step TEXT, error TEXT, reason TEXT,
    message TEXT, node TEXT, parent TEXT, lease_worker_id TEXT, lease_expires_at TEXT,
    token_snapshot_write_disabled, started INTEGER, updated INTEGER, spent INTEGER, since INTEGER,
    cost REAL, stamp INTEGER)""",
    f"""CREATE VIEW runs AS SELECT *,
    coalesce(tenant, '{DEFAULT_TENANT}') AS tenant_id,
    coalesce(scope, '{NULL_SCOPE}') AS workspace_scope,
    CASE WHEN coalesce(reason, message) IS NOT NULL THEN
      '{{"reason":' || {_quoted("reason")} || ',"message":' || {_quoted("message")} || '}}'
      END AS failure_state,
    CASE WHEN coalesce(parent, node) IS NOT NULL THEN
      '{{"parent_run_id":' || {_quoted("parent")} ||
      ',"in_flight_dispatch":{{"node_id":' || {_quoted("node")} || '}}}}' END AS metadata,
    lower({_WORDS}) AS words
    FROM kept""",
    "CREATE TABLE about (name TEXT PRIMARY KEY, value)",
)
"""`number` is the run's rowid in the database. `spent` is how long a run took that is over, `since`
when one started that is not; both and the times in microseconds. `message` is NULL where it is the
error. `words` is all text that a word may be in, with BETWEEN between, for one look instead of
many."""

BETWEEN: Final = "\x1f"
"""What separates texts in `words`."""

INDEXES: Final = (
    "by_number ON kept (number)",
    "by_status ON kept (status)",
    "by_started ON kept (started)",
    "by_since ON kept (since) WHERE since IS NOT NULL",
    "by_thread ON kept (thread_id, tenant, scope, status)",
    "by_parent ON kept (parent) WHERE parent IS NOT NULL",
)
"""Made once all rows are there, which is several times cheaper than keeping them from the start."""

SORTED: Final = {
    "updated": "by_updated ON kept (updated)",
    "duration": "by_spent ON kept (spent)",
    "graph": "by_graph ON kept (graph_version_ref)",
    "cost": "by_cost ON kept (cost)",
}
"""Made when a list is first sorted by this: each takes as much room as it takes time to make."""

COLUMNS: Final = (
    *("number", "tenant", "scope", "run_id", "status", "thread_id", "graph_version_ref"),
    *("deployment_ref", "current_step", "error", "reason", "message", "node", "parent"),
    *("lease_worker_id", "lease_expires_at", "token_snapshot_write_disabled"),
    *("started", "updated", "spent", "since", "cost", "stamp"),
)
"""What is stored of a run, in this order."""

STATUS: Final = COLUMNS.index("status")
"""Where the status is in the cells of a run."""

Cells = tuple[Any, ...]
"""One run as the index stores it: the values of COLUMNS, of which the first is the rowid."""

_TEXTS: Final = COLUMNS.index("lease_expires_at")
_MARKS: Final = ["?", *["CAST(? AS TEXT)"] * _TEXTS, *["?"] * (len(COLUMNS) - _TEXTS - 1)]
_PUT: Final = f"INSERT OR REPLACE INTO kept ({', '.join(COLUMNS)}) VALUES ({', '.join(_MARKS)})"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def cells_of(
    number: int, summary: RunSummary, error: str | None, erased: int | None, stamp: int
) -> Cells:
    """Return what the index keeps of a run."""
    lease = summary.lease
    tenant, scope, run_id = summary.key
    message = summary.failure_message
    return (
        number,
        None if tenant == DEFAULT_TENANT else _text(tenant),
        None if scope == NULL_SCOPE else _text(scope),
        _text(run_id),
        _text(summary.status),
        _text(summary.thread_id),
        _text(summary.graph),
        _text(summary.deployment),
        _text(summary.current_step),
        _text(error),
        _text(summary.failure_reason),
        None if message == error else _text(message),
        _text(summary.failed_node),
        _text(summary.parent_run_id),
        None if lease is None else _text(lease.worker_id),
        None if lease is None else iso(lease.expires),
        erased,
        *spans(
            summary.status,
            microseconds(summary.started.instant),
            microseconds(summary.updated.instant),
        ),
        total(summary.cost.measured, summary.cost.estimated),
        stamp,
    )


def put_rows(connection: sqlite3.Connection, rows: Iterable[Cells]) -> None:
    """Store runs, in place of what was kept of them."""
    connection.executemany(_PUT, rows)


def drop_rows(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Forget runs."""
    connection.executemany("DELETE FROM kept WHERE number = ?", ((each,) for each in numbers))


def stamp_of(written: bytes) -> int:
    """Return a number that changes when another run has the row, or the run was written."""
    return zlib.crc32(written)


def microseconds(instant: datetime | None) -> int | None:
    """Return an instant as microseconds since 1970."""
    return None if instant is None else (instant - _EPOCH) // _MICROSECOND


def spans(
    status: str | None, started: int | None, updated: int | None
) -> tuple[int | None, int | None, int | None, int | None]:
    """Return the cells `started`, `updated`, `spent` and `since`."""
    if status in LIVE:
        return started, updated, None, started
    return started, updated, None if started is None or updated is None else updated - started, None


def total(measured: float | None, estimated: float | None) -> float | None:
    """Return measured and estimated dollars together; None where neither is recorded."""
    if measured is None:
        return estimated
    return measured if estimated is None else measured + estimated


def iso(moment: Moment) -> str | None:
    """Return a time as Zeroth spells it; None where none can be read."""
    return None if moment.instant is None else moment.instant.isoformat()


def _text(value: str | None) -> Stored:
    """Return a parameter that arrives as the text it was in the database.

    A lone surrogate, which only JSON can spell, arrives as SQLite's own JSON functions write it.
    """
    if value is None or value.isascii():
        return value
    stored = bind(value)
    return value.encode("utf-8", "surrogatepass") if stored is None else stored
