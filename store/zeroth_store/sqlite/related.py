"""What other tables say of a run: audits, approvals, side effects; and its parent and children."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, TypeVar

import msgspec

from zeroth_store.browse import (
    ApprovalEntry,
    AuditEntry,
    OperationEntry,
    RelatedRows,
    RunKey,
    RunSummary,
)
from zeroth_store.sqlite.cells import (
    JsonTime,
    bind,
    moment,
    money,
    number_of,
    read_cell,
    text_of,
)
from zeroth_store.sqlite.finding import find_run, scope_of, summary_of
from zeroth_store.sqlite.jsontext import NOTHING, Unreadable, raw_text, read_object
from zeroth_store.sqlite.summaries import fetch_summaries
from zeroth_store.sqlite.tables import Table, find_table, runs_table

S = TypeVar("S", bound=msgspec.Struct)
Row = tuple[Any, ...]


class _Audit(msgspec.Struct):
    status: str | None = None
    attempt: int | None = None
    started_at: JsonTime = None
    completed_at: JsonTime = None
    error: str | None = None
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None
    execution_metadata: msgspec.Raw = NOTHING


class _Execution(msgspec.Struct):
    reason_code: str | None = None
    branch_id: str | None = None


class _Approval(msgspec.Struct):
    summary: str | None = None
    requested_by: msgspec.Raw = NOTHING
    resolution: msgspec.Raw = NOTHING


class _Resolution(msgspec.Struct):
    decision: str | None = None
    actor: msgspec.Raw = NOTHING
    edited_payload: msgspec.Raw = NOTHING
    resolved_at: JsonTime = None


class _Actor(msgspec.Struct):
    subject: str | None = None


class _Links(msgspec.Struct):
    pending_subgraph: msgspec.Raw = NOTHING


class _Subgraph(msgspec.Struct):
    child_run_id: str | None = None


def related_rows(connection: sqlite3.Connection, key: RunKey) -> RelatedRows:
    """Return everything that other rows say of a run."""
    runs = runs_table(connection)
    own = summary_of(connection, runs, key)
    parent = None if own is None or own.parent_run_id is None else own.parent_run_id
    return RelatedRows(
        audits=_audits(connection, key),
        approvals=_approvals(connection, key),
        operations=_operations(connection, key),
        parent=(parent and summary_of(connection, runs, key._replace(run_id=parent))) or None,
        children=_children(connection, runs, key),
    )


def _audits(connection: sqlite3.Connection, key: RunKey) -> tuple[AuditEntry, ...]:
    columns = ("audit_id", "node_id", "created_at", "chain_sequence", "record_json")
    rows = _rows(connection, "node_audits", columns, "chain_sequence", key)
    return tuple(_audit(row) for row in rows)


def _audit(row: Row) -> AuditEntry:
    audit_id, node_id, created, sequence, record = row
    audit = read_cell(record, "record_json", _Audit)
    execution = _inner(audit.execution_metadata, _Execution)
    return AuditEntry(
        audit_id=text_of(audit_id) or "",
        node_id=text_of(node_id) or "",
        status=audit.status,
        attempt=audit.attempt,
        started=moment(audit.started_at),
        completed=moment(audit.completed_at),
        created=moment(created),
        error=audit.error,
        cost=money(audit.cost_usd, audit.estimated_cost_usd),
        reason_code=execution.reason_code,
        branch_id=execution.branch_id,
        sequence=number_of(sequence),
    )


def _approvals(connection: sqlite3.Connection, key: RunKey) -> tuple[ApprovalEntry, ...]:
    columns = (
        "approval_id",
        "node_id",
        "status",
        "created_at",
        "updated_at",
        "sla_deadline",
        "record_json",
    )
    return tuple(_approval(row) for row in _rows(connection, "approvals", columns, "rowid", key))


def _approval(row: Row) -> ApprovalEntry:
    approval_id, node_id, status, created, updated, deadline, record = row
    approval = read_cell(record, "record_json", _Approval)
    resolution = _inner(approval.resolution, _Resolution)
    return ApprovalEntry(
        approval_id=text_of(approval_id) or "",
        node_id=text_of(node_id) or "",
        status=text_of(status),
        created=moment(created),
        updated=moment(updated),
        deadline=moment(deadline),
        summary=approval.summary,
        requested_by=_inner(approval.requested_by, _Actor).subject,
        decision=resolution.decision,
        actor=_inner(resolution.actor, _Actor).subject,
        resolved=moment(resolution.resolved_at),
        edited=raw_text(resolution.edited_payload) not in (None, "null"),
    )


def _operations(connection: sqlite3.Connection, key: RunKey) -> tuple[OperationEntry, ...]:
    columns = (
        "operation_key",
        "target_ref",
        "state",
        "attempt",
        "error",
        "ambiguity_reason",
        "created_at",
        "updated_at",
    )
    rows = _rows(connection, "side_effect_operations", columns, "rowid", key)
    return tuple(_operation(row) for row in rows)


def _operation(row: Row) -> OperationEntry:
    name, target, state, attempt, error, ambiguity, created, updated = row
    return OperationEntry(
        operation_key=text_of(name) or "",
        target=text_of(target),
        state=text_of(state),
        attempt=number_of(attempt),
        error=text_of(error),
        ambiguity=text_of(ambiguity),
        created=moment(created),
        updated=moment(updated),
    )


def _children(connection: sqlite3.Connection, runs: Table, key: RunKey) -> tuple[RunSummary, ...]:
    """Return the runs whose metadata names this one as parent, oldest first, in any thread.

    The text search sees metadata that SQLite's JSON functions refuse; the decoded summary decides.
    """
    found: dict[int, RunSummary] = {}
    if not runs.has("metadata"):
        return ()
    spellings = {key.run_id, json.dumps(key.run_id)[1:-1]}
    for spelling in spellings:
        rows = fetch_summaries(
            connection,
            runs,
            f"WHERE {runs.in_scope()} AND instr(metadata, 'parent_run_id') > 0"
            " AND instr(metadata, CAST(? AS TEXT)) > 0",
            (*scope_of(key), bind(spelling)),
        )
        found.update((rowid, row) for rowid, row in rows if row.parent_run_id == key.run_id)
    if (pending := _pending_child(connection, runs, key)) is not None:
        rows = fetch_summaries(connection, runs, "WHERE rowid = ?", (pending,))
        found.update(rows)
    return tuple(found[rowid] for rowid in sorted(found))


def _pending_child(connection: sqlite3.Connection, runs: Table, key: RunKey) -> int | None:
    """Return the rowid of the child that a waiting parent waits for."""
    rowid = find_run(connection, runs, key)
    rows = connection.execute("SELECT metadata FROM runs WHERE rowid = ?", (rowid,)).fetchall()
    for (metadata,) in rows:
        links = read_cell(metadata, "metadata", _Links)
        child = _inner(links.pending_subgraph, _Subgraph).child_run_id
        if child is not None:
            return find_run(connection, runs, key._replace(run_id=child))
    return None


def _rows(
    connection: sqlite3.Connection, name: str, columns: tuple[str, ...], order: str, key: RunKey
) -> list[Row]:
    """Return the rows of another table that belong to a run; none where the table is missing."""
    table = find_table(connection, name)
    if table is None or not table.has("run_id"):
        return []
    order_by = f"{order}, rowid" if table.has(order) else "rowid"
    return connection.execute(
        f"SELECT {', '.join(table.column(c) for c in columns)} FROM {name}"
        f" WHERE {table.in_scope()} AND run_id = CAST(? AS TEXT) ORDER BY {order_by}",
        (*scope_of(key), bind(key.run_id)),
    ).fetchall()


def _inner(raw: msgspec.Raw, shape: type[S]) -> S:
    """Decode an object inside a record; an empty struct where there is none."""
    try:
        return read_object(raw_text(raw) or "{}", shape)
    except Unreadable:
        return shape()
