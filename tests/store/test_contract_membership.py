"""The contract of which thread a run belongs to, and of what leaves with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.support import OpenStore, a_run, at
from zeroth_store import Thread, ThreadIdentityMismatch
from zeroth_store.sqlite.repositories.audit_log import ApprovalRecord, AuditLog, NodeAudit


async def test_a_run_cannot_change_its_thread(store: OpenStore) -> None:
    run = await store.runs.create(a_run(thread_id="one"))
    before = store.dump()
    run.thread_id = "two"
    with pytest.raises(ThreadIdentityMismatch, match="thread identity mismatch"):
        await store.runs.put(run)
    assert store.dump() == before


async def test_a_run_cannot_open_a_thread_that_is_another_tenants(store: OpenStore) -> None:
    await store.runs.create(a_run("r1", thread_id="th", tenant_id="a"))
    before = store.dump()
    with pytest.raises(ValueError, match="thread identity mismatch"):
        await store.runs.create(a_run("r2", thread_id="th", tenant_id="b"))
    assert store.dump() == before


async def test_a_thread_made_in_its_own_scope_may_share_the_id(store: OpenStore) -> None:
    await store.runs.create(a_run("r1", thread_id="th", tenant_id="a"))
    await store.threads.create(
        Thread(thread_id="th", graph_version_ref="g", deployment_ref="g", tenant_id="b")
    )
    await store.runs.create(a_run("r1", thread_id="th", tenant_id="b"))
    assert await store.threads.list_run_ids("th", tenant_id="b") == ["r1"]
    assert store.query("SELECT count(*) FROM runs WHERE run_id = 'r1'") == [(2,)]


async def test_a_thread_may_hold_runs_of_several_graphs(store: OpenStore) -> None:
    """At HEAD only tenant and workspace are compared (ZEROTH.md section 4)."""
    await store.runs.create(a_run("r1", thread_id="th"))
    await store.runs.create(a_run("r2", thread_id="th", graph_id="child", deployment_ref="other"))
    assert await store.threads.list_run_ids("th") == ["r1", "r2"]


async def test_delete_takes_the_run_its_checkpoints_and_its_place(store: OpenStore) -> None:
    for name in ("r1", "r2"):
        await store.runs.create(a_run(name, thread_id="th"))
    await store.threads.set_active_run_id("th", "r2")
    kept = store.query("SELECT * FROM runs WHERE run_id = 'r1'")

    assert await store.runs.delete("r2") is True
    assert await store.runs.get("r2") is None
    assert store.query("SELECT * FROM runs") == kept
    assert store.query("SELECT checkpoint_id FROM run_checkpoints") == [("c1",)]
    assert store.query(
        "SELECT run_ids, last_run_id, active_run_id, checkpoint_refs FROM threads"
    ) == [('["r1"]', "r1", None, '["c1"]')]
    assert await store.runs.delete("r2") is False


async def test_delete_takes_the_audits_and_approvals_of_the_run_alone(store: OpenStore) -> None:
    log = AuditLog(store.database)
    await log.initialize()
    audit = NodeAudit("audit:1", "n", "completed", at(0), at(1))
    for run in (a_run("r1"), a_run("r2"), a_run("r1", tenant_id="b", thread_id="theirs")):
        name = f"{run.tenant_id}:{run.run_id}"
        question = ApprovalRecord(f"{name}:question", "n", {}, at(0))
        await store.runs.create(run)
        await log.record(run, [replace(audit, audit_id=f"{name}:audit:1")], [question])

    assert await store.runs.delete("r1", tenant_id="default") is True
    for table in ("node_audits", "approvals"):
        left = store.query(f"SELECT tenant_id, run_id FROM {table} ORDER BY tenant_id")
        assert left == [("b", "r1"), ("default", "r2")]
