"""One run whole, with its checkpoints and what other tables say of it.

The values hold what is stored, also where it fits no model. What can be large stays JSON text until
somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from zeroth_store.summaries import Cost, RunSummary
from zeroth_store.times import NO_MOMENT, Moment, latest

JsonText = str
"""A JSON value as stored: numbers, NaN and escapes untouched. Decode it only to show it."""

Stored = None | int | float | str | bytes
"""A cell as SQLite holds it. Bytes that are no UTF-8 arrive as lone surrogates (PEP 383)."""


class CellProblem(msgspec.Struct, frozen=True):
    """A cell, or a part of it, that could not be read as what it should be."""

    column: str
    message: str
    """What is wrong and where, e.g. `not JSON: Expecting value at character 4`."""


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `runs.execution_history`, in append order."""

    index: int
    """Position in the stored list, from 0; unreadable neighbours keep theirs."""
    node_id: str
    status: str | None
    attempt: int | None
    started: Moment
    """For entries that completed this is the time of completion; see `completed`."""
    completed: Moment
    audit_ref: str | None
    cost: Cost = Cost()
    cost_measurement: str | None = None
    input: JsonText | None = None
    output: JsonText | None = None


class ConditionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `runs.condition_results`: an edge that was considered."""

    index: int
    condition_id: str
    edge_id: str | None
    source: str | None
    target: str | None
    rule: str | None
    expression: str | None
    value: JsonText | None
    """The recorded value of the expression, or the list of operand values of an all/any rule."""
    operands: JsonText | None
    matched: bool | None
    selected_edge_id: str | None
    suppression_reason: str | None
    evaluated: Moment

    @property
    def taken(self) -> bool:
        """Whether the run went along this edge: matched is not enough (`visit_limit`)."""
        return bool(self.matched) and self.suppression_reason is None


class FailureInfo(msgspec.Struct, frozen=True):
    """`runs.failure_state`, with `runs.error` where it says more."""

    reason: str | None
    message: str | None
    details: JsonText | None = None
    error: str | None = None


class AsOf(msgspec.Struct, frozen=True, kw_only=True):
    """The checkpoint that a run is shown from, instead of its row."""

    checkpoint_id: str
    position: int | None
    """Place in `threads.checkpoint_refs`, from 0; None when the thread does not list it."""
    moment: Moment
    """When the state was saved."""


class RunDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One run whole."""

    summary: RunSummary
    columns: tuple[tuple[str, Stored], ...]
    """Every column as stored, in table order, those this version does not know included."""
    history: Sequence[HistoryEntry] = ()
    conditions: tuple[ConditionEntry, ...] = ()
    failure: FailureInfo | None = None
    metadata: JsonText | None = None
    output: JsonText | None = None
    """None when the column is NULL: a stored `null` is the text `null`."""
    initial_input: JsonText | None = None
    in_flight_node: str | None = None
    """The node that was dispatched last and has not reported back."""
    in_flight_input: JsonText | None = None
    submitted_by: str | None = None
    pending_approval_id: str | None = None
    pending_approval_node: str | None = None
    pending_child_run_id: str | None = None
    terminal_reason: str | None = None
    visit_counts: tuple[tuple[str, int], ...] = ()
    audit_refs: tuple[str, ...] = ()
    pending_nodes: tuple[str, ...] = ()
    erased: bool = False
    """Retention removed the content (`token_snapshot_write_disabled`)."""
    as_of: AsOf | None = None
    """Set when this is the run as a checkpoint holds it: what came later is not in it."""
    problems: tuple[CellProblem, ...] = ()


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `node_audits`: the only place with true durations."""

    audit_id: str
    node_id: str
    status: str | None
    attempt: int | None
    started: Moment
    completed: Moment
    created: Moment
    error: str | None = None
    cost: Cost = Cost()
    reason_code: str | None = None
    branch_id: str | None = None
    sequence: int | None = None


class ApprovalEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `approvals`."""

    approval_id: str
    node_id: str
    status: str | None
    created: Moment
    updated: Moment
    deadline: Moment = NO_MOMENT
    summary: str | None = None
    requested_by: str | None = None
    decision: str | None = None
    actor: str | None = None
    resolved: Moment = NO_MOMENT
    edited: bool = False


class OperationEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `side_effect_operations`."""

    operation_key: str
    target: str | None
    state: str | None
    attempt: int | None
    error: str | None = None
    ambiguity: str | None = None
    created: Moment = NO_MOMENT
    updated: Moment = NO_MOMENT


CheckpointKind = Literal["state", "thread_state", "encrypted", "unreadable", "gone"]
"""`gone` is a checkpoint that the thread lists and that has no row: retention removes rows."""


class CheckpointSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `run_checkpoints`, without its payload."""

    checkpoint_id: str
    run_id: str | None
    thread_id: str | None
    position: int | None
    """Place in `threads.checkpoint_refs`, from 0; None when the thread does not list it."""
    stored_order: int | None
    created: Moment
    size: int
    """Bytes of `state_json`; 0 for NULL."""
    kind: CheckpointKind
    status: str | None = None
    """The run's status inside the snapshot, where it can be read cheaply."""
    steps: int | None = None
    """How many nodes the snapshot counts as completed."""
    updated: Moment = NO_MOMENT
    """The run's `updated_at` inside the snapshot, where it can be read cheaply."""

    @property
    def saved(self) -> Moment:
        """When the state was saved last: a row keeps its first time when it is written again."""
        return latest(self.created, self.updated)


class RelatedRows(msgspec.Struct, frozen=True, kw_only=True):
    """What other tables say of a run; empty where a database lacks the table."""

    audits: tuple[AuditEntry, ...] = ()
    approvals: tuple[ApprovalEntry, ...] = ()
    operations: tuple[OperationEntry, ...] = ()
    parent: RunSummary | None = None
    children: tuple[RunSummary, ...] = ()
