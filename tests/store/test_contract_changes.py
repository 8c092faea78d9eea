"""The contract of changing a stored run: transitions, history, conditions, failures."""

from __future__ import annotations

import pytest

from tests.store.support import OpenStore, a_run, at
from tests.store.test_status import FORBIDDEN, PERMITTED
from zeroth_store import (
    InvalidTransition,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    RunNotFound,
    RunStatus,
    StatusConflict,
)


async def test_every_permitted_transition_is_stored_and_every_other_refused(
    store: OpenStore,
) -> None:
    await store.runs.create(a_run())
    for old, new in sorted(PERMITTED):
        store.query("UPDATE runs SET status = ?", (old,))
        run = await store.runs.transition("r1", RunStatus(new))
        assert run.status == new
        assert store.query("SELECT status FROM runs") == [(new,)], (old, new)
    for old, new in sorted(FORBIDDEN):
        store.query("UPDATE runs SET status = ?", (old,))
        before = store.dump()
        with pytest.raises(InvalidTransition, match=f"^invalid run transition: {old} -> {new}$"):
            await store.runs.transition("r1", RunStatus(new))
        assert store.dump() == before, (old, new)


async def test_a_status_nobody_knows_is_left_alone(store: OpenStore) -> None:
    await store.runs.create(a_run())
    store.query("UPDATE runs SET status = 'SLEEPING'")
    before = store.dump()
    with pytest.raises(InvalidTransition, match="SLEEPING -> RUNNING"):
        await store.runs.transition("r1", RunStatus.RUNNING)
    with pytest.raises(StatusConflict, match="found SLEEPING"):
        await store.runs.transition("r1", RunStatus.RUNNING, expected_status=RunStatus.PENDING)
    assert store.dump() == before


async def test_a_transition_writes_the_fields_given(store: OpenStore) -> None:
    await store.runs.create(a_run())
    store.clock.now = at(1)
    run = await store.runs.transition(
        "r1",
        RunStatus.RUNNING,
        current_node_ids=["b", "c"],
        pending_node_ids=["d"],
        completed_steps=["a"],
        audit_refs=["audit:1"],
    )
    assert (run.current_node_ids, run.current_step) == (["b", "c"], "b")
    assert (run.pending_node_ids, run.completed_steps, run.audit_refs) == (
        ["d"],
        ["a"],
        ["audit:1"],
    )
    assert run.updated_at == at(1)
    done = await store.runs.transition("r1", RunStatus.COMPLETED, final_output=0, current_step="z")
    assert (done.outputs, done.current_step, done.current_node_ids) == (0, "z", ["b", "c"])
    assert store.query("SELECT final_output FROM runs") == [("0",)]


async def test_a_failure_brings_its_error_and_leaving_it_clears_it(store: OpenStore) -> None:
    await store.runs.create(a_run())
    failure = RunFailureState(reason="node_execution_failed", message="boom", details={"n": 1})
    failed = await store.runs.transition("r1", RunStatus.FAILED, failure_state=failure)
    assert (failed.failure_state, failed.error) == (failure, "boom")
    again = await store.runs.transition("r1", RunStatus.PENDING)
    assert (again.failure_state, again.error) == (None, None)
    assert store.query("SELECT failure_state, error, failure_count FROM runs") == [(None, None, 0)]


async def test_compare_and_set(store: OpenStore) -> None:
    await store.runs.create(a_run())
    await store.runs.transition("r1", RunStatus.RUNNING, expected_status=RunStatus.PENDING)
    before = store.dump()
    with pytest.raises(StatusConflict) as caught:
        await store.runs.transition("r1", RunStatus.FAILED, expected_status=RunStatus.PENDING)
    assert (caught.value.expected, caught.value.actual) == ("PENDING", "RUNNING")
    assert store.dump() == before


async def test_a_transition_is_checkpointed_under_the_same_id(store: OpenStore) -> None:
    await store.runs.create(a_run())
    store.clock.now = at(7)
    run = await store.runs.transition("r1", RunStatus.RUNNING)
    assert run.checkpoint_id == "c1"
    assert await store.runs.get_checkpoint("c1") == run == await store.runs.get("r1")


async def test_history_is_appended_in_order(store: OpenStore) -> None:
    await store.runs.create(a_run())
    entries = [
        RunHistoryEntry(
            node_id=f"n{number}",
            status="completed",
            attempt=number,
            input_snapshot={"q": number},
            output_snapshot={"a": float("inf")},
            started_at=at(number),
        )
        for number in (1, 2)
    ]
    for number, entry in enumerate(entries, 1):
        store.clock.now = at(number)
        run = await store.runs.record_history("r1", entry)
    assert run.history == entries
    assert (run.completed_steps, run.updated_at) == (["n1", "n2"], at(2))
    assert await store.runs.get("r1") == run == await store.runs.get_checkpoint("c1")


async def test_conditions_are_appended_in_order(store: OpenStore) -> None:
    await store.runs.create(a_run())
    results = [
        RunConditionResult(
            condition_id=name, matched=name == "yes", evaluated_at=at(1), details={"value": 2**70}
        )
        for name in ("yes", "no")
    ]
    for result in results:
        run = await store.runs.record_condition_result("r1", result)
    assert run.condition_results == results
    assert await store.runs.get("r1") == run == await store.runs.get_checkpoint("c1")


async def test_failures_are_counted(store: OpenStore) -> None:
    await store.runs.create(a_run(status=RunStatus.RUNNING))
    assert await store.runs.increment_failure_count("r1") == 1
    assert await store.runs.increment_failure_count("r1", max_failure_count=3) == 2
    run = await store.runs.get("r1")
    assert run is not None
    assert (run.status, run.failure_state) == (RunStatus.RUNNING, None)
    assert await store.runs.list_dead_letter_runs("g") == []


async def test_the_last_failure_makes_a_dead_letter(store: OpenStore) -> None:
    await store.runs.create(a_run(status=RunStatus.RUNNING))
    store.query("UPDATE runs SET failure_count = 2")
    assert await store.runs.increment_failure_count("r1", max_failure_count=3) == 3
    run = await store.runs.get("r1")
    assert run is not None
    assert run.status is RunStatus.FAILED
    assert run.failure_state is not None
    assert run.failure_state.reason == "dead_letter"
    assert run.failure_state.details["failure_count"] == 3
    assert run.error == run.failure_state.message
    assert [run.run_id for run in await store.runs.list_dead_letter_runs("g")] == ["r1"]


async def test_a_failure_that_only_mentions_dead_letters_is_none(store: OpenStore) -> None:
    failure = RunFailureState(reason="worker_exception", message="sent to dead_letter queue")
    await store.runs.create(a_run(status=RunStatus.FAILED, failure_state=failure))
    assert await store.runs.list_dead_letter_runs("g") == []


async def test_a_run_that_is_not_there(store: OpenStore) -> None:
    entry = RunHistoryEntry(node_id="n", status="s")
    for attempt in (
        store.runs.transition("r1", RunStatus.RUNNING),
        store.runs.record_history("r1", entry),
        store.runs.record_condition_result(
            "r1", RunConditionResult(condition_id="c", matched=True)
        ),
        store.runs.increment_failure_count("r1"),
        store.runs.snapshot("r1", expected_status=RunStatus.PENDING),
    ):
        with pytest.raises(RunNotFound, match="no run 'r1' in this database"):
            await attempt
    assert store.dump() == {"runs": [], "threads": [], "run_checkpoints": []}
