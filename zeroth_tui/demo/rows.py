"""What a demo stores, in the shapes in which Zeroth stores it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from zeroth_store.models import RunConditionResult, RunHistoryEntry
from zeroth_tui.demo.scenario import Edge

REDACTED = "***REDACTED***"
"""What Zeroth puts in place of a secret that passes an approval."""

_SECRET_KEYS = frozenset({"authorization", "api_key", "password", "secret", "token"})


def completed_entry(
    node_id: str,
    *,
    given: Mapping[str, Any],
    output: Mapping[str, Any],
    at: datetime,
    audit_ref: str,
    attempt: int = 1,
    cost: float | None = None,
    estimate: float | None = None,
) -> RunHistoryEntry:
    """Return the entry of a node that completed: its time of completion is in `started_at`."""
    return RunHistoryEntry(
        node_id=node_id,
        status="completed",
        attempt=attempt,
        input_snapshot=dict(given),
        output_snapshot=dict(output),
        audit_ref=audit_ref,
        started_at=at,
        cost_usd=cost,
        estimated_cost_usd=estimate,
        cost_measurement=_measurement(cost, estimate),
    )


def failed_entry(
    node_id: str,
    *,
    given: Mapping[str, Any],
    began: datetime,
    ended: datetime,
    audit_ref: str,
    attempt: int = 1,
) -> RunHistoryEntry:
    """Return the entry of a node that failed: both times, no output, not why it failed."""
    return RunHistoryEntry(
        node_id=node_id,
        status="failed",
        attempt=attempt,
        input_snapshot=dict(given),
        audit_ref=audit_ref,
        started_at=began,
        completed_at=ended,
        cost_measurement=_measurement(None, None),
    )


def decision(source: str, edge: Edge, *, prefix: str, at: datetime) -> RunConditionResult:
    """Return what was decided about one way out of a node; `prefix` stands before all ids."""
    edge_id = f"{prefix}{edge.id}"
    details: dict[str, Any] = {
        "branch_rule": "passthrough" if edge.expression is None else "expression",
        "edge_id": edge_id,
        "expression": edge.expression,
        "graph_context": {},
        "operand_refs": [],
        "source_node_id": source,
        "target_node_id": f"{prefix}{edge.target}",
        "value": None if edge.suppressed == "edge_disabled" else edge.value,
    }
    if edge.suppressed is not None:
        details["suppression_reason"] = edge.suppressed
    return RunConditionResult(
        condition_id=edge_id,
        selected_edge_id=edge_id if edge.matched else None,
        matched=edge.matched,
        evaluated_at=at,
        details=details,
    )


def redacted(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload as an approval passes it on: without its secrets."""
    return {key: REDACTED if key in _SECRET_KEYS else value for key, value in payload.items()}


def _measurement(cost: float | None, estimate: float | None) -> str:
    if cost is not None:
        return "measured"
    return "unmeasured" if estimate is None else "estimated"
