"""Node durations in an overview: from audits alone, and only what they measured."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.store.guests import Guest
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import RunKey
from zeroth_store.overview import Nodes, OverviewQuery
from zeroth_store.sqlite.overview import visits as overview_visits

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR = OverviewQuery(timedelta(hours=1))


def json_time(seconds: float) -> str:
    """The time so many seconds before NOW, as Zeroth spells it inside JSON."""
    return (NOW - timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def record(began: float, ended: float | None, **more: object) -> dict[str, object]:
    """An audit of a node that worked so many seconds before NOW."""
    completed = None if ended is None else json_time(ended)
    return {
        "status": "completed",
        "started_at": json_time(began),
        "completed_at": completed,
        **more,
    }


async def nodes(guest: Guest, wanted: OverviewQuery = HOUR) -> Nodes:
    async with SQLiteRunBrowser(guest.path, clock=lambda: NOW) as browser:
        return (await browser.overview(wanted)).nodes


def audited(guest: Guest, number: int, node: str, what: object, **columns: object) -> None:
    guest.audit(f"a{number}", f"r{number}", what, node_id=node, **columns)


async def test_visits_are_measured_by_their_audits(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r1", started_at=NOW.isoformat())
        audited(guest, 1, "think", record(20, 18, cost_usd=0.5, estimated_cost_usd=0.25))
        audited(guest, 2, "think", record(30, 29, status="failed"), workspace_id="w1")
        audited(guest, 3, "branch", record(9, 9))  # parallel: one time twice
        audited(guest, 4, "ask", record(9, 9, status="approval_api"))
        audited(guest, 5, "__worker__", record(9, None))
        audited(guest, 6, "long ago", record(7_300, 7_200))
        audited(guest, 7, "odd", "no json", created_at=NOW.isoformat())
        audited(guest, 8, "odd", record(1, 5))  # ended before it began
        audited(guest, 9, "large", record(8, 4, output={"text": "x" * 70_000}))
        found = await nodes(guest)
    assert (found.known, found.most) == (True, None)
    rows = {one.node: one for one in found.rows}
    assert [(one.node, one.visits, one.timed) for one in found.rows] == [
        ("large", 1, 1),
        ("think", 2, 2),
        ("odd", 2, 0),
        ("branch", 1, 0),
    ]
    think = rows["think"]
    assert think.longest is not None
    assert (think.longest.key, think.longest.took) == (RunKey("default", "null", "r1"), 2_000_000)
    assert (think.cost.n, think.cost.total) == (1, 0.75)
    assert think.latest.key.run_id == "r1"
    assert rows["large"].longest is not None
    assert rows["large"].longest.took == 4_000_000


async def test_a_visit_belongs_to_the_run_of_its_scope(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r1", workspace_id="w1", started_at=NOW.isoformat())
        audited(guest, 1, "think", record(20, 18), workspace_id="w1", tenant_id="acme")
        [think] = (await nodes(guest)).rows
    assert think.latest.key == RunKey("acme", "value:w1", "r1")


async def test_only_the_newest_audits_are_read_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview_visits, "MOST_VISITS", 3)
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r", started_at=NOW.isoformat())
        for number in range(3):
            audited(guest, number, "think", record(10 - number, 9 - number))
        assert ((await nodes(guest)).most, (await nodes(guest)).rows[0].visits) == (None, 3)
        audited(guest, 3, "think", record(2, 1))
        assert ((await nodes(guest)).most, (await nodes(guest)).rows[0].visits) == (3, 3)


async def test_a_database_without_audits_says_so(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r", started_at=NOW.isoformat())
        guest.sql("DROP TABLE node_audits")
        assert await nodes(guest) == Nodes(known=False)
