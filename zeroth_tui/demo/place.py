"""Where in its scenario a run is, as its row tells it, and what the node there gets."""

from __future__ import annotations

from typing import Any

from zeroth_store.models import Run
from zeroth_tui.demo.scenario import Approval, Child, FanOut, Node, Scenario


def place(scenario: Scenario, run: Run) -> int | None:
    """Return the number of the step that a run is at; None where this is not its scenario.

    Of the steps at one node it is the one that completes it, if there is one: whoever takes a run
    up again after attempts that failed succeeds.
    """
    if run.deployment_ref != scenario.graph.id:
        return None
    nodes = _nodes(run)
    if not nodes:
        return len(scenario.steps)
    name = nodes[0].removeprefix(prefix(scenario, run))
    steps = [(n, step) for n, step in enumerate(scenario.steps) if getattr(step, "id", "") == name]
    ends = [n for n, step in steps if isinstance(step, Node | Approval | FanOut | Child)]
    visits = run.node_visit_counts.get(nodes[0], 0)
    if visits < len(ends):
        return ends[visits]
    return steps[-1][0] if steps else None


def payload(run: Run) -> dict[str, Any]:
    """Return what the node that a run is at gets."""
    told = run.metadata
    waiting = _object(told.get("node_payloads"))
    candidates = (
        _object(told.get("in_flight_dispatch")).get("input_payload"),
        _object(told.get("pending_approval")).get("input"),
        *(waiting.get(node) for node in _nodes(run)),
        told.get("last_output"),
        told.get("initial_input"),
    )
    return dict(next((one for one in candidates if isinstance(one, dict)), {}))


def prefix(scenario: Scenario, run: Run) -> str:
    """Return what stands before the ids of a run's nodes: nothing, unless it began as a child."""
    graph = scenario.graph
    return graph.child_prefix if run.graph_version_ref == graph.child_ref else ""


def _nodes(run: Run) -> list[str]:
    """Return the nodes that are next, and those that ran: a person may have named others."""
    return [*run.pending_node_ids, *run.current_node_ids]


def _object(value: object) -> dict[str, Any]:
    """Return a JSON object of the metadata, which a person may have edited to be none."""
    return value if isinstance(value, dict) else {}
