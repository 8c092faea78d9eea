"""Lists of runs and threads: complete, each run once, in order, in every schema era."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RunKey, RunQuery, RunSummary, ThreadKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

DEFAULT = ("default", "null")


def ids(rows: tuple[RunSummary, ...]) -> list[str]:
    return [row.key.run_id for row in rows]


def thread_key(thread_id: str) -> ThreadKey:
    return ThreadKey(*DEFAULT, thread_id)


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


async def test_pages_are_newest_first_and_end(guest: Guest) -> None:
    with guest:
        for number in range(5):
            guest.run(f"r{number}")
        async with SQLiteRunBrowser(guest.path) as browser:
            first = await browser.runs(RunQuery(), limit=2)
            second = await browser.runs(RunQuery(), after=first.more, limit=2)
            third = await browser.runs(RunQuery(), after=second.more, limit=2)
    assert [ids(page.rows) for page in (first, second, third)] == [
        ["r4", "r3"],
        ["r2", "r1"],
        ["r0"],
    ]
    assert third.more is None


async def test_an_exact_page_has_nothing_behind_it(guest: Guest) -> None:
    with guest:
        guest.run("a")
        guest.run("b")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert (await browser.runs(RunQuery(), limit=2)).more is None


async def test_writes_between_pages_neither_skip_nor_repeat(guest: Guest) -> None:
    with guest:
        for number in range(6):
            guest.run(f"r{number}")
        async with SQLiteRunBrowser(guest.path) as browser:
            first = await browser.runs(RunQuery(), limit=2)
            guest.run("newer")
            guest.sql("DELETE FROM runs WHERE run_id IN ('r4', 'r3')")
            rest = await browser.runs(RunQuery(), after=first.more, limit=10)
    assert ids(first.rows) == ["r5", "r4"]
    assert ids(rest.rows) == ["r2", "r1", "r0"]


async def test_the_summary_says_what_the_row_holds(guest: Guest) -> None:
    with guest:
        guest.run(
            "failed",
            "FAILED",
            workspace_id="emea",
            workflow_name="billing",
            current_step="act",
            error="boom",
            failure_state={"reason": "node_execution_failed", "message": "no answer"},
            metadata={
                "in_flight_dispatch": {"node_id": "charge", "input_payload": {"n": 1}},
                "parent_run_id": "p",
                "parent_node_id": "check",
                "total_cost_usd": 0.25,
            },
            current_node_ids=["other"],
            lease_worker_id="w-3",
            lease_expires_at="2026-03-01T10:01:00+00:00",
            failure_count=2,
        )
        async with SQLiteRunBrowser(guest.path) as browser:
            (row,) = (await browser.runs(RunQuery())).rows
    assert row.key == RunKey("default", "value:emea", "failed")
    assert (row.status, row.graph, row.deployment, row.workflow) == (
        "FAILED",
        "g@1",
        "prod",
        "billing",
    )
    assert (row.failure_reason, row.failure_message) == ("node_execution_failed", "no answer")
    assert (row.failed_node, row.parent_run_id, row.parent_node_id) == ("charge", "p", "check")
    assert row.started.raw == "2026-03-01T10:00:00+00:00"
    assert (row.cost.measured, row.cost.estimated) == (0.25, None)
    assert row.lease is not None
    assert (row.lease.worker_id, row.lease.expires.raw) == ("w-3", "2026-03-01T10:01:00+00:00")
    assert (row.failure_count, row.writable) == (2, True)


async def test_the_current_node_failed_where_no_dispatch_is_recorded(guest: Guest) -> None:
    with guest:
        guest.run("old", "FAILED", current_node_ids=["b"])
        guest.run("fine", "COMPLETED", current_node_ids=["b"])
        async with SQLiteRunBrowser(guest.path) as browser:
            fine, old = (await browser.runs(RunQuery())).rows
    assert old.failed_node == "b"
    assert fine.failed_node is None


async def test_large_metadata_still_gives_its_few_fields(guest: Guest) -> None:
    with guest:
        guest.run("big", metadata={"parent_run_id": "p", "total_cost_usd": 2, "x": "y" * 100_000})
        guest.run("nan", metadata='{"parent_run_id": "q", "score": NaN}')
        guest.run("bad", metadata='{"parent_run_id": "q"')
        async with SQLiteRunBrowser(guest.path) as browser:
            bad, nan, big = (await browser.runs(RunQuery())).rows
    assert (big.parent_run_id, big.cost.measured) == ("p", 2.0)
    assert nan.parent_run_id == "q"
    assert bad.parent_run_id is None


async def test_statuses_are_kept_counted_and_matched_exactly(guest: Guest) -> None:
    stored = ["RUNNING", "running", " RUNNING", "", None, "RUN\0NING", "ZOMBIE", "ZOMBIE"]
    with guest:
        for number, status in enumerate(stored):
            guest.run(f"r{number}", status)
        async with SQLiteRunBrowser(guest.path) as browser:
            counts = await browser.counts()
            running = await browser.runs(RunQuery(statuses=("RUNNING",)))
            odd = await browser.runs(RunQuery(statuses=(None, "RUN\0NING")))
    assert counts[0] == ("ZOMBIE", 2)
    assert dict(counts) == {s: stored.count(s) for s in stored}
    assert ids(running.rows) == ["r0"]
    assert ids(odd.rows) == ["r5", "r4"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ALPHA", ["alpha-1"]),
        ("chat", ["in-thread"]),
        ("bill@2", ["of-graph"]),
        ("50%_off", ["of-error"]),
        ("fail", ["failing"]),
        ("no such thing", []),
    ],
)
async def test_text_matches_any_part_of_the_named_columns(
    guest: Guest, text: str, found: list[str]
) -> None:
    with guest:
        guest.run("alpha-1")
        guest.run("in-thread", thread_id="chat-77")
        guest.run("of-graph", graph_version_ref="bill@2")
        guest.run("of-error", error="got a\0 50%_OFF coupon")
        guest.run("failing", "FAILED")
        async with SQLiteRunBrowser(guest.path) as browser:
            page = await browser.runs(RunQuery(text=text))
    assert ids(page.rows) == found


async def test_threads_are_newest_first_without_pseudo_threads(guest: Guest) -> None:
    with guest:
        guest.thread("one", ["a", "b"], checkpoint_refs=["c1", "c2", "c3"], last_run_id="b")
        guest.thread("two")
        guest.thread("thread-state:one:c2", ["thread-state:one:c2"])
        guest.thread("three")
        async with SQLiteRunBrowser(guest.path) as browser:
            first = await browser.threads(limit=2)
            second = await browser.threads(after=first.more, limit=2)
    assert [row.key.thread_id for row in first.rows] == ["three", "two"]
    (one,) = second.rows
    assert second.more is None
    assert (one.key, one.run_ids, one.checkpoint_count, one.last_run_id) == (
        thread_key("one"),
        ("a", "b"),
        3,
        "b",
    )


async def test_a_thread_has_the_runs_it_lists_and_those_that_name_it_once(guest: Guest) -> None:
    with guest:
        guest.run("unlisted")
        guest.run("listed")
        guest.run("elsewhere", thread_id="t-2")
        guest.thread("t-1", ["listed", "never-stored", "\ud800"])
        guest.thread("t-2", '["elsewhere"')
        async with SQLiteRunBrowser(guest.path) as browser:
            one = await browser.thread_runs(thread_key("t-1"))
            two = await browser.thread_runs(thread_key("t-2"))
            totals = await browser.roll_up((thread_key("t-1"), thread_key("t-2")))
    assert ids(one) == ["unlisted", "listed"]
    assert ids(two) == ["elsewhere"]
    assert totals[thread_key("t-1")].by_status == (("COMPLETED", 2),)
    assert totals[thread_key("t-2")].total == 1


@pytest.mark.parametrize("indexed", [False, True])
async def test_of_a_long_thread_the_newest_runs_are_read(guest: Guest, indexed: bool) -> None:
    with guest:
        for name in ("first", "second", "third"):
            guest.run(name)
        guest.thread("t-1", ["third", "first", "second"])
        async with SQLiteRunBrowser(guest.path) as browser:
            if indexed:
                await browser.keep_index()
            assert ids(await browser.thread_runs(thread_key("t-1"), limit=2)) == ["second", "third"]


async def test_runs_no_thread_can_show_are_loose(guest: Guest) -> None:
    with guest:
        guest.thread("t-1", ["fine"])
        guest.thread("thread-state:t-1:c")
        guest.run("fine")
        guest.run("nowhere", thread_id=None)
        guest.run("lost", thread_id="gone")
        guest.run("other scope", workspace_id="emea")
        guest.run("pseudo", thread_id="thread-state:t-1:c")
        async with SQLiteRunBrowser(guest.path) as browser:
            loose = await browser.loose_runs()
            newest = await browser.loose_runs(limit=1)
    assert ids(loose) == ["pseudo", "other scope", "lost", "nowhere"]
    assert ids(newest) == ["pseudo"]
