"""Filters, threads and counts answer the same with the side index as without it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from tests.store.test_index import ALL, NOW, browse, fill_oddly, guest_in, sorted_by_hand
from zeroth_store.browse import (
    NULL_SCOPE,
    RollUp,
    RunKey,
    RunOrder,
    RunQuery,
    RunSummary,
    ThreadKey,
)
from zeroth_store.filters import Filter, parse
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "zeroth"
OLDEST = RunOrder("created", descending=False)
FILTERS = (
    "plain",
    "-plain",
    "boom",
    "ünter",
    "status:failed",
    "-status:run,completed",
    'status:(null),""',
    "graph:g@1 -id:twin",
    "node:charge",
    "reason:node_execution_failed",
    "is:child",
    "is:parent",
    "is:stuck",
    "is:live,dead-letter",
    "is:erased",
    "since:2026-03-01T10:00:00Z",
    "-since:2026-03-01T10:00:00Z",
    "until:2026-02-28",
    "duration:<10s",
    "duration:>1h",
    "-duration:>1h",
    "cost:>0.3",
    "-cost:>0.3",
    "tenant:default workspace:(null)",
    "workspace:emea",
    "parent:parent",
    "in:input:anything",
)


def filtered(text: str) -> RunQuery:
    parsed = parse(text, now=NOW)
    assert isinstance(parsed, Filter), parsed
    return RunQuery(filter=parsed)


def ids(rows: tuple[RunSummary, ...]) -> list[str]:
    return [row.key.run_id for row in rows]


def fill(guest: Guest) -> None:
    """Add odd runs, and one for each thing that a filter can ask for."""
    fill_oddly(guest)
    guest.thread("t-1", ["plain", "live", "elsewhere"])
    guest.run("elsewhere", thread_id="t-9")
    guest.run("other scope", workspace_id="emea")
    guest.run("parent", "RUNNING", lease_worker_id="w", lease_expires_at="2026-03-02T13:00:00Z")
    guest.run("child", "RUNNING", metadata={"parent_run_id": "parent", "parent_node_id": "n"})
    guest.run("orphan", "RUNNING", metadata={"parent_run_id": "nowhere"}, thread_id="t-8")
    guest.run("in other scope", workspace_id="emea", metadata={"parent_run_id": "parent"})
    guest.run("nan", metadata='{"parent_run_id": "parent", "x": NaN}')
    guest.run(
        "failed",
        "FAILED",
        error="boom",
        failure_state={"reason": "node_execution_failed", "message": "Günter \u0007 \ud800"},
        metadata={"in_flight_dispatch": {"node_id": "charge"}, "total_estimated_cost_usd": 0.4},
    )
    guest.run("dead", "FAILED", failure_state={"reason": "dead_letter"}, error="Boom " * 2_000)
    guest.run("expired", "RUNNING", lease_worker_id="w", lease_expires_at="2026-03-02T11:00:00Z")
    if guest.era >= "020":
        guest.run("erased", token_snapshot_write_disabled=1)


def by_thread(rolled: dict[ThreadKey, RollUp]) -> dict[ThreadKey, dict[str | None, int]]:
    """Return the counts without the order of statuses that are equally frequent."""
    assert all(up.total == sum(dict(up.by_status).values()) for up in rolled.values())
    return {thread: dict(up.by_status) for thread, up in rolled.items()}


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    with guest_in(tmp_path, request.param) as made:
        fill(made)
    return made


async def test_a_filter_finds_the_same_runs_as_the_database_itself(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        stored = {text: await browser.window(filtered(text), OLDEST, 0, 100) for text in FILTERS}
        paged = {text: (await browser.runs(filtered(text))).rows for text in FILTERS}
        await browser.keep_index()
        for text, window in stored.items():
            kept = await browser.window(filtered(text), OLDEST, 0, 100)
            assert ids(kept.rows) == ids(window.rows) == ids(paged[text])[::-1], text
            assert (kept.total, kept.exact) == (len(kept.rows), True)
            assert (window.total, window.exact) == (len(kept.rows), True)


async def test_filters_find_what_they_say(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()

        async def found(text: str) -> list[str]:
            return ids((await browser.window(filtered(text), OLDEST, 0, 100)).rows)

        assert await found("node:charge") == ["failed"]
        assert await found("ünter") == ["failed"]
        assert await found("is:dead-letter") == ["dead"]
        assert await found("parent:=parent") == ["child", "in other scope", "nan"]
        assert await found("is:stuck") == ["live", "orphan", "expired"]
        assert await found("cost:0.4..0.5") == ["plain", "twin", "failed"]
        assert await found("duration:<0s") == ["backwards"]


@pytest.mark.parametrize("text", ["TWIN", "boom", "t-9", "g@1", "fail", "wörd"])
async def test_words_and_statuses_find_the_same(guest: Guest, text: str) -> None:
    for query in (RunQuery(text), RunQuery(text, ("COMPLETED", None)), RunQuery(statuses=("",))):
        async with browse(guest.path) as browser:
            stored = await browser.runs(query)
            await browser.keep_index()
            kept = await browser.window(query, RunOrder(), 0, 100)
        assert ids(kept.rows) == ids(stored.rows)


async def test_a_filtered_list_is_sorted_and_cut_like_the_whole_one(guest: Guest) -> None:
    query = filtered("g@1")
    async with browse(guest.path) as browser:
        await browser.keep_index()
        matching = set(ids((await browser.window(query, OLDEST, 0, 100)).rows))
        for order in (RunOrder("duration"), RunOrder("cost", descending=False)):
            expected = [each for each in sorted_by_hand(guest.path, order) if each in matching]
            first = await browser.window(query, order, 0, 4)
            rest = await browser.window(query, order, 4, 100)
            assert ids(first.rows) + ids(rest.rows) == expected
            assert first.total == rest.total == len(expected)


async def test_a_filter_of_many_words_neither_fails_nor_costs_the_index(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()
        many = filtered(" ".join(["-nothing"] * 60 + ["plain"] * 40))
        assert ids((await browser.window(many, OLDEST, 0, 9)).rows) == ["plain"]
        assert (await browser.index_progress()).ready


async def test_a_list_is_found_anew_after_a_change_and_when_time_passes(tmp_path: Path) -> None:
    now = NOW
    with guest_in(tmp_path) as guest:
        guest.run("live", "RUNNING", started_at="2026-03-02T11:59:55+00:00")
        async with SQLiteRunBrowser(guest.path, index_rest=0, clock=lambda: now) as browser:
            await browser.keep_index()
            long = filtered("duration:>8s")
            assert (await browser.window(long, OLDEST, 0, 9)).total == 0
            guest.run("nine seconds")
            await browser.keep_index()
            assert ids((await browser.window(long, OLDEST, 0, 9)).rows) == ["nine seconds"]
            now = now.replace(second=30)
            assert (await browser.window(long, OLDEST, 0, 9)).total == 2


async def test_threads_children_and_counts_are_the_same(guest: Guest) -> None:
    scopes = [("default", NULL_SCOPE), ("default", "value:emea")]
    threads = tuple(ThreadKey(*scope, f"t-{n}") for scope in scopes for n in (1, 8, 9, 77))
    parent = RunKey("default", NULL_SCOPE, "parent")
    async with browse(guest.path) as browser:
        before = [
            dict(await browser.counts()),
            by_thread(await browser.roll_up(threads)),
            [ids(await browser.thread_runs(thread)) for thread in threads],
            await browser.children(parent),
        ]
        await browser.keep_index()
        after = [
            dict(await browser.counts()),
            by_thread(await browser.roll_up(threads)),
            [ids(await browser.thread_runs(thread)) for thread in threads],
            await browser.children(parent),
        ]
    assert ids(after[3]) == ["child", "nan"]  # type: ignore[arg-type]
    assert after == before


@pytest.mark.parametrize(
    "name", ["rev001.db", "rev021.db", "rev026-main.db", "rev026-tenants.db", "rev026-edges.db"]
)
async def test_real_databases_answer_the_same(tmp_path: Path, name: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample databases are not here")
    path = Path(shutil.copyfile(SAMPLES / name, tmp_path / name))
    async with browse(path) as browser:
        stored = {text: (await browser.runs(filtered(text))).rows for text in FILTERS}
        await browser.keep_index()
        for text, rows in stored.items():
            kept = await browser.window(filtered(text), RunOrder(), 0, 100)
            assert kept.rows == rows, text
        every = (await browser.window(ALL, RunOrder(), 0, 100)).rows
        for row in every:
            related = await browser.related(row.key)
            named = [each for each in related.children if each.parent_run_id == row.key.run_id]
            assert list(await browser.children(row.key)) == named
