"""What other tables say of a run: audits, approvals, side effects; and its parent and children."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from zeroth_store.browse import (
    ApprovalEntry,
    AuditEntry,
    OperationEntry,
    RelatedRows,
    RunKey,
)
from zeroth_store.sqlite.decoding.cells import (
    JsonTime,
    bind,
    moment,
    money,
    number_of,
    read_cell,
    read_inner,
    text_of,
)
from zeroth_store.sqlite.decoding.jsontext import NOTHING, raw_text
from zeroth_store.sqlite.detail.children import children_of
from zeroth_store.sqlite.finding import scope_of
from zeroth_store.sqlite.lists.summaries import summary_of
from zeroth_store.sqlite.tables import find_table, runs_table

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


def related_rows(
    connection: sqlite3.Connection,
    key: RunKey,
    *,
    known: Iterable[int] = (),
    above: int | None = None,
) -> RelatedRows:
    """Return everything that other rows say of a run.

    Where its children with rowids up to `above` are `known`, only what is above them is looked
    through.
    """
    runs = runs_table(connection)
    own = summary_of(connection, runs, key)
    parent = None if own is None or own.parent_run_id is None else own.parent_run_id
    return RelatedRows(
        audits=_audits(connection, key),
        approvals=_approvals(connection, key),
        operations=_operations(connection, key),
        parent=(parent and summary_of(connection, runs, key._replace(run_id=parent))) or None,
        children=children_of(connection, runs, key, known, above),
    )


def _audits(connection: sqlite3.Connection, key: RunKey) -> tuple[AuditEntry, ...]:
    columns = ("audit_id", "node_id", "created_at", "chain_sequence", "record_json")
    rows = _rows(connection, "node_audits", columns, "chain_sequence", key)
    return tuple(_audit(row) for row in rows)


def _audit(row: Row) -> AuditEntry:
    audit_id, node_id, created, sequence, record = row
    audit = read_cell(record, "record_json", _Audit)
    execution = read_inner(audit.execution_metadata, _Execution)
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
    resolution = read_inner(approval.resolution, _Resolution)
    return ApprovalEntry(
        approval_id=text_of(approval_id) or "",
        node_id=text_of(node_id) or "",
        status=text_of(status),
        created=moment(created),
        updated=moment(updated),
        deadline=moment(deadline),
        summary=approval.summary,
        requested_by=read_inner(approval.requested_by, _Actor).subject,
        decision=resolution.decision,
        actor=read_inner(resolution.actor, _Actor).subject,
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
