"""What a caller may ask of a run database, and the frozen values it gets back.

The read models here are for looking, never for writing: they hold what is stored, also where it
fits no model (an unknown status, an impossible time, text that is not JSON). Values that can be
large stay JSON text (`JsonText`) until somebody looks at them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

import msgspec

from zeroth_store.times import NO_MOMENT, Moment

JsonText = str
"""A JSON value as stored: numbers, NaN and escapes untouched. Decode it only to show it."""

Stored = None | int | float | str | bytes
"""A cell as SQLite holds it. Bytes that are no UTF-8 arrive as lone surrogates (PEP 383)."""

NULL_SCOPE = "null"
"""The `workspace_scope` of rows without a workspace; others are `value:<workspace_id>`."""


class RunKey(NamedTuple):
    """The identity of a run: ids repeat across tenants and workspaces."""

    tenant_id: str
    workspace_scope: str
    run_id: str


class ThreadKey(NamedTuple):
    """The identity of a thread."""

    tenant_id: str
    workspace_scope: str
    thread_id: str


class CellProblem(msgspec.Struct, frozen=True):
    """A cell, or a part of it, that could not be read as what it should be."""

    column: str
    message: str
    """What is wrong and where, e.g. `not JSON: Expecting value at character 4`."""


class Lease(msgspec.Struct, frozen=True):
    """A worker's claim on a run, as stored."""

    worker_id: str | None
    acquired: Moment
    expires: Moment
    generation: int | None = None


class Cost(msgspec.Struct, frozen=True):
    """US dollars spent by a run or a step; None where nothing was recorded."""

    measured: float | None = None
    estimated: float | None = None


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a run list."""

    key: RunKey
    status: str | None
    """Exactly as stored; None for SQL NULL. May be a status this version does not know."""
    thread_id: str | None
    graph: str | None
    """`graph_version_ref`: `name@3` or `name:v3`."""
    deployment: str | None
    workflow: str | None
    started: Moment
    updated: Moment
    current_step: str | None = None
    failure_reason: str | None = None
    failure_message: str | None = None
    failed_node: str | None = None
    """The node that was being run when the run failed; None unless it failed."""
    parent_run_id: str | None = None
    parent_node_id: str | None = None
    lease: Lease | None = None
    failure_count: int | None = None
    cost: Cost = Cost()
    writable: bool = True
    """False when the stored id cannot be named exactly (it is a blob, NULL or no UTF-8)."""


class ThreadSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One thread row."""

    key: ThreadKey
    status: str | None
    graph: str | None
    deployment: str | None
    created: Moment
    updated: Moment
    run_ids: tuple[str, ...] = ()
    """In the order the thread lists them; a run may point to a thread that does not list it."""
    active_run_id: str | None = None
    last_run_id: str | None = None
    checkpoint_count: int = 0
    state_of: str | None = None
    """For a pseudo-thread `thread-state:<thread>:<checkpoint>`: the real thread's id."""
    found: bool = True
    """False for a thread that runs name but that has no row."""


class RollUp(msgspec.Struct, frozen=True):
    """The runs of one thread by stored status, most frequent first."""

    total: int
    by_status: tuple[tuple[str | None, int], ...]


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


class RunDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One run whole."""

    summary: RunSummary
    columns: tuple[tuple[str, Stored], ...]
    """Every column as stored, in table order, those this version does not know included."""
    history: tuple[HistoryEntry, ...] = ()
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


CheckpointKind = Literal["state", "thread_state", "encrypted", "unreadable"]


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


class RelatedRows(msgspec.Struct, frozen=True, kw_only=True):
    """What other tables say of a run; empty where a database lacks the table."""

    audits: tuple[AuditEntry, ...] = ()
    approvals: tuple[ApprovalEntry, ...] = ()
    operations: tuple[OperationEntry, ...] = ()
    parent: RunSummary | None = None
    children: tuple[RunSummary, ...] = ()


class DatabaseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a database is and what it holds in all."""

    path: str
    kind: Literal["own", "guest"]
    revision: str | None
    journal_mode: str
    snapshot: bool
    """True when it is read as it was at opening, because a live open would leave files behind."""
    runs: int
    runs_by_status: tuple[tuple[str | None, int], ...]
    threads: int
    checkpoints: int
    checkpoints_encrypted: int
    scopes: int
    oldest_run: Moment
    newest_run: Moment
    warnings: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """A stretch of a long list, in order; `more` is the cursor of the next stretch."""

    rows: tuple[RunSummary, ...]
    more: int | None = None
    """Pass it as `after` for the rows behind these; None at the end."""


class ThreadPage(msgspec.Struct, frozen=True):
    """A stretch of the thread list; see Page."""

    rows: tuple[ThreadSummary, ...]
    more: int | None = None


class RunQuery(msgspec.Struct, frozen=True):
    """Which runs a list wants, newest created first."""

    text: str = ""
    """Matches any part of id, thread, graph, status or error, ignoring ASCII case."""
    statuses: tuple[str | None, ...] = ()
    """Exactly these stored statuses; empty for all."""


class RunBrowser(Protocol):
    """The read side of a run database: short reads that never block a writer.

    Every method raises a `DatabaseError` when the file cannot be read, and `QueryTooSlow` when its
    budget is spent. No method raises for what a single cell holds.
    """

    async def info(self) -> DatabaseInfo:
        """Count and describe the whole database (reads every run's status)."""
        ...

    async def identity(self) -> tuple[Literal["own", "guest"], str | None, bool]:
        """Return kind, revision and whether it is a snapshot, without counting anything."""
        ...

    async def counts(self) -> tuple[tuple[str | None, int], ...]:
        """Return how many runs have each stored status, most frequent first."""
        ...

    async def threads(self, *, after: int | None = None, limit: int = 100) -> ThreadPage:
        """Return threads, newest created first, without pseudo-threads of thread state."""
        ...

    async def loose_runs(self, *, limit: int = 500) -> tuple[RunSummary, ...]:
        """Return runs whose thread has no row, newest first."""
        ...

    async def thread_runs(self, thread: ThreadKey) -> tuple[RunSummary, ...]:
        """Return a thread's runs, oldest first: those it lists and those that name it."""
        ...

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        ...

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        ...

    async def run(self, key: RunKey) -> RunDetail | None:
        """Return one run whole, or None when it is gone."""
        ...

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        ...

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        ...

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint in the run's scope, as text."""
        ...

    async def version(self) -> object:
        """Return a value that differs from the last one after any commit, cheaply."""
        ...
