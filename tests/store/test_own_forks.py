"""Forking a run from a checkpoint or a step: a new run as shown, the source untouched."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.store.acting import CHECKPOINTED, KEY, changes, everything
from tests.store.acting_runs import STEPS, failed_run
from tests.store.support import START_COLUMN, Ids, OpenStore
from zeroth_store import (
    RunStatus,
    UnreadableRow,
)
from zeroth_store.acting import ActRefused
from zeroth_store.actions import Write
from zeroth_store.browse import RunKey
from zeroth_store.sqlite.acting.own_actor import OwnActor

pytestmark = pytest.mark.thorough


@pytest.fixture
def actor(store: OpenStore) -> OwnActor:
    return OwnActor(store.database, store.runs, clock=store.clock, ids=Ids("n"))


async def fork(store: OpenStore, actor: OwnActor, write: Write) -> dict[str, Any]:
    """Write a fork, hold it against what was shown, and return the new run's row."""
    before = everything(store.database.location)
    outcome = await actor.write(write)
    after = everything(store.database.location)
    changed = changes(before, after)
    ((place, row),) = [(p, after[p]) for p in changed if p[0] == "runs"]
    assert place not in before
    assert {table for table, _ in changed} == {"runs", *CHECKPOINTED}
    assert {name: row[name] for name in write.columns} == dict(write.columns)
    assert outcome.after == write.columns
    assert (outcome.written, outcome.problem) == (True, "")
    assert outcome.run == RunKey("default", "null", row["run_id"])
    counters = {"failure_count": 0, "lease_generation": 0, "token_snapshot_write_disabled": 0}
    beyond = {n: v for n, v in row.items() if n not in write.columns and v is not None}
    assert beyond == {
        **counters,
        "updated_at": START_COLUMN,
        "checkpoint_id": row["checkpoint_id"],
    }
    return row


@pytest.mark.parametrize("status", list(RunStatus))
async def test_a_fork_from_a_checkpoint_is_a_new_run(
    store: OpenStore, actor: OwnActor, status: RunStatus
) -> None:
    source = await failed_run(store)
    await store.runs.put(source.model_copy(update={"status": status, "checkpoint_id": "other"}))
    write = await actor.plan_fork(KEY, checkpoint_id=source.checkpoint_id)
    row = await fork(store, actor, write)
    assert row["run_id"] == "n1"
    assert (row["status"], row["thread_id"], row["pending_node_ids"]) == ("PENDING", "t", '["c"]')
    assert (row["failure_state"], row["error"], row["final_output"]) == (None, None, None)
    assert row["parent_checkpoint_id"] == source.checkpoint_id
    metadata = json.loads(row["metadata"])
    assert metadata["forked_from"] == {"run_id": "r1", "checkpoint_id": source.checkpoint_id}
    assert metadata.keys() == {"forked_from", "graph_name", "in_flight_dispatch", "initial_input"}
    assert len(json.loads(row["execution_history"])) == 3
    thread = await store.threads.get("t")
    assert thread is not None
    assert thread.run_ids == ["r1", "n1"]


@pytest.mark.parametrize(
    ("step", "node", "history", "counts", "decided", "refs"),
    [
        (0, "a", [], {}, [], []),
        (1, "b", ["a"], {"a": 1}, ["e-a"], ["audit:1"]),
        (
            2,
            "a",
            ["a", "b"],
            {"a": 1, "b": 1},
            ["e-a", "e-b"],
            ["audit:1", "audit:2", "audit:3"],
        ),
    ],
)
async def test_a_fork_from_a_step_is_as_it_was_before(
    store: OpenStore,
    actor: OwnActor,
    step: int,
    node: str,
    history: list[str],
    counts: dict[str, int],
    decided: list[str],
    refs: list[str],
) -> None:
    await failed_run(store)
    row = await fork(store, actor, await actor.plan_fork(KEY, step=step))
    made = await store.runs.get("n1")
    assert made is not None
    assert (made.status, made.pending_node_ids, made.current_node_ids) == ("PENDING", [node], [])
    assert made.execution_history == STEPS[:step]
    assert made.completed_steps == history
    assert made.node_visit_counts == counts
    assert [result.condition_id for result in made.condition_results] == decided
    assert made.audit_refs == refs
    assert made.metadata == {
        "forked_from": {"run_id": "r1", "step": step},
        "graph_name": "g",
        "initial_input": {"q": 1},
        "node_payloads": {node: {"to": node}},
    }
    assert row["started_at"] == START_COLUMN


async def test_a_fork_may_have_a_thread_of_its_own(store: OpenStore, actor: OwnActor) -> None:
    await failed_run(store)
    source = store.query("SELECT * FROM threads")
    row = await fork(store, actor, await actor.plan_fork(KEY, step=0, new_thread=True))
    assert row["thread_id"] not in ("t", row["run_id"])
    assert store.query("SELECT * FROM threads WHERE thread_id = 't'") == source
    thread = await store.threads.get(row["thread_id"])
    assert thread is not None
    assert thread.run_ids == [row["run_id"]]


async def test_a_fork_may_start_from_an_edited_state(store: OpenStore, actor: OwnActor) -> None:
    source = await failed_run(store)
    first = await actor.plan_fork(KEY, checkpoint_id=source.checkpoint_id)
    state = json.loads(actor.state_of(first))
    assert (state["status"], state["pending_node_ids"]) == ("PENDING", ["c"])
    state["metadata"]["in_flight_dispatch"]["input_payload"] = {"to": "edited"}
    state["tenant_id"], state["run_id"], state["thread_id"] = "acme", "r1", "elsewhere"
    edited = f"\n{json.dumps(state, indent=2)}"
    write = await actor.plan_fork(KEY, checkpoint_id=source.checkpoint_id, state=edited)
    row = await fork(store, actor, write)
    assert (row["tenant_id"], row["thread_id"]) == ("default", "t")
    metadata = json.loads(row["metadata"])
    assert metadata["in_flight_dispatch"]["input_payload"] == {"to": "edited"}
    assert metadata["forked_from"] == {"run_id": "r1", "checkpoint_id": source.checkpoint_id}
    unedited = {name: value for name, value in first.columns.items() if name != "run_id"}
    others = {name: write.columns[name] for name in unedited if name != "metadata"}
    assert others == {name: value for name, value in unedited.items() if name != "metadata"}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("[]", "no JSON object"),
        ("{", "not JSON"),
        ('{"run_id": "x"}', "graph_version_ref"),
        ('{"graph_version_ref": "g", "status": "PAUSED"}', "status"),
    ],
)
async def test_an_edited_state_that_is_no_run_is_refused(
    store: OpenStore, actor: OwnActor, state: str, said: str
) -> None:
    await failed_run(store)
    with pytest.raises(UnreadableRow, match=said):
        await actor.plan_fork(KEY, step=0, state=state)


@pytest.mark.parametrize("step", [-1, 3])
async def test_a_step_that_is_not_there_is_refused(
    store: OpenStore, actor: OwnActor, step: int
) -> None:
    await failed_run(store)
    with pytest.raises(ActRefused, match="history holds 3"):
        await actor.plan_fork(KEY, step=step)


@pytest.mark.parametrize("where", [{}, {"step": 0, "checkpoint_id": "c1"}])
async def test_a_fork_starts_from_one_place(actor: OwnActor, where: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="checkpoint or from a step"):
        await actor.plan_fork(KEY, **where)
