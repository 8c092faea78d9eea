"""A database at a glance, compared with plain SQL: with the side index and without."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import RunQuery
from zeroth_store.filters import Filter
from zeroth_store.overview import Overview, OverviewQuery
from zeroth_store.overview_filters import STUCK, UNDATED, WAITING, started_in
from zeroth_store.sqlite.overview import figures as reads

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR = OverviewQuery(timedelta(hours=1))
ALL = OverviewQuery(None)
BY_INDEX = pytest.mark.parametrize("indexed", [True, False], ids=["index", "no index"])


def minutes(number: float) -> str:
    """The time so many minutes before NOW, as Zeroth spells it."""
    return (NOW - timedelta(minutes=number)).isoformat()


@asynccontextmanager
async def browsing(guest: Guest, *, indexed: bool = True) -> AsyncIterator[SQLiteRunBrowser]:
    async with SQLiteRunBrowser(guest.path, index_rest=0, clock=lambda: NOW) as browser:
        if indexed:
            await browser.keep_index()
        yield browser


async def overview(guest: Guest, wanted: OverviewQuery, *, indexed: bool = True) -> Overview:
    async with browsing(guest, indexed=indexed) as browser:
        return await browser.overview(wanted)


async def listed(browser: SQLiteRunBrowser, wanted: Filter) -> int:
    page = await browser.runs(RunQuery(filter=wanted), limit=1_000)
    return len(page.rows)


@BY_INDEX
async def test_an_empty_database_has_no_figures(tmp_path: Path, indexed: bool) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        found = await overview(guest, HOUR, indexed=indexed)
    assert (found.stretch, found.newest, found.undated, found.exact) == (None, None, 0, True)
    assert (found.runs.total, found.waiting.total, found.stuck.total) == (0, 0, 0)


@BY_INDEX
@pytest.mark.parametrize("era", ERAS)
async def test_only_what_started_in_the_time_is_counted(
    tmp_path: Path, era: str, indexed: bool
) -> None:
    with Guest(tmp_path / "guest.db", era) as guest:
        guest.run("before", started_at=minutes(60.1), updated_at=minutes(1))
        guest.run("at the edge", started_at=minutes(60))
        guest.run("failed", "FAILED", started_at=minutes(30), graph_version_ref="h@2")
        guest.run("now", "RUNNING", started_at=minutes(0), lease_worker_id="w")
        guest.run("to come", "PENDING", started_at=minutes(-90))
        guest.run("when", started_at="yesterday")
        guest.run("never", started_at=None)
        found = await overview(guest, HOUR, indexed=indexed)
    assert found.stretch is not None
    assert found.stretch.since == NOW - timedelta(hours=1)
    assert {one.status: one.total for one in found.runs.statuses} == {
        "COMPLETED": 1,
        "FAILED": 1,
        "RUNNING": 1,
        "PENDING": 1,
    }
    assert (found.runs.total, found.runs.over, found.runs.failed) == (4, 2, 1)
    assert {one.graph: (one.total, one.failed) for one in found.runs.graphs} == {
        "g@1": (3, 0),
        "h@2": (1, 1),
    }
    assert found.undated == 2
    assert found.newest == NOW + timedelta(minutes=90)


@BY_INDEX
async def test_the_time_can_end_with_the_newest_run(tmp_path: Path, indexed: bool) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(6):  # 10:00, 10:20, ... 11:40, a month ago
            guest.run(
                f"r{number}", started_at=f"2026-02-01T{10 + number // 3}:{number % 3}0:00+00:00"
            )
        now = await overview(guest, HOUR, indexed=indexed)
        then = await overview(
            guest, OverviewQuery(timedelta(hours=1), at_newest=True), indexed=indexed
        )
    assert (now.runs.total, now.newest) == (0, datetime(2026, 2, 1, 11, 20, tzinfo=UTC))
    # Bars are of two minutes: from 10:22 to 11:22 there are 11:00, 11:10 and 11:20.
    assert then.stretch is not None
    assert then.stretch.until == datetime(2026, 2, 1, 11, 22, tzinfo=UTC)
    assert then.runs.total == 3


@BY_INDEX
async def test_a_length_is_from_start_to_last_write_of_what_is_over(
    tmp_path: Path, indexed: bool
) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(1, 21):
            guest.run(f"r{number}", started_at=minutes(30), updated_at=minutes(30 - number))
        guest.run("live", "RUNNING", started_at=minutes(50), updated_at=minutes(0))
        guest.run("odd", started_at=minutes(10), updated_at="?", metadata={"total_cost_usd": 0.5})
        found = await overview(guest, HOUR, indexed=indexed)
    [graph] = found.runs.graphs
    minute = 60_000_000
    assert (graph.total, graph.over.n) == (22, 20)
    assert (graph.over.p50, graph.over.p95) == (10 * minute, 19 * minute)
    assert (graph.over.from_p50, graph.over.from_p95) == (11, 2)
    assert (graph.cost.n, graph.cost.total) == (1, 0.5)


async def test_a_time_with_too_many_runs_is_shortened_to_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "MOST_RUNS", 10)
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(30):
            guest.run(f"r{number}", started_at=minutes(number))
        async with browsing(guest) as browser:
            found = await browser.overview(HOUR)
            assert (found.runs.total, found.most) == (10, 10)
            assert found.stretch is not None
            assert await listed(browser, started_in(found.stretch)) == 10
        since = found.stretch.since.isoformat()
        [(stored,)] = guest.sql("SELECT count(*) FROM runs WHERE started_at >= ?", since)
        assert stored == 10


async def test_runs_of_one_instant_are_never_all_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "MOST_RUNS", 2)
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(5):
            guest.run(f"r{number}", started_at=minutes(7))
        found = await overview(guest, HOUR)
    assert (found.runs.total, found.most) == (5, 2)


async def test_without_an_index_only_the_newest_runs_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "NEWEST", 3)
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(3):
            guest.run(f"r{number}", started_at=minutes(9 - number))
        whole = await overview(guest, ALL, indexed=False)
        guest.run("r3", started_at=minutes(1))
        part = await overview(guest, ALL, indexed=False)
        indexed = await overview(guest, ALL)
    assert (whole.runs.total, whole.looked_at, whole.exact) == (3, None, True)
    assert (part.runs.total, part.looked_at, part.exact) == (3, 3, False)
    assert (indexed.runs.total, indexed.looked_at, indexed.exact) == (4, None, True)


@BY_INDEX
async def test_who_needs_a_person_is_named_however_long_ago(tmp_path: Path, indexed: bool) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(7):
            name = f"asks{number}"
            guest.run(
                name, "WAITING_APPROVAL", started_at=minutes(9_000), updated_at=minutes(number)
            )
            guest.insert("approvals", approval_id=name, run_id=name, status="pending")
        guest.run("no worker", "RUNNING", started_at=minutes(9_000), updated_at=minutes(2))
        guest.run("held", "RUNNING", lease_worker_id="w", lease_expires_at=minutes(-1))
        lease = {"lease_worker_id": "w", "lease_expires_at": minutes(1)}
        guest.run("expired", "RUNNING", updated_at=minutes(3), **lease)
        guest.run("claimed", "PENDING", updated_at=minutes(1), lease_worker_id="w")
        guest.run("interrupt", "WAITING_INTERRUPT", updated_at=minutes(4))
        guest.run("no approval", "WAITING_APPROVAL", updated_at=minutes(8))
        guest.run("fine", "PENDING")
        async with browsing(guest, indexed=indexed) as browser:
            found = await browser.overview(HOUR)
            assert await listed(browser, WAITING) == found.waiting.total == 8
            assert await listed(browser, STUCK) == found.stuck.total == 5
    assert [run.key.run_id for run in found.waiting.rows] == [
        "no approval", "asks6", "asks5", "asks4", "asks3",
    ]  # fmt: skip
    assert [run.key.run_id for run in found.stuck.rows] == [
        "no approval", "interrupt", "expired", "no worker", "claimed",
    ]  # fmt: skip


async def test_the_filter_of_undated_runs_finds_them(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("never", started_at=None)
        guest.run("soon", started_at="soon")
        guest.run("first", started_at="0001-01-01T00:00:00+00:00")
        guest.run("now", started_at=minutes(0))
        async with browsing(guest) as browser:
            found = await browser.overview(HOUR)
            assert found.undated == await listed(browser, UNDATED) == 2


async def test_what_is_committed_is_counted_once_the_index_has_it(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db", wal=True) as guest:
        guest.run("r1", started_at=minutes(5))
        async with browsing(guest) as browser:
            assert (await browser.overview(HOUR)).runs.total == 1
            guest.run("r2", "FAILED", started_at=minutes(4))
            assert not (await browser.overview(HOUR)).exact
            await browser.keep_index()
            found = await browser.overview(HOUR)
    assert (found.runs.total, found.runs.failed, found.exact) == (2, 1, True)
