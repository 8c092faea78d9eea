"""The contract of saving whole runs, over every database."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from tests.store.support import START_COLUMN, START_JSON, OpenStore, a_run, at
from zeroth_store import (
    Run,
    RunExists,
    RunFailureState,
    RunHistoryEntry,
    RunNotFound,
    RunStatus,
    StatusConflict,
)


async def test_create_stores_run_thread_and_checkpoint(store: OpenStore) -> None:
    run = a_run(thread_id="th", inputs={"text": "hi"})
    stored = await store.runs.create(run)

    assert await store.runs.get("r1") == stored
    assert stored.inputs == {"text": "hi"}
    assert stored.checkpoint_id == run.checkpoint_id == "c1"
    assert store.query("SELECT run_id, thread_id, status, checkpoint_id FROM runs") == [
        ("r1", "th", "PENDING", "c1")
    ]
    assert store.query(
        "SELECT thread_id, run_ids, last_run_id, active_run_id, checkpoint_refs, status,"
        " graph_version_ref, deployment_ref, created_at FROM threads"
    ) == [("th", '["r1"]', "r1", None, '["c1"]', "active", "g", "g", START_COLUMN)]
    assert store.query(
        "SELECT checkpoint_id, run_id, thread_id, checkpoint_order, created_at FROM run_checkpoints"
    ) == [("c1", "r1", "th", 0, START_COLUMN)]


async def test_the_row_is_spelt_as_zeroth_spells_it(store: OpenStore) -> None:
    entry = RunHistoryEntry(node_id="n", status="completed", started_at=at(0.5))
    await store.runs.create(a_run(metadata={"b": "ü", "a": float("nan")}, history=[entry]))
    assert store.query(
        "SELECT started_at, updated_at, metadata, workspace_id, workspace_scope, tenant_id,"
        " final_output, failure_state, artifacts, epoch FROM runs"
    ) == [
        (
            START_COLUMN,
            START_COLUMN,
            '{"a":NaN,"b":"\\u00fc"}',
            None,
            "null",
            "default",
            None,
            None,
            "{}",
            0,
        )
    ]
    assert store.cell("runs", "execution_history", run_id="r1") == (
        '[{"attempt":1,"audit_ref":null,"completed_at":null,"cost_measurement":null,'
        '"cost_usd":null,"estimated_cost_usd":null,"input_snapshot":{},"node_id":"n",'
        '"output_snapshot":{},"started_at":"2026-03-01T12:00:00.500000Z","status":"completed"}]'
    )


async def test_the_checkpoint_holds_the_whole_run(store: OpenStore) -> None:
    stored = await store.runs.create(a_run())
    text = store.cell("run_checkpoints", "state_json", run_id="r1")
    state = json.loads(text)
    assert set(state) == set(Run.model_fields)
    assert (state["started_at"], state["checkpoint_id"]) == (START_JSON, "c1")
    assert text == json.dumps(state, sort_keys=True, separators=(",", ":"))
    assert await store.runs.get_checkpoint("c1") == stored


async def test_create_of_an_existing_id_is_refused_in_zeroths_words(store: OpenStore) -> None:
    await store.runs.create(a_run())
    before = store.dump()
    with pytest.raises(KeyError) as caught:
        await store.runs.create(a_run(thread_id="another", metadata={"x": 1}))
    assert isinstance(caught.value, RunExists)
    assert str(caught.value) == "run already exists: r1"
    assert store.dump() == before


async def test_put_inserts_then_overwrites(store: OpenStore) -> None:
    run = a_run()
    await store.runs.put(run)
    store.clock.now = at(5)
    run.status = RunStatus.RUNNING
    run.metadata["k"] = 1
    stored = await store.runs.put(run)
    assert (stored.status, stored.metadata, stored.updated_at) == ("RUNNING", {"k": 1}, at(5))
    assert stored.started_at == at(0)
    assert store.query("SELECT count(*) FROM runs") == [(1,)]


async def test_put_checks_no_transition(store: OpenStore) -> None:
    run = await store.runs.create(a_run(status=RunStatus.COMPLETED))
    run.status = RunStatus.PENDING
    assert (await store.runs.put(run)).status is RunStatus.PENDING


async def test_what_is_given_is_a_snapshot(store: OpenStore) -> None:
    run = a_run(metadata={"deep": {"list": [1]}})
    stored = await store.runs.create(run)
    run.metadata["deep"]["list"].append(2)
    stored.metadata["deep"]["list"].append(3)
    loaded = await store.runs.get("r1")
    assert loaded is not None
    assert loaded.metadata == {"deep": {"list": [1]}}


async def test_update_needs_a_stored_run(store: OpenStore) -> None:
    before = store.dump()
    with pytest.raises(RunNotFound, match="'r1'"):
        await store.runs.update(a_run())
    assert store.dump() == before
    run = await store.runs.create(a_run())
    run.error = "odd"
    assert (await store.runs.update(run)).error == "odd"


async def test_get_of_an_unknown_run_is_none(store: OpenStore) -> None:
    assert await store.runs.get("nobody") is None


async def test_put_if_status_saves_while_the_status_is_as_expected(store: OpenStore) -> None:
    run = await store.runs.create(a_run())
    run.status = RunStatus.COMPLETED
    run.final_output = {"sum": 3}
    stored = await store.runs.put_if_status(run, RunStatus.PENDING)
    assert (stored.status, stored.outputs) == (RunStatus.COMPLETED, {"sum": 3})
    checkpoint = await store.runs.get_checkpoint("c1")
    assert checkpoint == stored


async def test_put_if_status_writes_nothing_when_it_is_not(store: OpenStore) -> None:
    run = await store.runs.create(a_run())
    await store.runs.transition("r1", RunStatus.RUNNING)
    before = store.dump()
    run.checkpoint_id = None
    run.metadata["late"] = True
    with pytest.raises(StatusConflict) as caught:
        await store.runs.put_if_status(run, RunStatus.PENDING)
    error = caught.value
    assert (error.run_id, error.expected, error.actual) == ("r1", "PENDING", "RUNNING")
    assert store.dump() == before
    assert run.checkpoint_id is None


async def test_put_if_status_of_an_unknown_run(store: OpenStore) -> None:
    before = store.dump()
    with pytest.raises(RunNotFound):
        await store.runs.put_if_status(a_run(), RunStatus.PENDING)
    assert store.dump() == before


async def test_a_nonsense_value_assigned_to_a_field_is_refused(store: OpenStore) -> None:
    run = await store.runs.create(a_run())
    before = store.dump()
    run.status = "SLEEPING"  # type: ignore[assignment]
    with pytest.raises(ValidationError, match="status"):
        await store.runs.put(run)
    with pytest.raises(ValidationError, match="status"):
        await store.runs.write_checkpoint(run)
    assert store.dump() == before


async def test_what_is_no_json_is_refused(store: OpenStore) -> None:
    before = store.dump()
    with pytest.raises(TypeError, match="object cannot be stored as JSON"):
        await store.runs.create(a_run(metadata={"x": object()}))
    assert store.dump() == before


async def test_the_parent_outlives_a_reload(store: OpenStore) -> None:
    """Real Zeroth keeps it only in `metadata.parent_run_id`."""
    await store.runs.create(a_run("r2", parent_run_id="r1", metadata={"k": 1}))
    assert store.cell("runs", "metadata", run_id="r2") == '{"k":1,"parent_run_id":"r1"}'
    loaded = await store.runs.get("r2")
    checkpoint = await store.runs.get_checkpoint("c1")
    assert loaded is not None
    assert loaded.parent_run_id == "r1"
    assert checkpoint == loaded


async def test_times_are_stored_in_utc_and_naive_means_utc(store: OpenStore) -> None:
    tokyo = a_run("r1", started_at="2026-03-01T21:00:00+09:00")
    naive = a_run("r2", started_at="2026-03-01T12:00:00.25")
    for run in (tokyo, naive):
        stored = await store.runs.create(run)
        assert await store.runs.get_checkpoint(str(stored.checkpoint_id)) == stored
    assert store.query("SELECT started_at FROM runs ORDER BY run_id") == [
        (START_COLUMN,),
        ("2026-03-01T12:00:00.250000+00:00",),
    ]


async def test_an_error_text_with_bytes_of_a_file_name_can_be_stored(store: OpenStore) -> None:
    """A lone surrogate (PEP 383) has no UTF-8: the column shows it, the JSON keeps it."""
    failure = RunFailureState(reason="io", message="no file caf\udce9")
    stored = await store.runs.create(a_run(status=RunStatus.FAILED, failure_state=failure))
    assert store.cell("runs", "error", run_id="r1") == "no file caf\\udce9"
    assert stored.failure_state == failure
