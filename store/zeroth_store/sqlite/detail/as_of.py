"""A run as a checkpoint holds it, read by the same decoders as its row."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Final

import msgspec

from zeroth_store.browse import (
    ApprovalEntry,
    AsOf,
    CellProblem,
    JsonText,
    OperationEntry,
    RelatedRows,
    RunDetail,
    RunKey,
    Stored,
)
from zeroth_store.checkpoint_detail import RunAsOf
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.decoding.cells import moment, text_of
from zeroth_store.sqlite.decoding.jsontext import load_json, raw_members
from zeroth_store.sqlite.detail.related import related_rows
from zeroth_store.sqlite.detail.run import Cells, detail_of
from zeroth_store.sqlite.detail.snapshot_states import read_state
from zeroth_store.sqlite.detail.snapshots import created_at, position_of
from zeroth_store.sqlite.lists.run_columns import RUN_JSON
from zeroth_store.sqlite.lists.summaries import decode_summary
from zeroth_store.times import NO_MOMENT, Moment, latest

_SUMMARY: Final = (
    *("tenant_id", "workspace_scope", "run_id", "status", "thread_id"),
    *("graph_version_ref", "deployment_ref", "workflow_name", "started_at", "updated_at"),
    *("current_step", "failure_count"),
    *("lease_worker_id", "lease_acquired_at", "lease_expires_at", "lease_generation"),
    *("error", "failure_state", "metadata", "current_node_ids"),
)
"""What `decode_summary` takes behind the rowid, in its order; a state has no lease."""


def read_run_as_of(
    connection: sqlite3.Connection, key: RunKey, checkpoint_id: str, secret: EncryptionKey | None
) -> RunAsOf | None:
    """Return the run that a checkpoint in the scope of `key` holds; None when none can be read."""
    state = read_state(connection, key, checkpoint_id, secret)
    if state is None or state.text is None:
        return None
    cells = state_cells(state.text)
    created = created_at(connection, key, checkpoint_id)
    as_of = AsOf(
        checkpoint_id=checkpoint_id,
        position=position_of(connection, key, checkpoint_id),
        moment=latest(created, moment(cells.get("updated_at"))),
    )
    named = text_of(cells.get("run_id"))
    owner = key if named is None else key._replace(run_id=named)
    detail = _detail(owner, cells, as_of)
    return RunAsOf(detail, related_until(related_rows(connection, owner), as_of.moment))


def state_cells(text: JsonText) -> Cells:
    """Return the members of a state as the cells that a row would hold; raises Unreadable."""
    return {name: _cell(name, value) for name, value in raw_members(text).items()}


def related_until(related: RelatedRows, until: Moment) -> RelatedRows:
    """Return what other tables said of a run at a moment; all of it where the moment is unknown."""
    if until.instant is None:
        return related
    end = until.instant
    return RelatedRows(
        audits=tuple(
            audit
            for audit in related.audits
            if not _after(audit.created if audit.created.instant else audit.completed, end)
        ),
        approvals=tuple(
            _approval_then(one, end) for one in related.approvals if not _after(one.created, end)
        ),
        operations=tuple(
            _operation_then(one, end) for one in related.operations if not _after(one.created, end)
        ),
        parent=related.parent,
        children=tuple(child for child in related.children if not _after(child.started, end)),
    )


def _cell(name: str, value: JsonText) -> Stored:
    if value == "null":
        return None
    if name in RUN_JSON:
        return value
    decoded = load_json(value)
    return decoded if isinstance(decoded, str | int | float) else value


def _detail(owner: RunKey, cells: Cells, as_of: AsOf) -> RunDetail:
    scope = {"tenant_id": owner.tenant_id, "workspace_scope": owner.workspace_scope}
    known: Cells = {**cells, **scope, "run_id": owner.run_id}
    summary = decode_summary((0, *(known.get(name) for name in _SUMMARY)))
    if summary.parent_run_id is None:
        # Only the first state of a run says so outside of its metadata.
        parent = text_of(cells.get("parent_run_id"))
        summary = msgspec.structs.replace(summary, parent_run_id=parent)
    problems: list[CellProblem] = []
    detail = detail_of(summary, tuple(cells.items()), problems)
    return msgspec.structs.replace(detail, as_of=as_of)


def _approval_then(approval: ApprovalEntry, end: datetime) -> ApprovalEntry:
    """Return an approval without a decision that came later."""
    if not _after(approval.resolved, end):
        return approval
    return msgspec.structs.replace(
        approval,
        status="pending",
        decision=None,
        actor=None,
        resolved=NO_MOMENT,
        edited=False,
    )


def _operation_then(operation: OperationEntry, end: datetime) -> OperationEntry:
    """Return a side effect whose state is unknown where it was written later."""
    if not _after(operation.updated, end):
        return operation
    return msgspec.structs.replace(operation, state=None, error=None, ambiguity=None)


def _after(then: Moment, end: datetime) -> bool:
    return then.instant is not None and then.instant > end
