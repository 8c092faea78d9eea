"""The contract of threads: what belongs to one, and how resolve merges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.support import START, OpenStore, a_run, at
from zeroth_store import (
    Thread,
    ThreadExists,
    ThreadIdentityMismatch,
    ThreadMemoryBinding,
    ThreadNotFound,
    ThreadStatus,
)

GRAPH: dict[str, Any] = {"graph_version_ref": "g", "deployment_ref": "d"}


def a_thread(thread_id: str = "th", **values: Any) -> Thread:
    fixed: dict[str, Any] = {**GRAPH, "created_at": START, "updated_at": START}
    return Thread(thread_id=thread_id, **{**fixed, **values})


async def test_a_thread_comes_back_as_it_was_created(store: OpenStore) -> None:
    thread = a_thread(
        participating_agent_refs=["writer"],
        state_snapshot_refs=["s1"],
        checkpoint_refs=["c9"],
        memory_bindings=[ThreadMemoryBinding(connector_id="c", instance_id="i", scope="thread")],
        run_ids=["r1"],
        active_run_id="r1",
        last_run_id="r1",
        status=ThreadStatus.ARCHIVED,
    )
    assert await store.threads.create(thread) == thread
    assert await store.threads.get("th") == thread
    assert store.query("SELECT memory_bindings, status, workspace_scope FROM threads") == [
        ('[{"connector_id":"c","instance_id":"i","scope":"thread"}]', "archived", "null")
    ]


async def test_an_existing_thread_is_not_created_again(store: OpenStore) -> None:
    await store.threads.create(a_thread())
    before = store.dump()
    with pytest.raises(ThreadExists, match=r"^thread already exists: th$"):
        await store.threads.create(a_thread(status=ThreadStatus.ARCHIVED))
    assert store.dump() == before


async def test_an_unknown_thread(store: OpenStore) -> None:
    assert await store.threads.get("th") is None
    assert await store.threads.list() == []
    assert await store.threads.list_runs("th") == []
    assert await store.threads.list_run_ids("th") == []
    assert await store.threads.get_active_run_id("th") is None
    assert await store.threads.get_latest_run_id("th") is None
    for attempt in (
        store.threads.update(a_thread()),
        store.threads.attach_run("th", "r1"),
        store.threads.set_active_run_id("th", "r1"),
    ):
        with pytest.raises(ThreadNotFound, match="no thread 'th' in this database"):
            await attempt
    assert store.dump()["threads"] == []


async def test_threads_are_listed_oldest_first(store: OpenStore) -> None:
    for name, seconds in (("b", 5), ("c", 0), ("a", 5)):
        await store.threads.create(a_thread(name, created_at=at(seconds)))
    assert [thread.thread_id for thread in await store.threads.list()] == ["c", "a", "b"]


async def test_update_saves_and_stamps_but_keeps_the_time_of_creation(store: OpenStore) -> None:
    await store.threads.create(a_thread())
    store.clock.now = at(9)
    changed = await store.threads.update(a_thread(status=ThreadStatus.COMPLETED, created_at=at(8)))
    assert (changed.status, changed.created_at, changed.updated_at) == ("completed", START, at(9))
    assert await store.threads.get("th") == changed


async def test_runs_join_in_order_of_creation_and_the_last_written_is_last(
    store: OpenStore,
) -> None:
    first = await store.runs.create(a_run("r1", thread_id="th"))
    await store.runs.create(a_run("r2", thread_id="th"))
    assert await store.threads.list_run_ids("th") == ["r1", "r2"]
    assert store.query("SELECT last_run_id, active_run_id FROM threads") == [("r2", None)]
    await store.runs.put(first)
    assert await store.threads.list_run_ids("th") == ["r1", "r2"]
    assert store.query("SELECT last_run_id FROM threads") == [("r1",)]
    runs = await store.threads.list_runs("th")
    assert runs == [await store.runs.get("r1"), await store.runs.get("r2")]
    assert await store.threads.get_latest_run_id("th") == "r2"


async def test_listed_runs_without_a_row_are_left_out(store: OpenStore) -> None:
    await store.runs.create(a_run("r1", thread_id="th"))
    store.query("""UPDATE threads SET run_ids = '["gone","r1"]'""")
    assert [run.run_id for run in await store.threads.list_runs("th")] == ["r1"]
    assert await store.threads.list_run_ids("th") == ["gone", "r1"]


async def test_attaching_makes_a_run_active_and_last_once(store: OpenStore) -> None:
    await store.threads.create(a_thread())
    for run_id in ("r1", "r2", "r1"):
        thread = await store.threads.attach_run("th", run_id)
    assert (thread.run_ids, thread.active_run_id, thread.last_run_id) == (
        ["r1", "r2"],
        "r1",
        "r1",
    )
    await store.threads.set_active_run_id("th", "r2")
    assert await store.threads.get_active_run_id("th") == "r2"


async def test_resolve_creates_what_is_missing(store: OpenStore) -> None:
    thread = await store.threads.resolve("th", **GRAPH, tenant_id="a", workspace_id="w")
    assert thread == a_thread(tenant_id="a", workspace_id="w")
    assert store.query("SELECT tenant_id, workspace_scope FROM threads") == [("a", "value:w")]


async def test_resolve_names_a_new_thread_after_its_run_or_invents_an_id(
    store: OpenStore,
) -> None:
    assert (await store.threads.resolve(None, **GRAPH, run_id="r1")).thread_id == "r1"
    assert (await store.threads.resolve(None, **GRAPH)).thread_id == "t1"


async def test_resolve_merges_without_repeats_in_order(store: OpenStore) -> None:
    one = ThreadMemoryBinding(connector_id="c", instance_id="1")
    two = ThreadMemoryBinding(connector_id="c", instance_id="2")
    await store.threads.resolve(
        "th",
        **GRAPH,
        participating_agent_refs=["b", "a", "b"],
        state_snapshot_refs=["s1"],
        checkpoint_refs=["c1", "c2"],
        memory_bindings=[one],
        run_id="r1",
    )
    store.clock.now = at(4)
    thread = await store.threads.resolve(
        "th",
        **GRAPH,
        participating_agent_refs=("c", "a"),
        state_snapshot_refs=["s0", "s1"],
        checkpoint_refs=["c2", "c0"],
        memory_bindings=[two, one],
        run_id="r2",
    )
    assert thread == a_thread(
        participating_agent_refs=["b", "a", "c"],
        state_snapshot_refs=["s1", "s0"],
        checkpoint_refs=["c1", "c2", "c0"],
        memory_bindings=[one, two],
        run_ids=["r1", "r2"],
        active_run_id="r2",
        last_run_id="r2",
        updated_at=at(4),
    )
    assert await store.threads.get("th") == thread


async def test_resolve_with_nothing_new_changes_only_the_time(store: OpenStore) -> None:
    before = await store.threads.resolve(
        "th", **GRAPH, run_id="r1", checkpoint_refs=["c1"], status=ThreadStatus.COMPLETED
    )
    store.clock.now = at(4)
    after = await store.threads.resolve("th", **GRAPH)
    assert after == before.model_copy(update={"updated_at": at(4)})


async def test_resolve_sets_a_status_only_when_given(store: OpenStore) -> None:
    await store.threads.resolve("th", **GRAPH, status=ThreadStatus.ARCHIVED)
    assert (await store.threads.resolve("th", **GRAPH)).status is ThreadStatus.ARCHIVED
    active = await store.threads.resolve("th", **GRAPH, status=ThreadStatus.ACTIVE)
    assert active.status is ThreadStatus.ACTIVE


@pytest.mark.parametrize("other", [{"graph_version_ref": "g2"}, {"deployment_ref": "d2"}])
async def test_resolve_refuses_another_identity(store: OpenStore, other: dict[str, str]) -> None:
    await store.threads.resolve("th", **GRAPH)
    before = store.dump()
    with pytest.raises(ThreadIdentityMismatch, match="thread identity mismatch: thread 'th'"):
        await store.threads.resolve("th", **{**GRAPH, **other}, run_id="r1")
    assert store.dump() == before
