"""One line of a list each: runs and threads, and the keys that name them."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from zeroth_store.times import Moment

NULL_SCOPE = "null"
"""The `workspace_scope` of rows without a workspace."""

WORKSPACE = "value:"
"""What the scope of a row in a workspace starts with; the workspace follows."""


def workspace_scope(workspace_id: str | None) -> str:
    """Return the `workspace_scope` that stands for a workspace, or for none."""
    return NULL_SCOPE if workspace_id is None else f"{WORKSPACE}{workspace_id}"


def workspace_of(scope: str) -> str | None:
    """Return the workspace that a `workspace_scope` stands for; None for none."""
    return None if scope == NULL_SCOPE else scope.removeprefix(WORKSPACE)


class RunKey(NamedTuple):
    """The identity of a run: ids repeat across tenants and workspaces.

    A run never equals a thread, which often has the same id as its first run.
    """

    tenant_id: str
    workspace_scope: str
    run_id: str

    def __eq__(self, other: object) -> bool:
        return not isinstance(other, ThreadKey) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


class ThreadKey(NamedTuple):
    """The identity of a thread."""

    tenant_id: str
    workspace_scope: str
    thread_id: str

    def __eq__(self, other: object) -> bool:
        return not isinstance(other, RunKey) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


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
    driven: bool = False
    """A run without a lease that its live parent's worker takes further."""
    approval_missing: bool = False
    """It waits for an approval, and no open approval of it is stored."""
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
    run_count: int = 0
    """How many runs it lists."""
    active_run_id: str | None = None
    last_run_id: str | None = None
    checkpoint_count: int | None = 0
    """How many checkpoints it lists; None where that is not known of the moment it is shown at."""
    state_of: str | None = None
    """For a pseudo-thread `thread-state:<thread>:<checkpoint>`: the real thread's id."""
    found: bool = True
    """False for a thread that runs name but that has no row."""


class RollUp(msgspec.Struct, frozen=True):
    """The runs of one thread by stored status, most frequent first."""

    total: int
    by_status: tuple[tuple[str | None, int], ...]
