"""The side index's one table: what it keeps of each run, and under which names filters find it.

The columns that carry Zeroth's names hold what a run's summary says, spelled so that a compiled
filter reads them as it reads the database itself. The others are what lists are sorted by.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from string import ascii_lowercase, ascii_uppercase
from typing import Final, NamedTuple

import msgspec

from zeroth_store.browse import RunSummary, Stored
from zeroth_store.sqlite.cells import bind
from zeroth_store.status import RunStatus
from zeroth_store.times import Moment

VERSION: Final = 1
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
        "started_at",
        "updated_at",
        "lease_worker_id",
        "lease_expires_at",
        "token_snapshot_write_disabled",
    }
)
"""The columns that filters may ask for."""

TABLES: Final = (
    """CREATE TABLE runs (
    number INTEGER PRIMARY KEY, tenant_id TEXT, workspace_scope TEXT, run_id TEXT, status TEXT,
    thread_id TEXT, graph_version_ref TEXT, deployment_ref TEXT, current_step TEXT, error TEXT,
    failure_state TEXT, metadata TEXT, started_at TEXT, updated_at TEXT, lease_worker_id TEXT,
    lease_expires_at TEXT, token_snapshot_write_disabled, started INTEGER, updated INTEGER,
    spent INTEGER, since INTEGER, cost REAL, parent TEXT, words TEXT, stamp INTEGER)""",
    "CREATE TABLE about (name TEXT PRIMARY KEY, value)",
)
"""`number` is the run's rowid in the database. `spent` is how long a run took that is over, `since`
when one started that is not; both and the times in microseconds. `words` is all text that a word
may be in, so that most runs are left out by one look."""

INDEXES: Final = (
    "by_number ON runs (number)",
    "by_status ON runs (status)",
    "by_started ON runs (started)",
    "by_updated ON runs (updated)",
    "by_spent ON runs (spent)",
    "by_since ON runs (since) WHERE since IS NOT NULL",
    "by_graph ON runs (graph_version_ref)",
    "by_cost ON runs (cost)",
    "by_thread ON runs (thread_id)",
    "by_parent ON runs (parent) WHERE parent IS NOT NULL",
)
"""Made once all rows are there, which is several times cheaper than keeping them from the start."""

LIVE: Final = tuple(sorted(set(RunStatus) - {RunStatus.COMPLETED, RunStatus.FAILED}))
"""The statuses of runs that are not over."""

_TEXTS: Final = 15
_MARKS: Final = ("?", *["CAST(? AS TEXT)"] * _TEXTS, *["?"] * 6, *["CAST(? AS TEXT)"] * 2, "?")
_PUT: Final = f"INSERT OR REPLACE INTO runs VALUES ({', '.join(_MARKS)})"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class IndexRow(NamedTuple):
    """One run as the index keeps it."""

    number: int
    cells: tuple[Stored, ...]
    """All columns in the table's order, `number` first."""


def index_row(
    number: int, summary: RunSummary, error: str | None, erased: int | None, stamp: int
) -> IndexRow:
    """Return what the index keeps of a run."""
    started, updated = microseconds(summary.started.instant), microseconds(summary.updated.instant)
    live = summary.status in LIVE
    spent = None if live or started is None or updated is None else updated - started
    lease = summary.lease
    tenant, scope, run_id = summary.key
    return IndexRow(
        number,
        (
            number,
            _text(tenant),
            _text(scope),
            _text(run_id),
            _text(summary.status),
            _text(summary.thread_id),
            _text(summary.graph),
            _text(summary.deployment),
            _text(summary.current_step),
            _text(error),
            _failure(summary, error),
            _metadata(summary),
            _iso(summary.started),
            _iso(summary.updated),
            None if lease is None else _text(lease.worker_id),
            None if lease is None else _iso(lease.expires),
            erased,
            started,
            updated,
            spent,
            started if live else None,
            cost_of(summary),
            _text(summary.parent_run_id),
            _words(summary, error),
            stamp,
        ),
    )


def put_rows(connection: sqlite3.Connection, rows: Iterable[IndexRow]) -> None:
    """Store runs, in place of what was kept of them."""
    connection.executemany(_PUT, (row.cells for row in rows))


def drop_rows(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Forget runs."""
    connection.executemany("DELETE FROM runs WHERE number = ?", ((each,) for each in numbers))


def stamp_of(run_id: Stored, status: Stored, updated: Stored) -> int:
    """Return a number that changes when another run has the row, or the run was written."""
    return zlib.crc32(f"{run_id!r}{status!r}{updated!r}".encode("ascii", "backslashreplace"))


def microseconds(instant: datetime | None) -> int | None:
    """Return an instant as microseconds since 1970."""
    return None if instant is None else (instant - _EPOCH) // _MICROSECOND


def cost_of(summary: RunSummary) -> float | None:
    """Return measured and estimated dollars together; None where neither is recorded."""
    measured, estimated = summary.cost.measured, summary.cost.estimated
    if measured is None:
        return estimated
    return measured if estimated is None else measured + estimated


def lowered(text: str) -> str:
    """Return a text with its ASCII letters in lower case, as filters compare it."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


class _Dispatch(msgspec.Struct):
    node_id: str


class _Metadata(msgspec.Struct, omit_defaults=True):
    parent_run_id: str | None = None
    in_flight_dispatch: _Dispatch | None = None
    total_cost_usd: float | None = None
    total_estimated_cost_usd: float | None = None


class _Failure(msgspec.Struct, omit_defaults=True):
    reason: str | None = None
    message: str | None = None


_BETWEEN: Final = "\x1f"
_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_NO_METADATA: Final = _Metadata()
_ENCODER: Final = msgspec.json.Encoder()


def _iso(moment: Moment) -> str | None:
    """Return a time as Zeroth spells it; None where none can be read."""
    if moment.instant is None:
        return None
    raw = moment.raw
    as_zeroth = raw is not None and len(raw) in {25, 32} and raw.endswith("+00:00")
    return raw if as_zeroth else moment.instant.isoformat()


def _failure(summary: RunSummary, error: str | None) -> Stored:
    message = None if summary.failure_message == error else summary.failure_message
    if message is None and summary.failure_reason is None:
        return None
    return _json(_Failure(summary.failure_reason, message))


def _metadata(summary: RunSummary) -> Stored:
    node, cost = summary.failed_node, summary.cost
    dispatch = None if node is None else _Dispatch(node)
    kept = _Metadata(summary.parent_run_id, dispatch, cost.measured, cost.estimated)
    return None if kept == _NO_METADATA else _json(kept)


def _words(summary: RunSummary, error: str | None) -> Stored:
    texts = (
        summary.key.run_id,
        summary.thread_id,
        summary.graph,
        summary.deployment,
        summary.status,
        summary.failure_reason,
        summary.failure_message,
        None if error == summary.failure_message else error,
    )
    joined = lowered(_BETWEEN.join([text for text in texts if text is not None]))
    # A message may hold lone surrogates, which no text that is looked for does.
    return _text(joined) or joined.encode("utf-8", "replace")


def _json(values: msgspec.Struct) -> str:
    try:
        return _ENCODER.encode(values).decode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(msgspec.to_builtins(values))


def _text(value: str | None) -> Stored:
    """Return a parameter that arrives as the text it was in the database."""
    return value if value is None or value.isascii() else bind(value)
