"""The rows that a demo writes have the shapes of real Zeroth's (ZEROTH.md, section 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.demo.stagehands import Row

REDACTED = "***REDACTED***"


def _one(stored: list[Row], graph: str, **wanted: object) -> Row:
    return next(
        run
        for run in stored
        if run["deployment_ref"] == graph
        and all(run[name] == value for name, value in wanted.items())
    )


def test_entries_have_the_shape_of_real_ones(stored: list[Row]) -> None:
    keys = {
        *("attempt", "audit_ref", "completed_at", "cost_measurement", "cost_usd"),
        *("estimated_cost_usd", "input_snapshot", "node_id", "output_snapshot", "started_at"),
        "status",
    }
    entries = [entry for run in stored for entry in run["execution_history"]]
    assert {entry["status"] for entry in entries} == {"completed", "failed"}
    for entry in entries:
        assert set(entry) == keys
        assert entry["started_at"].endswith("Z")
        if entry["status"] == "completed":
            assert entry["completed_at"] is None
        else:
            assert entry["completed_at"].endswith("Z")
            assert entry["started_at"] < entry["completed_at"]
            assert entry["output_snapshot"] == {}


def test_decisions_have_the_shape_of_real_ones(stored: list[Row]) -> None:
    keys = {
        *("branch_rule", "edge_id", "expression", "graph_context", "operand_refs"),
        *("source_node_id", "target_node_id", "value"),
    }
    for run in stored:
        for result in run["condition_results"]:
            details = result["details"]
            assert set(details) - {"suppression_reason"} == keys
            assert result["condition_id"] == details["edge_id"]
            assert result["matched"] is (result["selected_edge_id"] is not None)
            passthrough = details["branch_rule"] == "passthrough"
            assert passthrough == (details["expression"] is None)


def test_a_visit_limit_is_matched_and_yet_not_taken(stored: list[Row]) -> None:
    run = next(
        run
        for run in stored
        if run["deployment_ref"] == "release-notes"
        and run["metadata"]["terminal_reason"] == "branch_suppressed"
    )
    again = [r for r in run["condition_results"] if r["condition_id"] == "e-again"]
    assert [r["details"].get("suppression_reason") for r in again] == [None, None, "visit_limit"]
    assert again[-1]["matched"] is True
    assert again[-1]["selected_edge_id"] == "e-again"
    assert run["metadata"]["edge_visit_counts"] == {"e-again": 2, "e-review": 3}
    assert run["node_visit_counts"] == {"draft": 3, "review": 3}
    assert run["status"] == "COMPLETED"


def test_counts_path_and_totals_follow_from_the_history(stored: list[Row]) -> None:
    for run in stored:
        metadata = run["metadata"]
        completed = [e for e in run["execution_history"] if e["status"] == "completed"]
        if completed:  # else the store counts the failed ones, as Zeroth does
            assert run["completed_steps"] == [entry["node_id"] for entry in completed]
        assert run["audit_refs"] == [entry["audit_ref"] for entry in run["execution_history"]]
        if run["deployment_ref"] != "invoice-batch":  # there one visit has several entries
            assert run["node_visit_counts"] == Counter(entry["node_id"] for entry in completed)
            assert metadata["path"] == [entry["node_id"] for entry in completed]
        spent = sum(entry["cost_usd"] or 0 for entry in run["execution_history"])
        assert metadata.get("total_cost_usd", 0) == pytest.approx(spent)
        if completed:
            assert metadata["last_output"] is not None
        assert metadata["graph_id"] == run["deployment_ref"]


def test_finished_runs_have_an_output_or_a_failure(stored: list[Row]) -> None:
    for run in stored:
        metadata = run["metadata"]
        if run["status"] == "COMPLETED":
            assert run["final_output"] == metadata["last_output"]
            assert run["failure_state"] is None
            assert run["current_node_ids"] == run["pending_node_ids"] == []
            assert metadata["terminal_reason"] in {"no_outgoing_edges", "branch_suppressed"}
            assert "in_flight_dispatch" not in metadata
        if run["status"] == "FAILED":
            assert run["final_output"] is None
            assert set(run["failure_state"]) == {"details", "message", "reason"}
            assert run["error"] == run["failure_state"]["message"]


def test_a_failed_node_leaves_its_exact_input(stored: list[Row]) -> None:
    run = next(run for run in stored if (run["error"] or "").startswith("Traceback"))
    last = run["execution_history"][-1]
    assert run["metadata"]["in_flight_dispatch"] == {
        "input_payload": last["input_snapshot"],
        "node_id": "clauses",
        "token_tag": None,
    }
    assert run["error"].splitlines()[-1].startswith("AttributeError: ")


def test_a_running_run_says_what_runs(stored: list[Row]) -> None:
    run = _one(stored, "site-crawler", status="RUNNING")
    assert run["current_node_ids"] == ["visit"]
    dispatch = run["metadata"]["in_flight_dispatch"]
    assert dispatch["node_id"] == "visit"
    assert dispatch["input_payload"] == run["metadata"]["last_output"]


def test_a_waiting_run_says_what_for(stored: list[Row]) -> None:
    run = _one(stored, "refund-desk", status="WAITING_APPROVAL")
    pending = run["metadata"]["pending_approval"]
    assert set(pending) == {"approval_id", "input", "node_id"}
    assert pending["node_id"] == run["current_step"] == "approval"
    assert pending["input"] == run["metadata"]["last_output"]
    assert run["pending_approval"] is None
    assert "in_flight_dispatch" not in run["metadata"]


def test_parent_and_child_name_each_other(stored: list[Row]) -> None:
    parent = _one(stored, "order-flow", status="WAITING_APPROVAL")
    child = _one(stored, "credit-check", status="WAITING_APPROVAL")
    assert parent["metadata"]["pending_subgraph"] == {
        "child_run_id": child["run_id"],
        "graph_ref": "credit-check",
        "node_id": "credit",
        "version": None,
    }
    assert child["metadata"]["parent_run_id"] == parent["run_id"]
    assert child["metadata"]["parent_node_id"] == "credit"
    assert child["metadata"]["subgraph_depth"] == 1
    assert child["thread_id"] == parent["thread_id"]
    assert child["graph_version_ref"] == "credit-check:v3"
    assert parent["graph_version_ref"] == "order-flow@12"
    assert child["current_step"] == "subgraph:credit-check:3:review"
    assert child["submitted_by"] is None
    assert child["metadata"]["initial_input"] == parent["metadata"]["last_output"]


def test_a_failed_child_fails_its_parent(stored: list[Row]) -> None:
    parent = _one(stored, "order-flow", status="FAILED")
    child = next(r for r in stored if r["metadata"].get("parent_run_id") == parent["run_id"])
    assert parent["failure_state"]["reason"] == "subgraph_execution_failed"
    assert parent["error"] == f"child run {child['run_id']} ended FAILED: {child['error']}"


def test_one_branch_of_a_fan_out_failed_and_the_run_went_on(stored: list[Row]) -> None:
    run = _one(stored, "invoice-batch")
    assert run["status"] == "COMPLETED"
    parts = [(entry["node_id"], entry["status"]) for entry in run["execution_history"]]
    assert parts == [
        ("extract", "failed"),
        ("split", "completed"),
        *[("extract", "completed")] * 3,
        ("reconcile", "completed"),
    ]
    assert run["audit_refs"][0] == f"{run['run_id']}:branch:1:audit:1"
    assert run["execution_history"][-1]["input_snapshot"]["items"][1] is None


def test_attempts_are_counted_and_a_replay_clears_the_failure(stored: list[Row]) -> None:
    attempts = [
        [(entry["status"], entry["attempt"]) for entry in run["execution_history"][2:]]
        for run in stored
        if run["deployment_ref"] == "warehouse-sync" and run["status"] == "COMPLETED"
    ]
    assert [("failed", 1), ("failed", 2), ("completed", 3)] in attempts
    assert [("failed", 1), ("completed", 1)] in attempts
    dead = _one(stored, "warehouse-sync", status="FAILED")
    assert dead["failure_state"]["reason"] == "dead_letter"
    assert dead["failure_count"] == dead["failure_state"]["details"]["failure_count"] == 3


def test_an_approval_passes_on_no_secret(stored: list[Row]) -> None:
    run = _one(stored, "refund-desk", status="COMPLETED", current_step="pay-out")
    approvals = [e for e in run["execution_history"] if e["node_id"] == "approval"]
    for entry in approvals:
        assert entry["output_snapshot"]["secret"] == REDACTED
    assert REDACTED not in run["execution_history"][0]["output_snapshot"].values()
