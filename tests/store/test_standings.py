"""What other rows say of a run in a list: who drives it, and whether its approval is there."""

from __future__ import annotations

from pathlib import Path

from tests.store.guests import Guest
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import RunQuery, RunSummary

FUTURE = "2999-01-01T00:00:00+00:00"


def approval(guest: Guest, run_id: str, status: str, **columns: object) -> None:
    guest.insert(
        "approvals",
        approval_id=f"a-{run_id}-{status}",
        run_id=run_id,
        node_id="approve",
        status=status,
        created_at="2026-03-01T10:00:00+00:00",
        updated_at="2026-03-01T10:00:00+00:00",
        record_json="{}",
        **columns,
    )


async def runs(guest: Guest) -> dict[str, RunSummary]:
    async with SQLiteRunBrowser(guest.path) as browser:
        page = await browser.runs(RunQuery())
    return {run.key.run_id: run for run in page.rows}


async def test_an_approval_is_missing_where_no_open_one_is_stored(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for name in ("asked", "escalated", "answered", "never"):
            guest.run(name, "WAITING_APPROVAL")
        guest.run("elsewhere", "WAITING_APPROVAL", workspace_id="w1")
        guest.run(
            "parent", "WAITING_APPROVAL", metadata={"pending_subgraph": {"child_run_id": "c"}}
        )
        guest.run("over", "COMPLETED")
        approval(guest, "asked", "pending")
        approval(guest, "escalated", "escalated")
        approval(guest, "answered", "resolved")
        approval(guest, "elsewhere", "pending")  # of the run of this id in no workspace
        found = await runs(guest)
    assert {name for name, run in found.items() if run.approval_missing} == {
        "answered",
        "never",
        "elsewhere",
    }


async def test_nothing_is_missed_where_there_is_no_table_of_approvals(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("asks", "WAITING_APPROVAL")
        guest.sql("DROP TABLE approvals")
        found = await runs(guest)
    assert not found["asks"].approval_missing


async def test_a_child_is_driven_by_a_live_parent_with_a_lease(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        held = {"lease_worker_id": "w", "lease_expires_at": FUTURE}
        guest.run("live", "RUNNING", **held)
        guest.run("free", "RUNNING")
        guest.run("done", "COMPLETED", **held)
        for parent in ("live", "free", "done", "nobody"):
            guest.run(f"of {parent}", "RUNNING", metadata={"parent_run_id": parent})
        guest.run("over", "COMPLETED", metadata={"parent_run_id": "live"})
        found = await runs(guest)
    assert {name for name, run in found.items() if run.driven} == {"of live"}
