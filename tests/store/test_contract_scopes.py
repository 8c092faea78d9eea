"""The contract of scopes: ids repeat across tenants and workspaces, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest

from tests.store.support import OpenStore, a_run
from zeroth_store import (
    AmbiguousId,
    RunConditionResult,
    RunHistoryEntry,
    RunNotFound,
    RunStatus,
    Thread,
    ThreadNotFound,
)

SCOPES = (("default", None), ("default", "w"), ("acme", None))


@pytest.fixture
async def shared(store: OpenStore) -> OpenStore:
    """The run r1 in the thread th with the checkpoint c1, in each of three scopes."""
    for tenant, workspace in SCOPES:
        scope: dict[str, Any] = {"tenant_id": tenant, "workspace_id": workspace}
        await store.threads.create(
            Thread(thread_id="th", graph_version_ref="g", deployment_ref="g", **scope)
        )
        await store.runs.create(
            a_run(thread_id="th", checkpoint_id="c1", metadata={"of": [tenant, workspace]}, **scope)
        )
    return store


async def test_an_id_alone_is_refused_where_several_scopes_hold_it(shared: OpenStore) -> None:
    runs, threads = shared.runs, shared.threads
    before = shared.dump()
    attempts: tuple[Awaitable[object], ...] = (
        runs.get("r1"),
        runs.transition("r1", RunStatus.RUNNING),
        runs.record_history("r1", RunHistoryEntry(node_id="n", status="s")),
        runs.record_condition_result("r1", RunConditionResult(condition_id="c", matched=True)),
        runs.increment_failure_count("r1"),
        runs.snapshot("r1", expected_status=RunStatus.PENDING),
        runs.delete("r1"),
        runs.get_checkpoint("c1"),
        runs.list_checkpoints("th"),
        runs.get_latest_checkpoint("th"),
        threads.get("th"),
        threads.list_runs("th"),
        threads.attach_run("th", "r1"),
    )
    for attempt in attempts:
        with pytest.raises(AmbiguousId, match="exists in 3 scopes: say which by tenant_id"):
            await attempt
    assert shared.dump() == before


@pytest.mark.parametrize(("tenant", "workspace"), SCOPES)
async def test_a_named_scope_is_the_one_that_is_read_and_written(
    shared: OpenStore, tenant: str, workspace: str | None
) -> None:
    runs, threads = shared.runs, shared.threads
    one = {"of": [tenant, workspace]}
    run = await runs.get("r1", tenant_id=tenant, workspace_id=workspace)
    checkpoint = await runs.get_checkpoint("c1", tenant_id=tenant, workspace_id=workspace)
    assert run is not None
    assert run.metadata == one
    assert checkpoint == run
    listed = await threads.list_runs("th", tenant_id=tenant, workspace_id=workspace)
    assert listed == await runs.list_checkpoints("th", tenant_id=tenant, workspace_id=workspace)
    assert listed == [run]

    await runs.transition("r1", RunStatus.RUNNING, tenant_id=tenant, workspace_id=workspace)
    scope = "null" if workspace is None else f"value:{workspace}"
    changed = shared.query("SELECT tenant_id, workspace_scope FROM runs WHERE status = 'RUNNING'")
    assert changed == [(tenant, scope)]

    assert await runs.delete("r1", tenant_id=tenant, workspace_id=workspace)
    for table in ("runs", "run_checkpoints"):
        left = shared.query(f"SELECT tenant_id, workspace_scope FROM {table}")
        assert len(left) == 2
        assert (tenant, scope) not in left
    assert shared.query("SELECT count(*) FROM threads WHERE run_ids = '[]'") == [(1,)]


async def test_a_workspace_without_a_tenant_is_the_default_tenants(shared: OpenStore) -> None:
    run = await shared.runs.get("r1", workspace_id="w")
    assert run is not None
    assert run.metadata == {"of": ["default", "w"]}


async def test_an_id_that_one_scope_holds_needs_no_scope(store: OpenStore) -> None:
    await store.runs.create(a_run(tenant_id="acme", workspace_id="w"))
    run = await store.runs.transition("r1", RunStatus.RUNNING)
    assert (run.tenant_id, run.workspace_id) == ("acme", "w")
    assert await store.threads.list_run_ids("r1") == ["r1"]


async def test_another_scope_does_not_see_it(store: OpenStore) -> None:
    await store.runs.create(a_run(tenant_id="acme"))
    before = store.dump()
    assert await store.runs.get("r1", tenant_id="default") is None
    assert await store.runs.get("r1", tenant_id="acme", workspace_id="") is None
    assert await store.runs.delete("r1", tenant_id="default") is False
    with pytest.raises(RunNotFound):
        await store.runs.transition("r1", RunStatus.RUNNING, tenant_id="default")
    with pytest.raises(ThreadNotFound):
        await store.threads.attach_run("r1", "r2", tenant_id="default")
    assert store.dump() == before


async def test_an_empty_workspace_id_is_not_no_workspace(store: OpenStore) -> None:
    await store.runs.create(a_run(workspace_id=""))
    assert store.query("SELECT workspace_id, workspace_scope FROM runs") == [("", "value:")]
    assert await store.runs.get("r1", tenant_id="default") is None
    assert await store.runs.get("r1", tenant_id="default", workspace_id="") is not None
