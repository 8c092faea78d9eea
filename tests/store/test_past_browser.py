"""The whole database as of a moment: real files compared with plain SQL, lists with their rules."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from zeroth_store.browse import OrderBy, RunBrowser, RunOrder, RunQuery, RunSummary
from zeroth_store.filters import FilterError, matches, parse
from zeroth_store.past.browsing import Past
from zeroth_store.past.life import UNDER_WAY
from zeroth_store.sqlite.browser import SQLiteRunBrowser

DATA = Path(__file__).parents[3] / "shared" / "data" / "zeroth"
SAMPLES = sorted(DATA.glob("*.db"))
QUICK = {"rev004-v0.1.0", "rev026-encrypted"}
"""The samples that differ most; all others are tried where there is time."""
NOW = datetime(2026, 12, 31, tzinfo=UTC)
ALL = 1_000

pytestmark = pytest.mark.skipif(not SAMPLES, reason="the shared sample databases are not here")


@pytest.fixture(
    params=[
        pytest.param(path, marks=[] if path.stem in QUICK else [pytest.mark.thorough], id=path.stem)
        for path in SAMPLES
    ]
)
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copy(request.param, tmp_path / "runs.db"))


@pytest.fixture
def main_sample(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "rev026-main.db", tmp_path / "runs.db"))


@pytest.fixture
async def browser(main_sample: Path) -> AsyncIterator[SQLiteRunBrowser]:
    async with SQLiteRunBrowser(main_sample, clock=lambda: NOW) as opened:
        await opened.keep_index()
        yield opened


def read(path: Path, sql: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def when(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def stretches(path: Path) -> list[tuple[str, datetime, datetime]]:
    """Return which run had a node at work from when to when, by plain SQL."""
    rows = read(
        path,
        "SELECT run_id, json_extract(record_json, '$.started_at'),"
        " json_extract(record_json, '$.completed_at') FROM node_audits"
        " WHERE json_valid(record_json) AND node_id != '__worker__'",
    )
    known = [(run, when(one), when(other)) for run, one, other in rows if one and other]
    return [row for row in known if row[1] < row[2]]


async def runs_of(
    browser: RunBrowser, text: str = "", order: RunOrder | None = None
) -> tuple[RunSummary, ...]:
    found = parse(text, now=NOW)
    assert not isinstance(found, FilterError)
    window = await browser.window(RunQuery(filter=found), order or RunOrder(), 0, ALL)
    assert window.exact
    assert window.total == len(window.rows)
    return window.rows


async def past_of(past: Past, at: datetime) -> RunBrowser:
    return (await past.at(at)).browser


async def test_as_of_now_everything_is_as_it_is(sample: Path) -> None:
    far = datetime(2100, 1, 1, tzinfo=UTC)
    async with SQLiteRunBrowser(sample, clock=lambda: far) as live:
        await live.keep_index()
        past = await past_of(live.past(), far)
        assert await past.counts() == await live.counts()
        assert await past.thread_window(0, ALL) == await live.thread_window(0, ALL)
        assert await past.loose_runs() == await live.loose_runs()
        rows = await runs_of(past)
        assert rows == await runs_of(live)
        for run in rows[:20]:
            assert await past.run(run.key) == await live.run(run.key)
            assert await past.related(run.key) == await live.related(run.key)
            assert await past.checkpoints(run.key) == await live.checkpoints(run.key)


async def test_in_the_middle_of_each_node_the_lists_are_what_sql_says(sample: Path) -> None:
    stored = read(sample, "SELECT run_id, status, started_at, updated_at FROM runs")
    nodes = stretches(sample)
    async with SQLiteRunBrowser(sample, clock=lambda: NOW) as live:
        past = live.past()
        for _, begin, end in nodes[:: max(1, len(nodes) // 6)]:
            at = begin + (end - begin) / 2
            shown = await runs_of(await past_of(past, at))
            there = [row for row in stored if when(row[2]) <= at]
            assert sorted(run.key.run_id for run in shown) == sorted(row[0] for row in there)
            over = sorted((row[0], row[1]) for row in there if when(row[3]) <= at)
            later = {row[0] for row in there if when(row[3]) > at}
            by_id = [(run.key.run_id, run.status) for run in shown]
            assert sorted(pair for pair in by_id if pair[0] not in later) == over
            busy = {run for run, one, other in nodes if one <= at < other} & later
            assert {run for run, status in by_id if run in busy and status == UNDER_WAY} == set()
            idle = {run for run, status in by_id if run in later and status == "RUNNING"} - busy
            assert idle == set()


async def test_counts_and_threads_add_up_to_the_list(
    browser: SQLiteRunBrowser, main_sample: Path
) -> None:
    for _, begin, _ in stretches(main_sample)[::20]:
        past = await past_of(browser.past(), begin)
        rows = await runs_of(past)
        assert Counter(dict(await past.counts())) == Counter(run.status for run in rows)
        window = await past.thread_window(0, ALL)
        rolled = await past.roll_up(tuple(thread.key for thread in window.rows))
        loose = await past.loose_runs()
        assert sum(each.total for each in rolled.values()) + len(loose) == len(rows)
        for place, thread in enumerate(window.rows):
            assert await past.thread_position(thread.key) == place
            members = await past.thread_runs(thread.key)
            assert [run.key.run_id for run in members] == list(thread.run_ids)
            assert {run.key for run in members} <= {run.key for run in rows}


FILTERS = (
    *("status:failed", "status:UNDER_WAY", "is:live", "is:stuck", "duration:>1s"),
    *("status:running", "-status:completed", "is:waiting", "is:child", "since:20s", "until:1m"),
    *("duration:<500ms", "cost:>0", "reason:node", "order", "node:check"),
)


@pytest.mark.parametrize(
    "text",
    [*FILTERS[:5], *(pytest.param(text, marks=pytest.mark.thorough) for text in FILTERS[5:])],
)
async def test_a_filter_means_runs_as_they_were(
    browser: SQLiteRunBrowser, main_sample: Path, text: str
) -> None:
    for _, begin, end in stretches(main_sample)[::25]:
        at = begin + (end - begin) / 2
        past = await past_of(browser.past(), at)
        wanted = parse(text, now=at)
        assert not isinstance(wanted, FilterError)
        every = await runs_of(past)
        expected = [run for run in every if matches(wanted, run, at)]
        window = await past.window(RunQuery(filter=wanted), RunOrder(), 0, ALL)
        assert list(window.rows) == expected


@pytest.mark.parametrize(
    "by",
    [
        by if by in {"duration", "status"} else pytest.param(by, marks=pytest.mark.thorough)
        for by in get_args(OrderBy)
    ],
)
async def test_each_order_shows_each_run_once_where_its_position_says(
    browser: SQLiteRunBrowser, main_sample: Path, by: OrderBy
) -> None:
    _, begin, end = stretches(main_sample)[60]
    past = await past_of(browser.past(), begin + (end - begin) / 2)
    every = await runs_of(past)
    for order in (RunOrder(by), RunOrder(by, descending=False)):
        rows = await runs_of(past, order=order)
        assert sorted(run.key for run in rows) == sorted(run.key for run in every)
        places = [await past.position(RunQuery(), order, run.key) for run in rows]
        assert places == list(range(len(rows)))


async def test_the_present_is_untouched_by_looks_at_the_past(
    browser: SQLiteRunBrowser, main_sample: Path
) -> None:
    before = await browser.counts(), await runs_of(browser), await runs_of(browser, "is:live")
    by_cost = await runs_of(browser, order=RunOrder("cost"))
    _, begin, _ = stretches(main_sample)[10]
    past = await past_of(browser.past(), begin)
    await past.counts()
    await runs_of(past, order=RunOrder("cost"))
    assert (await browser.counts(), await runs_of(browser)) == before[:2]
    assert await runs_of(browser, "is:live") == before[2]
    assert await runs_of(browser, order=RunOrder("cost")) == by_cost


async def test_a_run_that_was_not_there_yet_is_nowhere(
    browser: SQLiteRunBrowser, main_sample: Path
) -> None:
    newest = (await runs_of(browser, order=RunOrder("started")))[0]
    assert newest.started.instant is not None
    past = await past_of(browser.past(), newest.started.instant - timedelta(microseconds=1))
    assert await past.run(newest.key) is None
    assert await past.summaries((newest.key,)) == {}
    assert newest.key not in {run.key for run in await runs_of(past)}
    assert newest.key not in {one.key for one in await past.find(newest.key.run_id)}
    then = await past_of(browser.past(), newest.started.instant)
    assert await then.run(newest.key) is not None


async def test_neighbours_are_the_starts_and_last_writes_of_all_runs(
    browser: SQLiteRunBrowser, main_sample: Path
) -> None:
    rows = read(main_sample, "SELECT started_at FROM runs UNION SELECT updated_at FROM runs")
    times = sorted({when(row[0]) for row in rows})
    past = browser.past()
    forward = [times[0]]
    while (after := await past.neighbour(forward[-1], forward=True)) is not None:
        forward.append(after)
    assert forward == times
    assert await past.neighbour(times[0], forward=False) is None
    assert await past.neighbour(times[5], forward=False) == times[4]
