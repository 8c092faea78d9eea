"""The contract of checkpoints: order, identity, and the thread's list of them."""

from __future__ import annotations

import json

import pytest

from tests.store.support import START_COLUMN, OpenStore, a_run, at
from zeroth_store import RunStatus, StatusConflict, UnreadableRow

ORDERS = "SELECT checkpoint_id, checkpoint_order FROM run_checkpoints ORDER BY checkpoint_id"


async def test_a_runs_order_is_0_on_create_and_moves_at_the_next_save(store: OpenStore) -> None:
    """`checkpoint_order` is the length of checkpoint_refs before adding (ZEROTH.md section 4)."""
    run = await store.runs.create(a_run("r1", thread_id="th"))
    assert store.query(ORDERS) == [("c1", 0)]
    await store.runs.put(run)
    assert store.query(ORDERS) == [("c1", 1)]
    await store.runs.create(a_run("r2", thread_id="th"))
    assert store.query(ORDERS) == [("c1", 1), ("c2", 1)]
    await store.runs.put(run)
    assert store.query(ORDERS) == [("c1", 2), ("c2", 1)]
    assert store.query("SELECT checkpoint_refs FROM threads") == [('["c1","c2"]',)]


async def test_orders_collide_so_the_threads_list_is_the_order(store: OpenStore) -> None:
    first = await store.runs.create(a_run("r1", thread_id="th"))
    await store.runs.create(a_run("r2", thread_id="th"))
    await store.runs.put(first)
    listed = await store.runs.list_checkpoints("th")
    assert [run.run_id for run in listed] == ["r1", "r2"]
    latest = await store.runs.get_latest_checkpoint("th")
    assert latest == listed[-1]


async def test_the_same_id_is_overwritten_and_keeps_its_time_of_creation(store: OpenStore) -> None:
    run = await store.runs.create(a_run())
    store.clock.now = at(60)
    run.metadata["later"] = True
    stored = await store.runs.put(run)
    assert store.query("SELECT checkpoint_id, created_at FROM run_checkpoints") == [
        ("c1", START_COLUMN)
    ]
    assert await store.runs.get_checkpoint("c1") == stored
    assert store.query("SELECT created_at, updated_at FROM threads") == [
        (START_COLUMN, "2026-03-01T12:01:00+00:00")
    ]


async def test_a_reset_id_makes_a_further_checkpoint(store: OpenStore) -> None:
    run = await store.runs.create(a_run(metadata={"n": 1}))
    run.checkpoint_id, run.metadata = None, {"n": 2}
    stored = await store.runs.put(run)
    assert stored.checkpoint_id == "c2"
    listed = await store.runs.list_checkpoints("r1")
    assert [(run.checkpoint_id, run.metadata) for run in listed] == [
        ("c1", {"n": 1}),
        ("c2", {"n": 2}),
    ]
    assert store.query(ORDERS) == [("c1", 0), ("c2", 1)]


async def test_write_checkpoint_leaves_the_runs_row_alone(store: OpenStore) -> None:
    run = await store.runs.create(a_run())
    row = store.query("SELECT * FROM runs")
    store.clock.now = at(5)
    run.checkpoint_id, run.metadata = None, {"draft": 1}
    assert await store.runs.write_checkpoint(run) == "c2" == run.checkpoint_id
    assert store.query("SELECT * FROM runs") == row
    checkpoint = await store.runs.get_checkpoint("c2")
    assert checkpoint is not None
    assert (checkpoint.metadata, checkpoint.updated_at) == ({"draft": 1}, at(5))
    assert store.query("SELECT checkpoint_refs FROM threads") == [('["c1","c2"]',)]


async def test_a_snapshot_is_a_checkpoint_of_its_own(store: OpenStore) -> None:
    await store.runs.create(a_run(metadata={"n": 1}))
    row = store.query("SELECT * FROM runs")
    assert await store.runs.snapshot("r1", expected_status=RunStatus.PENDING) == "c2"
    assert store.query("SELECT * FROM runs") == row
    await store.runs.transition("r1", RunStatus.RUNNING)
    kept = await store.runs.get_checkpoint("c2")
    moved = await store.runs.get_checkpoint("c1")
    assert kept is not None
    assert moved is not None
    assert (kept.status, kept.parent_checkpoint_id, kept.checkpoint_id) == ("PENDING", "c1", "c2")
    assert moved.status is RunStatus.RUNNING


async def test_a_snapshot_of_another_status_writes_nothing(store: OpenStore) -> None:
    await store.runs.create(a_run())
    before = store.dump()
    with pytest.raises(StatusConflict, match="expected status RUNNING, found PENDING"):
        await store.runs.snapshot("r1", expected_status=RunStatus.RUNNING)
    assert store.dump() == before


async def test_nothing_there(store: OpenStore) -> None:
    assert await store.runs.get_checkpoint("nothing") is None
    assert await store.runs.get_latest_checkpoint("nobody") is None
    assert await store.runs.list_checkpoints("nobody") == []


async def test_refs_without_a_row_are_left_out(store: OpenStore) -> None:
    await store.runs.create(a_run())
    store.query("""UPDATE threads SET checkpoint_refs = '["gone","c1","lost"]'""")
    assert [run.run_id for run in await store.runs.list_checkpoints("r1")] == ["r1"]
    latest = await store.runs.get_latest_checkpoint("r1")
    assert latest is not None
    assert latest.checkpoint_id == "c1"
    store.query("DELETE FROM run_checkpoints")
    assert await store.runs.get_latest_checkpoint("r1") is None


@pytest.mark.parametrize("state", ["gAAAAABencrypted", "", "[1]", "{", '{"run_id":1}'])
async def test_a_state_that_cannot_be_read_is_named(store: OpenStore, state: str) -> None:
    await store.runs.create(a_run())
    store.query("UPDATE run_checkpoints SET state_json = ?", (state,))
    with pytest.raises(UnreadableRow, match="checkpoint 'c1' cannot be read"):
        await store.runs.get_checkpoint("c1")


async def test_a_state_of_zeroth_0_1_0_is_read(store: OpenStore) -> None:
    """It has no `parent_run_id` (ZEROTH.md section 3); a newer one may have more fields."""
    stored = await store.runs.create(a_run())
    state = json.loads(store.cell("run_checkpoints", "state_json", run_id="r1"))
    del state["parent_run_id"]
    state["from_the_future"] = 1
    store.query("UPDATE run_checkpoints SET state_json = ?", (json.dumps(state),))
    checkpoint = await store.runs.get_checkpoint("c1")
    assert checkpoint is not None
    assert checkpoint.model_extra == {"from_the_future": 1}
    assert {**vars(checkpoint)} == {**vars(stored)}
