"""Going back to a saved state, or on from it in a new run: which state that makes, without saving.

Saved states hold what ties them to one run: approvals asked for, children started, a lease's token.
A run that takes such a state up keeps none of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from zeroth_store.acting import ActRefused
from zeroth_store.models import Run, RunConditionResult, RunHistoryEntry
from zeroth_store.status import RunStatus

RESTORED: Final = (
    *("status", "error", "failure_state", "final_output", "current_step", "current_node_ids"),
    *("pending_node_ids", "completed_steps", "execution_history", "condition_results"),
    *("node_visit_counts", "audit_refs", "artifacts", "channels", "metadata"),
    *("pending_approval", "pending_interrupt_id"),
)
"""The columns of a run that a restored state replaces, in the order in which they are shown."""

LINEAGE: Final = "forked_from"
"""The key of `metadata` that says which run a fork was started from, and where in it."""

_TIES: Final = frozenset(
    {"pending_approval", "pending_subgraph", "pending_parallel_subgraph", "pending_reconciliation"}
    | {"approval_resolved_id", "approval_resolved_payload", "terminal_reason"}
    | {"termination_reason", "token_dispatch", "token_trace_tags", "join_state"}
)
_POSITION: Final = frozenset({"in_flight_dispatch", "last_output", "token_fork_node_visits"})
_PARENT: Final = frozenset({"parent_run_id", "parent_node_id"})


def restored(saved: Run) -> Run:
    """Return a checkpoint's state as it goes on: PENDING, without failure or result.

    Raises ActRefused for the state of a run that was finished.
    """
    if saved.status is RunStatus.COMPLETED:
        raise ActRefused("this checkpoint is of the finished run: there is nothing left to do")
    waiting = [*saved.current_node_ids, *saved.pending_node_ids]
    return saved.model_copy(
        update={
            **_FRESH,
            "pending_node_ids": list(dict.fromkeys(waiting)),
            "metadata": _without(saved.metadata, _TIES),
        }
    )


def before_step(run: Run, step: int) -> Run:
    """Return a run as it was before a step of its history, which is the next to be done.

    Artifacts and channels are kept for the whole run only, so they stay as they are. Raises
    ActRefused when there is no such step.
    """
    if not 0 <= step < len(run.execution_history):
        steps = len(run.execution_history)
        raise ActRefused(f"there is no step {step + 1}: the run's history holds {steps}")
    entry, done = run.execution_history[step], run.execution_history[:step]
    metadata = _without(run.metadata, _TIES | _POSITION)
    return run.model_copy(
        update={
            **_FRESH,
            "pending_node_ids": [entry.node_id],
            "execution_history": done,
            "completed_steps": [earlier.node_id for earlier in done],
            "node_visit_counts": dict(Counter(earlier.node_id for earlier in done)),
            "condition_results": _decided_before(run.condition_results, entry),
            "audit_refs": _refs_of(run.audit_refs, done),
            "metadata": {**metadata, "node_payloads": {entry.node_id: entry.input_snapshot}},
        }
    )


def forked(state: Run, run_id: str, thread_id: str, origin: dict[str, Any], now: datetime) -> Run:
    """Return a new run that goes on from a state; `origin` says where that is from.

    It is nobody's child, whoever the source was started by.
    """
    metadata = {**_without(state.metadata, _PARENT), LINEAGE: origin}
    if "initial_input" not in metadata and state.inputs is not None:
        metadata["initial_input"] = state.inputs
    return state.model_copy(
        update={
            "run_id": run_id,
            "thread_id": thread_id,
            "checkpoint_id": None,
            "parent_checkpoint_id": origin.get("checkpoint_id"),
            "parent_run_id": None,
            "submitted_by": None,
            "started_at": now,
            "updated_at": now,
            "metadata": metadata,
        }
    )


_FRESH: Final[dict[str, Any]] = {
    "status": RunStatus.PENDING,
    "error": None,
    "failure_state": None,
    "final_output": None,
    "current_step": None,
    "current_node_ids": [],
    "pending_approval": None,
    "pending_interrupt_id": None,
}


def _without(metadata: dict[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name not in keys}


def _decided_before(
    results: Iterable[RunConditionResult], entry: RunHistoryEntry
) -> list[RunConditionResult]:
    """Return the decisions made before a step; its `started_at` may be when it completed.

    Either is before its own decisions.
    """
    moment = _aware(entry.started_at)
    return [result for result in results if _aware(result.evaluated_at) < moment]


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _refs_of(refs: list[str], done: Iterable[RunHistoryEntry]) -> list[str]:
    """Return the audit references up to the last one of these steps: their number goes on."""
    places = [refs.index(entry.audit_ref) for entry in done if entry.audit_ref in refs]
    return refs[: max(places) + 1] if places else []
