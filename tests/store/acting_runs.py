"""A run of an own database with a history that is worth going back in."""

from __future__ import annotations

from typing import Any

from tests.store.support import OpenStore, a_run, at
from zeroth_store import (
    Run,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    RunStatus,
)


def entry(node: str, minute: int, audit: int) -> RunHistoryEntry:
    return RunHistoryEntry(
        node_id=node,
        status="completed",
        started_at=at(minute * 60),
        audit_ref=f"audit:{audit}",
        input_snapshot={"to": node},
        output_snapshot={"by": node},
    )


def decision(source: str, seconds: float) -> RunConditionResult:
    return RunConditionResult(
        condition_id=f"e-{source}",
        matched=True,
        evaluated_at=at(seconds),
        details={"source_node_id": source},
    )


STEPS = [entry("a", 1, 1), entry("b", 2, 3), entry("a", 3, 4)]


async def failed_run(store: OpenStore, **more: Any) -> Run:
    """The run r1: a, b (after a denied node with audit:2), a again; then c failed."""
    values: dict[str, Any] = {
        "status": RunStatus.FAILED,
        "execution_history": STEPS,
        "completed_steps": ["a", "b", "a"],
        "node_visit_counts": {"a": 2, "b": 1},
        "condition_results": [decision("a", 60.5), decision("b", 120.5), decision("a", 180.5)],
        "audit_refs": ["audit:1", "audit:2", "audit:3", "audit:4"],
        "current_node_ids": ["c"],
        "failure_state": RunFailureState(reason="node_execution_failed", message="boom"),
        "final_output": {"half": True},
        "thread_id": "t",
        "metadata": {
            "initial_input": {"q": 1},
            "in_flight_dispatch": {"node_id": "c", "input_payload": {"to": "c"}},
            "pending_approval": {"approval_id": "ap"},
            "parent_run_id": "p",
            "graph_name": "g",
        },
    }
    return await store.runs.create(a_run(**{**values, **more}))
