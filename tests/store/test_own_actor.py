"""Acting on own databases: any transition, checkpoints, restore and fork, each as it was shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.store.acting import (
    CHECKPOINTED,
    KEY,
    assert_as_shown,
    changes,
    everything,
    planned,
    written_as_shown,
)
from tests.store.support import START, Ids, OpenStore, a_run, at
from tests.store.test_status import ALLOWED
from zeroth_store import (
    Run,
    RunFailureState,
    RunStatus,
)
from zeroth_store.actions import Act, RunActor, RunBrancher, Write
from zeroth_store.browse import RunKey
from zeroth_store.sqlite.acting.own_actor import OwnActor

IN_A_WORKSPACE = RunKey("default", "value:w", "r1")
LATER = "2026-03-01T12:01:00+00:00"

if TYPE_CHECKING:

    def _is_an_actor_that_branches(actor: OwnActor) -> tuple[RunActor, RunBrancher]:
        return actor, actor


@pytest.fixture
def actor(store: OpenStore) -> OwnActor:
    return actor_on(store)


def actor_on(store: OpenStore, **more: Any) -> OwnActor:
    return OwnActor(store.database, store.runs, clock=store.clock, ids=Ids("n"), **more)


@pytest.mark.parametrize(("old", "new"), sorted(ALLOWED))
async def test_every_transition_is_written_as_shown(
    store: OpenStore, actor: OwnActor, old: str, new: str
) -> None:
    failure = RunFailureState(reason="x") if old == "FAILED" else None
    for workspace in (None, "w"):
        await store.runs.create(
            a_run(
                status=RunStatus(old),
                failure_state=failure,
                workspace_id=workspace,
                thread_id=f"t-{workspace}",
                metadata={"a": 1},
            )
        )
    store.clock.now = at(60)
    fields = {"reason": "bad", "message": "no", "output": '{"a": [1]}', "pending": ("a", "b")}
    write = await planned(actor, "move", store.clock.now, IN_A_WORKSPACE, RunStatus(new), **fields)
    before = everything(store.database.location)
    outcome = await actor.write(write)
    after = everything(store.database.location)
    assert_as_shown(write, outcome, before, after, LATER, beside=CHECKPOINTED)
    ((state,),) = store.query(
        "SELECT c.state_json FROM runs r JOIN run_checkpoints c USING (checkpoint_id)"
        " WHERE r.workspace_id = 'w' AND c.workspace_id = 'w'"
    )
    assert json.loads(state)["status"] == new


async def test_a_move_is_what_the_repository_would_have_done(
    file_store: OpenStore,
) -> None:
    actor = actor_on(file_store)
    for run_id in ("r1", "r2"):
        await file_store.runs.create(a_run(run_id, status=RunStatus.RUNNING))
    write = await planned(
        actor, "move", START, to=RunStatus.FAILED, reason="bad", message="no ü\udcff"
    )
    await written_as_shown(actor, write, file_store.database.location, beside=CHECKPOINTED)
    failure = RunFailureState(reason="bad", message="no ü\udcff")
    await file_store.runs.transition("r2", RunStatus.FAILED, failure_state=failure)
    columns = "status, error, failure_state, failure_count, pending_node_ids, updated_at"
    one, other = file_store.query(f"SELECT {columns} FROM runs ORDER BY run_id")
    assert one == other
    for run_id in ("r1", "r2"):
        await file_store.runs.increment_failure_count(run_id)
    write = await planned(actor, "move", START, to=RunStatus.PENDING)
    await written_as_shown(actor, write, file_store.database.location, beside=CHECKPOINTED)
    await file_store.runs.transition("r2", RunStatus.PENDING)
    one, other = file_store.query(f"SELECT {columns} FROM runs ORDER BY run_id")
    assert one == other
    assert one[:4] == ("PENDING", None, None, 0)


@pytest.mark.parametrize("name", ["move", "checkpoint", "restore", "fork"])
async def test_the_slower_one_is_told(store: OpenStore, actor: OwnActor, name: Act) -> None:
    run = await store.runs.create(a_run())
    write = await plan_any(actor, name, run)
    await store.runs.transition("r1", RunStatus.RUNNING)
    before = everything(store.database.location)
    outcome = await actor.write(write)
    assert (outcome.written, outcome.stored) == (False, "RUNNING")
    assert outcome.problem == "changed to RUNNING by another writer, nothing done"
    assert everything(store.database.location) == before


@pytest.mark.parametrize("name", ["move", "checkpoint", "restore", "fork"])
async def test_a_run_that_is_gone_is_told(store: OpenStore, actor: OwnActor, name: Act) -> None:
    run = await store.runs.create(a_run())
    write = await plan_any(actor, name, run)
    await store.runs.delete("r1")
    outcome = await actor.write(write)
    assert (outcome.written, outcome.stored) == (False, None)
    assert outcome.problem == "the run is gone, nothing done"
    assert store.query("SELECT count(*) FROM runs") == [(0,)]


async def plan_any(actor: OwnActor, name: Act, run: Run) -> Write:
    if name == "restore":
        return await actor.plan_restore(KEY, str(run.checkpoint_id))
    if name == "fork":
        return await actor.plan_fork(KEY, checkpoint_id=run.checkpoint_id)
    to = RunStatus.FAILED if name == "move" else None
    return await planned(actor, name, START, to=to)


async def test_a_trigger_is_refused(file_store: OpenStore) -> None:
    await file_store.runs.create(a_run())
    actor = actor_on(file_store)
    write = await planned(actor, "move", START, to=RunStatus.RUNNING)
    file_store.query("CREATE TRIGGER sly AFTER UPDATE ON runs BEGIN SELECT 1; END")
    outcome = await actor.write(write)
    assert not outcome.written
    assert "sly" in outcome.problem
    assert file_store.cell("runs", "status", run_id="r1") == "PENDING"


async def test_an_actor_that_may_not_write_does_not(file_store: OpenStore) -> None:
    await file_store.runs.create(a_run())
    write = await planned(actor_on(file_store), "move", START, to=RunStatus.RUNNING)
    before = everything(file_store.database.location)
    outcome = await actor_on(file_store, may_write=False).write(write)
    assert (outcome.written, outcome.problem) == (
        False,
        "this database is open read-only; nothing done",
    )
    assert everything(file_store.database.location) == before


async def test_a_checkpoint_is_made_and_the_run_stays(store: OpenStore, actor: OwnActor) -> None:
    run = await store.runs.create(a_run(status=RunStatus.RUNNING))
    before = everything(store.database.location)
    outcome = await actor.write(await planned(actor, "checkpoint", START))
    changed = changes(before, everything(store.database.location))
    assert (outcome.written, outcome.problem, outcome.stored) == (True, "", "RUNNING")
    assert {table for table, _ in changed} == {"run_checkpoints", "threads"}
    made = await store.runs.get_checkpoint(str(outcome.checkpoint_id))
    assert made is not None
    assert (made.run_id, made.parent_checkpoint_id) == ("r1", run.checkpoint_id)
    thread = await store.threads.get("r1")
    assert thread is not None
    assert thread.checkpoint_refs == [run.checkpoint_id, outcome.checkpoint_id]
