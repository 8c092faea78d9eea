"""The run domain's models: the guide's names, defaults, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from tests.store.support import START
from zeroth_store import (
    ActorIdentity,
    ApprovalRequest,
    Run,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    RunState,
    RunStatus,
    Thread,
    ThreadMemoryBinding,
)

STATE_FIELDS = (
    "run_id thread_id checkpoint_id parent_checkpoint_id epoch workflow_name status current_step"
    " completed_steps artifacts channels pending_approval pending_interrupt_id started_at"
    " updated_at error metadata"
)
RUN_FIELDS = (
    f"{STATE_FIELDS} graph_version_ref deployment_ref tenant_id workspace_id parent_run_id"
    " submitted_by current_node_ids pending_node_ids execution_history node_visit_counts"
    " condition_results audit_refs final_output failure_state"
)


def test_the_fields_are_zeroths() -> None:
    assert set(RunState.model_fields) == set(STATE_FIELDS.split())
    assert set(Run.model_fields) == set(RUN_FIELDS.split())
    assert len(Run.model_fields) == 31  # as many keys as ZEROTH.md counts in a state_json
    history = (
        "attempt audit_ref completed_at cost_measurement cost_usd estimated_cost_usd"
        " input_snapshot node_id output_snapshot started_at status"
    )
    assert set(RunHistoryEntry.model_fields) == set(history.split())
    condition = "condition_id details evaluated_at matched selected_edge_id"
    assert set(RunConditionResult.model_fields) == set(condition.split())
    assert set(RunFailureState.model_fields) == {"details", "message", "reason"}
    approval = "request_id run_id workflow_name step_name executor_name reason created_at metadata"
    assert set(ApprovalRequest.model_fields) == set(approval.split())
    actor = "auth_method roles subject tenant_id workspace_id"
    assert set(ActorIdentity.model_fields) == set(actor.split())


def test_the_guides_names_build_a_run_and_read_it() -> None:
    entry = RunHistoryEntry(node_id="n", status="completed")
    run = Run(
        id="r",
        graph_id="g",
        thread_id=None,
        status=RunStatus.COMPLETED,
        inputs={"text": "hi"},
        history=[entry],
        outputs={"sum": 3},
    )
    assert (run.run_id, run.id) == ("r", "r")
    assert (run.graph_version_ref, run.graph_id, run.deployment_ref) == ("g", "g", "g")
    assert run.metadata == {"initial_input": {"text": "hi"}}
    assert run.inputs == {"text": "hi"}
    assert run.execution_history == run.history == [entry]
    assert run.final_output == run.outputs == {"sum": 3}


def test_a_run_without_more_has_the_defaults() -> None:
    run = Run(graph_id="g")
    assert len(run.run_id) == 32
    assert (run.thread_id, run.workflow_name, run.tenant_id) == (run.run_id, "g", "default")
    assert (run.status, run.epoch, run.workspace_id) == (RunStatus.PENDING, 0, None)
    assert (run.history, run.condition_results, run.metadata, run.inputs) == ([], [], {}, None)
    assert run.started_at.tzinfo is UTC
    assert Run(graph_id="g").run_id != run.run_id


@pytest.mark.parametrize(
    ("field", "alias"),
    [
        ("run_id", "id"),
        ("graph_version_ref", "graph_id"),
        ("execution_history", "history"),
        ("final_output", "outputs"),
    ],
)
def test_one_thing_given_under_both_names_is_refused(field: str, alias: str) -> None:
    value: Any = [] if field == "execution_history" else "x"
    with pytest.raises(ValidationError, match="same thing"):
        Run(**{"graph_version_ref": "g", field: value, alias: value})


def test_inputs_given_twice_are_refused() -> None:
    with pytest.raises(ValidationError, match="same thing"):
        Run(graph_id="g", inputs=1, metadata={"initial_input": 2})


def test_inputs_beside_metadata_that_is_no_mapping_are_refused() -> None:
    with pytest.raises(ValidationError, match="metadata must be a mapping"):
        Run(graph_id="g", inputs=1, metadata=5)


def test_inputs_join_other_metadata_and_leave_the_callers_dict_alone() -> None:
    mine = {"k": 1}
    run = Run(graph_id="g", inputs=None, metadata=mine)
    assert run.metadata == {"k": 1, "initial_input": None}
    assert mine == {"k": 1}


def test_inputs_fall_back_to_what_a_guest_still_holds() -> None:
    """ZEROTH.md section 2: node_payloads before the first node, then the first history entry."""
    waiting = Run(
        graph_id="g", pending_node_ids=["b"], metadata={"node_payloads": {"a": 1, "b": 2}}
    )
    assert waiting.inputs == 2
    first = RunHistoryEntry(node_id="a", status="completed", input_snapshot={"x": 1})
    later = RunHistoryEntry(node_id="b", status="completed", input_snapshot={"x": 2})
    moved = Run(graph_id="g", history=[first, later], metadata={"node_payloads": {"c": 3}})
    assert moved.inputs == {"x": 1}


@pytest.mark.parametrize("status", [status for status in RunStatus if status != "COMPLETED"])
def test_outputs_are_none_until_completed(status: RunStatus) -> None:
    run = Run(graph_id="g", status=status, final_output={"early": 1})
    assert run.outputs is None
    assert run.final_output == {"early": 1}


@pytest.mark.parametrize(
    "build",
    [
        lambda: Run(graph_id="g", statsu="PENDING"),
        lambda: RunHistoryEntry(node_id="n", status="s", atempt=2),  # type: ignore[call-arg]
        lambda: Thread(graph_version_ref="g", deployment_ref="d", tenant="t"),  # type: ignore[call-arg]
        lambda: Run(graph_id="g", history=[{"node_id": "n", "status": "s", "atempt": 2}]),
    ],
    ids=["run", "entry", "thread", "nested"],
)
def test_a_misspelt_field_is_told(build: Any) -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        build()


def test_stored_values_keep_fields_nobody_knows_also_nested() -> None:
    stored = {
        "run_id": "r",
        "graph_version_ref": "g",
        "from_the_future": 1,
        "execution_history": [{"node_id": "n", "status": "s", "tokens": 7}],
        "failure_state": {"reason": "x", "trace": ["y"]},
    }
    run = Run.from_stored(stored)
    assert run.model_extra == {"from_the_future": 1}
    assert run.history[0].model_extra == {"tokens": 7}
    assert run.failure_state is not None
    assert run.failure_state.model_extra == {"trace": ["y"]}


def test_what_follows_is_filled_in() -> None:
    run = Run(
        graph_id="g",
        current_node_ids=["b", "c"],
        history=[RunHistoryEntry(node_id="a", status="completed")],
        failure_state=RunFailureState(reason="boom"),
    )
    assert (run.current_step, run.completed_steps, run.error) == ("b", ["a"], "boom")
    told = RunFailureState(reason="boom", message="it broke")
    assert Run(graph_id="g", failure_state=told).error == "it broke"
    assert Run(graph_id="g", failure_state=told, error="mine").error == "mine"


def test_touch_sets_the_time_of_change() -> None:
    run = Run(graph_id="g", started_at=START, updated_at=datetime(1999, 1, 1, tzinfo=UTC))
    before = datetime.now(UTC)
    run.touch()
    assert before <= run.updated_at <= datetime.now(UTC)
    assert run.started_at == START


def test_a_thread_starts_active_and_empty() -> None:
    thread = Thread(graph_version_ref="g", deployment_ref="d")
    assert (thread.status.value, thread.tenant_id, len(thread.thread_id)) == (
        "active",
        "default",
        32,
    )
    assert thread.run_ids == thread.checkpoint_refs == []
    assert thread.memory_bindings == []
    assert (thread.active_run_id, thread.last_run_id) == (None, None)
    assert ThreadMemoryBinding(connector_id="c", instance_id="i").scope is None
