"""One line of a run list: which columns it reads, and how a row becomes a RunSummary."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

import msgspec

from zeroth_store.browse import Lease, RunKey, RunSummary, Stored
from zeroth_store.sqlite.decoding.cells import (
    is_exact,
    moment,
    money,
    number_of,
    read_cell,
    read_inner,
    strings,
    text_of,
)
from zeroth_store.sqlite.decoding.fetching import fetch
from zeroth_store.sqlite.decoding.jsontext import NOTHING
from zeroth_store.sqlite.decoding.large_cells import PAYLOADS, read_again
from zeroth_store.sqlite.finding import BY_ROWID, find_run
from zeroth_store.sqlite.lists.standings import with_standing
from zeroth_store.sqlite.search.filter_parts import LARGE
from zeroth_store.sqlite.tables import Table, is_json

WIDTH: Final = 21
"""How many values of a row `summary_columns` asks for."""

LONG: Final = 4_096
"""How much of an error or a message is read: more than a list shows."""
_LARGE_METADATA: Final = """json_object(
    'parent_run_id', json_extract({0}, '$.parent_run_id'),
    'parent_node_id', json_extract({0}, '$.parent_node_id'),
    'in_flight_dispatch',
    json_object('node_id', json_extract({0}, '$.in_flight_dispatch.node_id')),
    'total_cost_usd', json_extract({0}, '$.total_cost_usd'),
    'total_estimated_cost_usd', json_extract({0}, '$.total_estimated_cost_usd'))"""
_LARGE_FAILURE: Final = f"""json_object(
    'reason', substr(json_extract({{0}}, '$.reason'), 1, {LONG}),
    'message', substr(json_extract({{0}}, '$.message'), 1, {LONG}))"""


class _Metadata(msgspec.Struct):
    parent_run_id: str | None = None
    parent_node_id: str | None = None
    in_flight_dispatch: msgspec.Raw = NOTHING
    total_cost_usd: float | None = None
    total_estimated_cost_usd: float | None = None


class _Dispatch(msgspec.Struct):
    node_id: str | None = None


class _Failure(msgspec.Struct):
    reason: str | None = None
    message: str | None = None


def summary_columns(table: Table) -> str:
    """Return the select list of a run summary; no payload of any size is fetched."""
    plain = (
        "status",
        "thread_id",
        "graph_version_ref",
        "deployment_ref",
        "workflow_name",
        "started_at",
        "updated_at",
        "current_step",
        "failure_count",
        "lease_worker_id",
        "lease_acquired_at",
        "lease_expires_at",
        "lease_generation",
    )
    return ", ".join(
        (
            "rowid",
            table.tenant(),
            table.scope(),
            "run_id",
            *(table.column(name) for name in plain),
            f"substr({table.column('error')}, 1, {LONG})",
            _glance(table.column("failure_state"), _LARGE_FAILURE),
            _glance(table.column("metadata"), _LARGE_METADATA),
            _glance(table.column("current_node_ids"), "NULL"),
        )
    )


def fetch_summaries(
    connection: sqlite3.Connection, table: Table, rest: str, parameters: tuple[object, ...] = ()
) -> list[tuple[int, RunSummary]]:
    """Return (rowid, summary) of the runs that the `rest` of a SELECT statement names."""
    try:
        rows = fetch(connection, _select(table, rest), parameters)
    except sqlite3.DataError:
        rows = fetch(connection, _select(without_payloads(table), rest), parameters)
        rows = read_again(connection, _select(table), rows)
    return with_standing(connection, table, [(row[0], decode_summary(row)) for row in rows])


def summary_of(connection: sqlite3.Connection, runs: Table, key: RunKey) -> RunSummary | None:
    """Return one run as a list shows it; None when it is gone."""
    rowid = find_run(connection, runs, key)
    if rowid is None:
        return None
    found = fetch_summaries(connection, runs, "WHERE rowid = ?", (rowid,))
    return found[0][1] if found else None


def without_payloads(table: Table) -> Table:
    """Return the table as if it had no large columns, for rows too big for a connection."""
    small = tuple(name for name in table.columns if name not in PAYLOADS)
    return msgspec.structs.replace(table, columns=small)


def decode_summary(row: tuple[Any, ...]) -> RunSummary:
    """Build a summary from the values that `summary_columns` asked for."""
    (rowid, tenant, scope, run_id, status, thread, graph, deployment, workflow) = row[:9]
    (started, updated, step, count, worker, acquired, expires, generation) = row[9:17]
    error, failure_state, metadata, current = row[17:WIDTH]
    meta = read_cell(metadata, "metadata", _Metadata)
    failure = read_cell(failure_state, "failure_state", _Failure)
    text = text_of(status)
    return RunSummary(
        key=_key(rowid, tenant, scope, run_id),
        status=text,
        thread_id=text_of(thread),
        graph=text_of(graph),
        deployment=text_of(deployment),
        workflow=text_of(workflow),
        started=moment(started),
        updated=moment(updated),
        current_step=text_of(step),
        failure_reason=failure.reason,
        failure_message=failure.message or text_of(error),
        failed_node=_failed_node(meta, current) if text == "FAILED" else None,
        parent_run_id=meta.parent_run_id,
        parent_node_id=meta.parent_node_id,
        lease=_lease(worker, acquired, expires, generation),
        failure_count=number_of(count),
        cost=money(meta.total_cost_usd, meta.total_estimated_cost_usd),
        writable=is_exact(tenant) and is_exact(scope) and is_exact(run_id),
    )


def _select(table: Table, rest: str = "") -> str:
    return f"SELECT {summary_columns(table)} FROM runs {rest}"


def _glance(column: str, large: str) -> str:
    """Return SQL for a JSON cell as stored while it is small, else only what a list shows of it."""
    return (
        f"CASE WHEN length({column}) <= {LARGE} THEN {column}"
        f" WHEN {is_json(column)} THEN {large.format(column)} END"
    )


def _key(rowid: int, tenant: Stored, scope: Stored, run_id: Stored) -> RunKey:
    """Return a run's identity; one that holds a blob or NULL is known by its rowid."""
    if isinstance(tenant, str) and isinstance(scope, str) and isinstance(run_id, str):
        return RunKey(tenant, scope, run_id)
    return RunKey(text_of(tenant) or "", text_of(scope) or "", f"{BY_ROWID}{rowid}")


def _failed_node(meta: _Metadata, current: Stored) -> str | None:
    """Return the node that was running: the dispatched one, in older schemas the current one."""
    node = read_inner(meta.in_flight_dispatch, _Dispatch).node_id
    if node is not None:
        return node
    nodes = strings(current, "current_node_ids")
    return nodes[0] if nodes else None


def _lease(worker: Stored, acquired: Stored, expires: Stored, generation: Stored) -> Lease | None:
    if worker is None and expires is None:
        return None
    return Lease(text_of(worker), moment(acquired), moment(expires), number_of(generation))
