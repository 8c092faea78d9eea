"""What a worker notes in a run: history, decisions, costs, what runs now and what is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from zeroth_store.models import Run, RunHistoryEntry
from zeroth_tui.demo import rows
from zeroth_tui.demo.scenario import Edge


def next_audit_ref(run: Run) -> str:
    """Return the reference of the run's next audit record."""
    return f"audit:{len(run.audit_refs) + 1}"


def add_entry(run: Run, entry: RunHistoryEntry) -> None:
    """Append to the history, and add what it cost to the run's totals."""
    run.execution_history.append(entry)
    if entry.audit_ref is not None:
        run.audit_refs.append(entry.audit_ref)
    if entry.status == "completed":
        run.completed_steps.append(entry.node_id)
    _add_cost(run.metadata, "total_cost_usd", entry.cost_usd)
    _add_cost(run.metadata, "total_estimated_cost_usd", entry.estimated_cost_usd)
    if entry.cost_usd is not None:
        run.metadata["cost_measurement"] = "measured"
    elif entry.estimated_cost_usd is not None:
        run.metadata.setdefault("cost_measurement", "estimated")


def _add_cost(metadata: dict[str, Any], total: str, cost: float | None) -> None:
    if cost is not None:
        metadata[total] = round(_kept(metadata, total, 0.0) + cost, 6)


def _kept(metadata: dict[str, Any], key: str, empty: object) -> Any:
    """Return what is kept under a key; what a person made of another kind is begun anew."""
    if not isinstance(metadata.get(key), type(empty)):
        metadata[key] = empty
    return metadata[key]


def visit(run: Run, node_id: str) -> None:
    """Count a completed visit of a node."""
    run.node_visit_counts[node_id] = run.node_visit_counts.get(node_id, 0) + 1
    _kept(run.metadata, "path", []).append(node_id)


def decide(run: Run, source: str, edges: Sequence[Edge], *, prefix: str, at: datetime) -> list[str]:
    """Note the decision about each way out of a node; returns the nodes it leads to."""
    counts: dict[str, int] = _kept(run.metadata, "edge_visit_counts", {})
    for edge in edges:
        run.condition_results.append(rows.decision(source, edge, prefix=prefix, at=at))
        if edge.taken:
            edge_id = f"{prefix}{edge.id}"
            counts[edge_id] = counts.get(edge_id, 0) + 1
    return [f"{prefix}{edge.target}" for edge in edges if edge.taken]


def dispatch(run: Run, node_id: str, given: Mapping[str, Any]) -> None:
    """Note that a node runs now, with its exact input."""
    run.current_node_ids, run.current_step, run.pending_node_ids = [node_id], node_id, []
    run.metadata["in_flight_dispatch"] = {
        "input_payload": dict(given),
        "node_id": node_id,
        "token_tag": None,
    }
    run.metadata["node_payloads"] = {}


def await_turn(run: Run, targets: Sequence[str], output: Mapping[str, Any]) -> None:
    """Note that nothing runs, that `output` came last, and which nodes get it next."""
    run.current_node_ids, run.pending_node_ids = [], list(targets)
    for over in ("in_flight_dispatch", "pending_approval", "pending_subgraph"):
        run.metadata.pop(over, None)
    run.metadata["last_output"] = dict(output)
    run.metadata["node_payloads"] = {target: dict(output) for target in targets}


def stop_for(run: Run, node_id: str, key: str, what: Mapping[str, Any]) -> None:
    """Note under the metadata `key` what a node waits for."""
    run.current_node_ids, run.pending_node_ids = [node_id], [node_id]
    run.current_step = node_id
    run.metadata.pop("in_flight_dispatch", None)
    run.metadata["node_payloads"] = {}
    run.metadata[key] = dict(what)


def finish(run: Run, output: Mapping[str, Any], *, ways_out: bool) -> None:
    """Note the final output and why nothing follows; `ways_out`: the last node had edges."""
    run.current_node_ids, run.pending_node_ids = [], []
    run.metadata["node_payloads"] = {}
    run.metadata["terminal_reason"] = "branch_suppressed" if ways_out else "no_outgoing_edges"
    run.final_output = dict(output)
