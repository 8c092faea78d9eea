"""Makes what the index keeps straight from stored values, for runs as Zeroth writes them.

Nearly all are: text where text belongs, times in Zeroth's two spellings, small JSON. Of these
nothing is decoded but the few values that count. Every other run is left to its summary.
"""

from __future__ import annotations

from datetime import datetime
from math import isfinite
from types import NoneType
from typing import Any, Final

import msgspec

from zeroth_store.browse import NULL_SCOPE
from zeroth_store.sqlite.decoding.cells import moment
from zeroth_store.sqlite.decoding.jsontext import read_strings
from zeroth_store.sqlite.index.table import (
    DEFAULT_TENANT,
    Cells,
    iso,
    microseconds,
    spans,
    stamp_of,
    total,
)
from zeroth_store.sqlite.lists.summaries import LONG
from zeroth_store.sqlite.search.filter_parts import LARGE
from zeroth_store.sqlite.tables import Table
from zeroth_store.status import RunStatus

_STAMPED: Final = (
    *("run_id", "status", "updated_at"),
    *("lease_worker_id", "lease_expires_at", "token_snapshot_write_disabled"),
)
_PLAIN: Final = frozenset({str, NoneType})
_LENGTHS: Final = frozenset({25, 32})
"""Of times as Zeroth spells them, with a fraction and without."""
_FAILED: Final = RunStatus.FAILED.value
_ZONE: Final = "+00:00"


class _Dispatch(msgspec.Struct):
    node_id: str | None = None


class _Metadata(msgspec.Struct):
    parent_run_id: str | None = None
    in_flight_dispatch: _Dispatch | None = None
    total_cost_usd: float | None = None
    total_estimated_cost_usd: float | None = None


class _Failure(msgspec.Struct):
    reason: str | None = None
    message: str | None = None


_metadata: Final = msgspec.json.Decoder(_Metadata).decode
_failure: Final = msgspec.json.Decoder(_Failure).decode
_NO_METADATA: Final = _Metadata()
_NO_FAILURE: Final = _Failure()


def stamp_column(table: Table) -> str:
    """Return SQL for the bytes that `stamp_of` takes."""
    parts = (f"coalesce({table.column(name)}, '')" for name in _STAMPED)
    return f"CAST({' || '.join(parts)} AS BLOB)"


def erased_column(table: Table) -> str:
    """Return SQL that is 1 where the retention rules have emptied a run."""
    return f"{table.column('token_snapshot_write_disabled')} = 1"


def plain_columns(table: Table) -> str:
    """Return the select list of a row that `plain_cells` reads."""
    texts = ("status", "thread_id", "graph_version_ref", "deployment_ref", "current_step")
    last = ("lease_worker_id", "lease_expires_at", "started_at", "updated_at")
    nodes = f"CASE WHEN {table.column('status')} = '{_FAILED}' THEN {{}} END"
    return ", ".join(
        (
            "rowid",
            stamp_column(table),
            erased_column(table),
            f"nullif({table.tenant()}, '{DEFAULT_TENANT}')",
            f"nullif({table.scope()}, '{NULL_SCOPE}')",
            "run_id",
            *(table.column(name) for name in texts),
            f"substr({table.column('error')}, 1, {LONG})",
            _small(table.column("failure_state")),
            _small(table.column("metadata")),
            nodes.format(_small(table.column("current_node_ids"))),
            *(table.column(name) for name in last),
        )
    )


def plain_cells(row: tuple[Any, ...]) -> Cells | None:
    """Return what the index keeps of a run; None where only its summary tells that rightly."""
    number, written, erased, *texts = row
    run_id = row[5]
    if run_id is None or not _PLAIN.issuperset(map(type, texts)):
        return None
    tenant, scope, _, status, thread, graph, deployment, step, error = texts[:9]
    stored_failure, stored_metadata, nodes, worker, expires, started_at, updated_at = texts[9:]
    try:
        failure = _NO_FAILURE if stored_failure is None else _failure(stored_failure)
        metadata = _NO_METADATA if stored_metadata is None else _metadata(stored_metadata)
        node = _failed_node(metadata, nodes) if status == _FAILED else None
        started, updated = _microseconds(started_at), _microseconds(updated_at)
    except (ValueError, RecursionError):
        return None
    message = failure.message or error
    cost = total(metadata.total_cost_usd, metadata.total_estimated_cost_usd)
    if cost is not None and not isfinite(cost):
        return None
    return (
        number,
        tenant,
        scope,
        run_id,
        status,
        thread,
        graph,
        deployment,
        step,
        error,
        failure.reason,
        None if message == error else message,
        node,
        metadata.parent_run_id,
        worker,
        None if expires is None else iso(moment(expires)),
        erased,
        *spans(status, started, updated),
        cost,
        stamp_of(written),
    )


def _small(column: str) -> str:
    """Return SQL for a JSON cell; a blob, which is never plain, in place of a large one."""
    return f"CASE WHEN {column} IS NULL OR length({column}) <= {LARGE} THEN {column} ELSE x'' END"


def _failed_node(metadata: _Metadata, nodes: str | None) -> str | None:
    dispatch = metadata.in_flight_dispatch
    if dispatch is not None and dispatch.node_id is not None:
        return dispatch.node_id
    current = () if nodes is None else read_strings(nodes)
    return current[0] if current else None


def _microseconds(text: str | None) -> int | None:
    """Return a time as microseconds since 1970; a ValueError where it is not spelled plainly."""
    if text is None:
        return None
    if len(text) not in _LENGTHS or not text.endswith(_ZONE):
        raise ValueError(text)
    return microseconds(datetime.fromisoformat(text))
