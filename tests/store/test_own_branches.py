"""Restoring a checkpoint: as shown, and nothing that was saved is lost."""

from __future__ import annotations

import pytest

from tests.store.acting import CHECKPOINTED, KEY, assert_as_shown, everything
from tests.store.acting_runs import STEPS, entry, failed_run
from tests.store.support import Ids, OpenStore, a_run, at
from zeroth_store import (
    RunFailureState,
    RunStatus,
)
from zeroth_store.acting import ActRefused
from zeroth_store.sqlite.acting.own_actor import OwnActor

pytestmark = pytest.mark.thorough

LATER = "2026-03-01T12:01:00+00:00"


@pytest.fixture
def actor(store: OpenStore) -> OwnActor:
    return OwnActor(store.database, store.runs, clock=store.clock, ids=Ids("n"))


async def test_a_restored_run_goes_on_from_its_checkpoint(
    store: OpenStore, actor: OwnActor
) -> None:
    run = await failed_run(store, status=RunStatus.RUNNING, failure_state=None)
    kept = await store.runs.snapshot("r1", expected_status=RunStatus.RUNNING)
    await store.runs.record_history("r1", entry("c", 4, 5))
    failure = RunFailureState(reason="bad")
    await store.runs.transition("r1", RunStatus.FAILED, failure_state=failure)
    await store.runs.increment_failure_count("r1")
    saved = store.query("SELECT * FROM run_checkpoints ORDER BY rowid")
    store.clock.now = at(60)
    write = await actor.plan_restore(KEY, kept)
    before = everything(store.database.location)
    outcome = await actor.write(write)
    after = everything(store.database.location)
    assert_as_shown(write, outcome, before, after, LATER, beside=CHECKPOINTED)
    # What it was a moment ago is still there, in the checkpoint that it had.
    assert store.query("SELECT * FROM run_checkpoints ORDER BY rowid")[: len(saved)] == saved
    now = await store.runs.get("r1")
    assert now is not None
    assert now.execution_history == STEPS
    assert (now.status, now.failure_state, now.error) == ("PENDING", None, None)
    assert (now.pending_node_ids, now.current_node_ids) == (["c"], [])
    assert now.parent_checkpoint_id == kept
    assert now.checkpoint_id not in (kept, run.checkpoint_id, None)
    assert now.metadata.keys() == {
        "initial_input",
        "in_flight_dispatch",
        "parent_run_id",
        "graph_name",
    }
    assert store.cell("runs", "failure_count", run_id="r1") == 0


async def test_a_lease_taken_meanwhile_keeps_the_run(store: OpenStore, actor: OwnActor) -> None:
    run = await failed_run(store)
    write = await actor.plan_restore(KEY, str(run.checkpoint_id))
    assert await store.runs.hold_lease("r1", "w-9")
    outcome = await actor.write(write)
    assert not outcome.written
    assert "w-9" in outcome.problem
    assert store.cell("runs", "status", run_id="r1") == "FAILED"


async def test_what_cannot_be_restored_is_said(store: OpenStore, actor: OwnActor) -> None:
    done = await store.runs.create(a_run("r2", status=RunStatus.COMPLETED, thread_id="t"))
    await failed_run(store)
    finished = a_run("r1", status=RunStatus.COMPLETED, thread_id="t")
    await store.runs.write_checkpoint(finished)
    for checkpoint_id, said in (
        ("nowhere", "nowhere is gone"),
        (str(done.checkpoint_id), "is of another run: r2"),
        (str(finished.checkpoint_id), "finished run"),
    ):
        with pytest.raises(ActRefused, match=said):
            await actor.plan_restore(KEY, checkpoint_id)
    with pytest.raises(ActRefused, match="fork it"):
        await actor.plan_restore(KEY._replace(run_id="r2"), str(done.checkpoint_id))
    with pytest.raises(ActRefused, match="gone"):
        await actor.plan_restore(KEY._replace(run_id="r3"), "c1")
