"""Every figure of an overview is the length of the list that it opens."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from tests.store.guests import Guest
from tests.tui.test_real_databases import DATABASES, copied
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import RunQuery
from zeroth_store.filters import Filter, parse
from zeroth_store.overview import Overview, OverviewQuery
from zeroth_tui.views.overview_parts import right_half
from zeroth_tui.views.overview_runs import left_half
from zeroth_tui.views.overview_table import Item, Rows
from zeroth_tui.views.overview_words import LENGTHS

pytestmark = pytest.mark.thorough

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
QUERIES = [OverviewQuery(length, newest) for length in LENGTHS for newest in (False, True)]

STATUSES = ["COMPLETED", "FAILED", "RUNNING", "PENDING", "WAITING_APPROVAL", "WAITING_INTERRUPT"]
ODD_STATUSES = ["running", "", "<blob 2 bytes>", None, 'status:"x"']
GRAPHS = ["g@1", "G@1", "g@11", "", None, 'q"\\', "-is:live", "a,b", "(null)", "\u202e=x"]
AGES = st.integers(-600, 90_000) | st.integers(0, 1_000)
"""Seconds before NOW: about the edges of the shorter times, and beyond."""
RUNS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(STATUSES) | st.sampled_from(ODD_STATUSES),
        "graph": st.just("g@1") | st.sampled_from(GRAPHS),
        "started": AGES | st.none(),
        "took": st.integers(-5, 4_000),
        "cost": st.none() | st.floats(-1, 50) | st.just(0.0),
        "worker": st.none() | st.just("w"),
    }
)


def links(overview: Overview, now: datetime) -> Iterator[tuple[Item | None, Rows]]:
    """The lists that the figures lead to, by the names of their rows."""
    for section in (*left_half(overview, now, UTC, 80), *right_half(overview, by_cost=False)):
        for entry in section.entries:
            for figure in entry.figures:
                if isinstance(figure.target, Rows):
                    yield entry.item, figure.target


async def check(browser: SQLiteRunBrowser, wanted: OverviewQuery, now: datetime) -> set[str]:
    """Compare every figure with its list; returns the kinds of rows that had one."""
    overview = await browser.overview(wanted)
    seen = set()
    for item, link in links(overview, now):
        found = parse(link.filter, now=now)
        assert isinstance(found, Filter), link.filter
        window = await browser.window(RunQuery(filter=found), link.order, 0, 0)
        assert window.total == link.number, (item, link)
        assert window.exact
        seen.add((item or ("",))[0])
    return seen


async def compare(path: Path, queries: list[OverviewQuery]) -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    async with SQLiteRunBrowser(path, index_rest=0, clock=lambda: now) as browser:
        await browser.keep_index()
        seen = [await check(browser, wanted, now) for wanted in queries]
    assert {"runs", "graph", "waiting", "stuck"} <= set.union(*seen)


@pytest.mark.parametrize("name", ["rev001.db", "rev026-main.db", "rev026-tenants.db"])
async def test_figures_of_real_runs_are_their_lists(name: str, tmp_path: Path) -> None:
    await compare(copied(name, tmp_path), [OverviewQuery(None)])


@pytest.mark.parametrize("name", DATABASES)
async def test_figures_of_every_time_are_their_lists(name: str, tmp_path: Path) -> None:
    await compare(copied(name, tmp_path), QUERIES)


async def test_a_percentile_opens_what_took_as_long_or_longer(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        runs = [
            {"status": "COMPLETED", "graph": "g@1", "cost": None, "worker": None} for _ in range(20)
        ]
        fill(guest, [{**run, "started": 60, "took": at + 1} for at, run in enumerate(runs)])
        async with SQLiteRunBrowser(guest.path, index_rest=0, clock=lambda: NOW) as browser:
            await browser.keep_index()
            await check(browser, OverviewQuery(), NOW)
            overview = await browser.overview(OverviewQuery())
    graph = [link for item, link in links(overview, NOW) if item == ("graph", "'g@1'")]
    # All runs, none failed, all over; p50 is 10 s (10 to 20 s: 11 runs), p95 19 s (2 runs).
    assert [link.number for link in graph] == [20, 0, 20, 11, 2]
    assert graph[-1].filter.startswith("graph:=g@1 -is:live duration:19s.. since:2026-03-01T11:45")


def fill(guest: Guest, runs: list[dict[str, Any]]) -> None:
    for number, run in enumerate(runs):
        ago = run["started"]
        start = NOW - timedelta(seconds=0 if ago is None else ago)
        metadata = {} if run["cost"] is None else {"total_cost_usd": run["cost"]}
        guest.run(
            f"r{number}",
            run["status"],
            graph_version_ref=run["graph"],
            started_at=None if ago is None else start.isoformat(),
            updated_at=(start + timedelta(seconds=run["took"])).isoformat(),
            metadata=metadata,
            lease_worker_id=run["worker"],
        )


@given(st.lists(RUNS, max_size=9) | st.lists(RUNS, min_size=50), st.sampled_from(QUERIES))
@share(4)
def test_figures_of_any_database_are_their_lists_and_what_plain_sql_counts(
    runs: list[dict[str, Any]], wanted: OverviewQuery
) -> None:
    with tempfile.TemporaryDirectory() as folder, Guest(Path(folder) / "guest.db") as guest:
        guest.sql("BEGIN")
        fill(guest, runs)
        guest.sql("COMMIT")
        asyncio.run(against_sql(guest, wanted))


async def against_sql(guest: Guest, wanted: OverviewQuery) -> None:
    async with SQLiteRunBrowser(guest.path, index_rest=0, clock=lambda: NOW) as browser:
        await browser.keep_index()
        await check(browser, wanted, NOW)
        found = await browser.overview(wanted)
    [(undated, waiting)] = guest.sql(
        "SELECT count(*) - count(started_at), sum(status = 'WAITING_APPROVAL') FROM runs"
    )
    assert (found.undated, found.waiting.total) == (undated, waiting or 0)
    if found.stretch is None:
        return
    stretch = found.stretch
    until = stretch.until or datetime.max.replace(tzinfo=UTC)
    within = "started_at >= ? AND started_at < ?"
    limits = (stretch.since.isoformat(), until.isoformat())
    by_status = guest.sql(f"SELECT status, count(*) FROM runs WHERE {within} GROUP BY 1", *limits)
    by_graph = guest.sql(
        f"SELECT graph_version_ref, count(*), sum(status IS 'FAILED') FROM runs"
        f" WHERE {within} GROUP BY 1",
        *limits,
    )
    assert {one.status: one.total for one in found.runs.statuses} == dict(by_status)
    assert {one.graph: (one.total, one.failed) for one in found.runs.graphs} == {
        graph: (total, failed) for graph, total, failed in by_graph
    }
    assert found.runs.total == sum(total for _, total in by_status) == sum(found.runs.bars)
