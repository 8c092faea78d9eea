"""The run domain: a run, its history, decisions and failure, and the thread it belongs to.

Building a model refuses fields it does not know. Rows read from a database go through
`from_stored`, which keeps them, so that writing a row back never loses what a newer version put
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, model_validator

from zeroth_store.guide_names import with_field_names
from zeroth_store.status import RunStatus, ThreadStatus


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a fresh random id: 32 hexadecimal digits."""
    return uuid4().hex


class StoredModel(BaseModel):
    """Base of the models that are stored."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def from_stored(cls, values: Mapping[str, Any]) -> Self:
        """Build from what a database holds, keeping fields this version does not know."""
        return cls.model_validate(dict(values), extra="allow")


class ActorIdentity(StoredModel):
    """Who submitted a run."""

    subject: str
    auth_method: str | None = None
    roles: list[str] = Field(default_factory=list)
    tenant_id: str | None = None
    workspace_id: str | None = None


class ApprovalRequest(StoredModel):
    """A typed request for approval, as library callers store it in `pending_approval`."""

    request_id: str = Field(default_factory=new_id)
    run_id: str
    workflow_name: str
    step_name: str
    executor_name: str
    reason: str | None = None
    created_at: datetime = Field(default_factory=utc_now)
    metadata: dict[str, Any] = Field(default_factory=dict)


class RunHistoryEntry(StoredModel):
    """A record of one node's execution within a run: what went in, what came out, and when."""

    node_id: str
    status: str
    attempt: int = 1
    input_snapshot: dict[str, Any] = Field(default_factory=dict)
    output_snapshot: dict[str, Any] = Field(default_factory=dict)
    audit_ref: str | None = None
    started_at: datetime = Field(default_factory=utc_now)
    """Real Zeroth writes the time of completion here for entries that completed."""
    completed_at: datetime | None = None
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None
    cost_measurement: str | None = None


class RunConditionResult(StoredModel):
    """A branching decision: what was checked, whether it matched, which edge it chose."""

    condition_id: str
    selected_edge_id: str | None = None
    matched: bool
    evaluated_at: datetime = Field(default_factory=utc_now)
    details: dict[str, Any] = Field(default_factory=dict)


class RunFailureState(StoredModel):
    """Why a run failed."""

    reason: str
    message: str | None = None
    details: dict[str, Any] = Field(default_factory=dict)


class RunState(StoredModel):
    """The part of a run that any workflow engine has: status, steps and times."""

    run_id: str = Field(default_factory=new_id)
    thread_id: str = ""
    """Defaults to the run's own id."""
    checkpoint_id: str | None = None
    parent_checkpoint_id: str | None = None
    epoch: int = 0
    workflow_name: str = ""
    status: RunStatus = RunStatus.PENDING
    current_step: str | None = None
    completed_steps: list[str] = Field(default_factory=list)
    artifacts: dict[str, Any] = Field(default_factory=dict)
    channels: dict[str, Any] = Field(default_factory=dict)
    pending_approval: ApprovalRequest | None = None
    pending_interrupt_id: str | None = None
    started_at: datetime = Field(default_factory=utc_now)
    updated_at: datetime = Field(default_factory=utc_now)
    error: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    def touch(self) -> None:
        """Set `updated_at` to now."""
        self.updated_at = utc_now()


class Run(RunState):
    """A single execution of a graph.

    The how-to guide's names are accepted when building (`id`, `graph_id`, `inputs`, `history`,
    `outputs`) and readable as properties; the fields carry the names of the columns.
    """

    graph_version_ref: str
    deployment_ref: str
    """Defaults to `graph_version_ref`."""
    tenant_id: str = "default"
    workspace_id: str | None = None
    parent_run_id: str | None = None
    """Also kept in `metadata`, the only place that outlives a reload by real Zeroth."""
    submitted_by: ActorIdentity | None = None
    current_node_ids: list[str] = Field(default_factory=list)
    pending_node_ids: list[str] = Field(default_factory=list)
    execution_history: list[RunHistoryEntry] = Field(default_factory=list)
    node_visit_counts: dict[str, int] = Field(default_factory=dict)
    condition_results: list[RunConditionResult] = Field(default_factory=list)
    audit_refs: list[str] = Field(default_factory=list)
    final_output: Any = None
    failure_state: RunFailureState | None = None

    if TYPE_CHECKING:
        # For type checkers only, which do not see the guide's names: an `__init__` at run time
        # would make `from_stored` refuse the fields it is there to keep.
        def __init__(self, **data: Any) -> None:
            """Build a run; raises ValidationError for an unknown field or a name given twice."""

    @model_validator(mode="before")
    @classmethod
    def _accept_guide_names(cls, data: Any) -> Any:
        return with_field_names(data) if isinstance(data, Mapping) else data

    @model_validator(mode="after")
    def _fill_what_follows(self) -> Self:
        self.thread_id = self.thread_id or self.run_id
        self.workflow_name = self.workflow_name or self.deployment_ref
        if self.current_step is None and self.current_node_ids:
            self.current_step = self.current_node_ids[0]
        if not self.completed_steps and self.execution_history:
            self.completed_steps = [entry.node_id for entry in self.execution_history]
        if self.failure_state is not None and self.error is None:
            self.error = self.failure_state.message or self.failure_state.reason
        return self

    @property
    def id(self) -> str:
        """The run's id; the guide's name of `run_id`."""
        return self.run_id

    @property
    def graph_id(self) -> str:
        """The guide's name of `graph_version_ref`."""
        return self.graph_version_ref

    @property
    def inputs(self) -> Any:
        """What the run was started with, from the first place that still holds it; else None."""
        if "initial_input" in self.metadata:
            return self.metadata["initial_input"]
        if self.execution_history:
            return self.execution_history[0].input_snapshot
        payloads = self.metadata.get("node_payloads")
        if isinstance(payloads, dict) and payloads:
            first = next(iter(self.current_node_ids + self.pending_node_ids), None)
            return payloads.get(first, next(iter(payloads.values())))
        return None

    @property
    def history(self) -> list[RunHistoryEntry]:
        """The guide's name of `execution_history`."""
        return self.execution_history

    @property
    def outputs(self) -> Any:
        """The final output, or None until the run is COMPLETED."""
        return self.final_output if self.status is RunStatus.COMPLETED else None


class ThreadMemoryBinding(StoredModel):
    """A reference linking a thread to a memory instance."""

    connector_id: str
    instance_id: str
    scope: str | None = None


class Thread(StoredModel):
    """A container that groups related runs over time, with their checkpoints and memory."""

    thread_id: str = Field(default_factory=new_id)
    graph_version_ref: str
    deployment_ref: str
    tenant_id: str = "default"
    workspace_id: str | None = None
    status: ThreadStatus = ThreadStatus.ACTIVE
    participating_agent_refs: list[str] = Field(default_factory=list)
    state_snapshot_refs: list[str] = Field(default_factory=list)
    checkpoint_refs: list[str] = Field(default_factory=list)
    memory_bindings: list[ThreadMemoryBinding] = Field(default_factory=list)
    run_ids: list[str] = Field(default_factory=list)
    active_run_id: str | None = None
    last_run_id: str | None = None
    created_at: datetime = Field(default_factory=utc_now)
    updated_at: datetime = Field(default_factory=utc_now)
