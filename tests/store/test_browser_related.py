"""What other rows say of a run: family, checkpoints, audits, approvals and side effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RelatedRows, RunKey, RunSummary
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SCOPED = ("021", "026")


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


def key(run_id: str, scope: str = "null") -> RunKey:
    return RunKey("default", scope, run_id)


async def related(guest: Guest, run: RunKey) -> RelatedRows:
    async with SQLiteRunBrowser(guest.path) as browser:
        return await browser.related(run)


def ids(rows: tuple[RunSummary, ...]) -> list[str]:
    return [row.key.run_id for row in rows]


async def test_children_are_found_across_threads_in_the_same_scope(guest: Guest) -> None:
    with guest:
        guest.run("parent")
        guest.run("one", thread_id="t-2", metadata={"parent_run_id": "parent"})
        guest.run("nan", thread_id="t-3", metadata='{"parent_run_id":"parent","x":NaN}')
        guest.run("mentions", metadata={"note": "parent_run_id parent"})
        guest.run("other", workspace_id="emea", metadata={"parent_run_id": "parent"})
        guest.run("broken", metadata='{"parent_run_id":"parent"')
        found = await related(guest, key("parent"))
        child = await related(guest, key("nan"))
        foreign = await related(guest, key("other", "value:emea"))
    assert ids(found.children) == ["one", "nan"]
    assert child.parent is not None
    assert child.parent.key == key("parent")
    assert foreign.parent is None


async def test_a_waiting_parent_names_its_child(guest: Guest) -> None:
    with guest:
        guest.run("parent", metadata={"pending_subgraph": {"child_run_id": "child"}})
        guest.run("child")
        guest.run("lost", metadata={"pending_subgraph": {"child_run_id": "never stored"}})
        assert ids((await related(guest, key("parent"))).children) == ["child"]
        assert (await related(guest, key("lost"))).children == ()


async def test_cycles_end_after_one_step(guest: Guest) -> None:
    with guest:
        guest.run("a", metadata={"parent_run_id": "b"})
        guest.run("b", metadata={"parent_run_id": "a"})
        guest.run("self", metadata={"parent_run_id": "self"})
        a = await related(guest, key("a"))
        own = await related(guest, key("self"))
    assert (ids(a.children), a.parent and a.parent.key.run_id) == (["b"], "b")
    assert (ids(own.children), own.parent and own.parent.key.run_id) == (["self"], "self")


async def test_ids_that_json_escapes_still_find_their_children(guest: Guest) -> None:
    with guest:
        guest.run('caf\u00e9 "1"')
        guest.run("child", metadata={"parent_run_id": 'caf\u00e9 "1"'})
        assert ids((await related(guest, key('caf\u00e9 "1"'))).children) == ["child"]


async def test_audits_come_in_chain_order_with_their_times(guest: Guest) -> None:
    record = {
        "started_at": "2026-03-01T10:00:00Z",
        "completed_at": "2026-03-01T10:00:02Z",
        "status": "completed",
        "attempt": 2,
        "estimated_cost_usd": 0.5,
        "execution_metadata": {"reason_code": "ok", "branch_id": "b-1"},
    }
    with guest:
        guest.run("r")
        guest.audit("r:audit:2", "r", record, node_id="second", chain_sequence=2)
        guest.audit("r:audit:1", "r", "not json", node_id="first", chain_sequence=1)
        guest.audit("x", "r", record, node_id="foreign", chain_sequence=3, tenant_id="acme")
        guest.audit("y", "other", record, node_id="other run", chain_sequence=4)
        first, second = (await related(guest, key("r"))).audits
    assert (first.node_id, first.sequence, first.status) == ("first", 1, None)
    assert (second.audit_id, second.status, second.attempt) == ("r:audit:2", "completed", 2)
    assert (second.started.raw, second.completed.raw) == (
        "2026-03-01T10:00:00Z",
        "2026-03-01T10:00:02Z",
    )
    assert (second.cost.estimated, second.reason_code, second.branch_id) == (0.5, "ok", "b-1")


async def test_an_approval_tells_who_decided_what(guest: Guest) -> None:
    record = {
        "summary": "Approval required",
        "requested_by": {"subject": "olga"},
        "resolution": {
            "decision": "edit_and_approve",
            "actor": {"subject": "rev"},
            "edited_payload": {"n": 1},
            "resolved_at": "2026-03-01T10:05:00Z",
        },
    }
    waiting = {"summary": "s", "resolution": None}
    with guest:
        guest.run("r")
        guest.insert(
            "approvals",
            approval_id="ap",
            run_id="r",
            node_id="gate",
            status="resolved",
            sla_deadline="2026-03-01T11:00:00+00:00",
            record_json=record,
        )
        guest.insert(
            "approvals", approval_id="aq", run_id="r", status="pending", record_json=waiting
        )
        done, open_one = (await related(guest, key("r"))).approvals
    assert (done.approval_id, done.node_id, done.status) == ("ap", "gate", "resolved")
    assert (done.requested_by, done.decision, done.actor) == ("olga", "edit_and_approve", "rev")
    assert (done.edited, done.resolved.raw) == (True, "2026-03-01T10:05:00Z")
    assert done.deadline.raw == "2026-03-01T11:00:00+00:00"
    assert (open_one.decision, open_one.edited, open_one.resolved.missing) == (None, False, True)


@pytest.mark.parametrize("era", SCOPED)
async def test_side_effects_of_an_unscoped_table_belong_to_the_run(
    tmp_path: Path, era: str
) -> None:
    with Guest(tmp_path / "g.db", era) as guest:
        guest.run("r", tenant_id="acme")
        guest.insert(
            "side_effect_operations",
            operation_key="op",
            run_id="r",
            target_ref="eu://charge",
            state="AMBIGUOUS",
            attempt=1,
            ambiguity_reason="no answer",
        )
        (operation,) = (await related(guest, RunKey("acme", "null", "r"))).operations
    assert (operation.operation_key, operation.target) == ("op", "eu://charge")
    assert (operation.state, operation.ambiguity) == ("AMBIGUOUS", "no answer")


async def test_missing_tables_are_empty(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "001") as guest:
        guest.run("r")
        for table in ("node_audits", "approvals", "run_checkpoints", "threads"):
            guest.sql(f"DROP TABLE {table}")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.related(key("r")) == RelatedRows()
            assert await browser.checkpoints(key("r")) == ()
            assert await browser.checkpoint(key("r"), "c") is None
            assert (await browser.threads()).rows == ()
            assert ids(await browser.loose_runs()) == ["r"]


async def test_checkpoints_are_in_the_threads_order(guest: Guest) -> None:
    state = {"status": "RUNNING", "completed_steps": ["a", "b"]}
    pseudo = "thread-state:t-1:s"
    with guest:
        guest.run("r")
        guest.thread("t-1", ["r"], checkpoint_refs=["c2", "s", "gone", "c1"])
        guest.checkpoint("c1", "r", state, checkpoint_order=1)
        guest.checkpoint("unlisted", "r", "gAAAAABtoken", checkpoint_order=2)
        guest.checkpoint("s", pseudo, state, thread_id=pseudo)
        guest.checkpoint("c2", "sibling", "<html>", checkpoint_order=1)
        guest.checkpoint("foreign", "x", state, thread_id="t-2")
        async with SQLiteRunBrowser(guest.path) as browser:
            rows = await browser.checkpoints(key("r"))
            text = await browser.checkpoint(key("r"), "unlisted")
    assert [(row.checkpoint_id, row.position, row.kind) for row in rows] == [
        ("c2", 0, "unreadable"),
        ("s", 1, "thread_state"),
        ("gone", 2, "gone"),
        ("c1", 3, "state"),
        ("unlisted", None, "encrypted"),
    ]
    c1 = rows[3]
    assert (c1.status, c1.steps, c1.stored_order, c1.run_id) == ("RUNNING", 2, 1, "r")
    assert rows[0].status is None
    assert text == "gAAAAABtoken"


async def test_checkpoint_size_counts_bytes(guest: Guest) -> None:
    with guest:
        guest.run("r")
        guest.checkpoint("c", "r", '{"a": "\u00e9\u00e9"}')
        guest.checkpoint("null", "r", None)
        async with SQLiteRunBrowser(guest.path) as browser:
            sizes = {r.checkpoint_id: r.size for r in await browser.checkpoints(key("r"))}
    assert sizes == {"c": 13, "null": 0}


async def test_one_checkpoint_id_in_two_scopes_is_two_checkpoints(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "022") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", "{}")
        guest.checkpoint("c", "r", '{"acme": 1}', tenant_id="acme")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.checkpoint(key("r"), "c") == "{}"
            assert await browser.checkpoint(RunKey("acme", "null", "r"), "c") == '{"acme": 1}'


async def test_children_of_a_large_table_are_found_near_their_parent_at_once(
    tmp_path: Path,
) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("parent")
        guest.run("near", metadata={"parent_run_id": "parent"})
        guest.run("late", metadata={"parent_run_id": "parent"})
        guest.sql("UPDATE runs SET rowid = 60000 WHERE run_id = 'late'")
        async with SQLiteRunBrowser(guest.path) as browser:
            key = RunKey("default", "null", "parent")
            found = (await browser.related(key)).children
            assert [run.key.run_id for run in found] == ["near"]
            await browser.keep_index()  # which knows of all
            found = (await browser.related(key)).children
            assert [run.key.run_id for run in found] == ["near", "late"]
