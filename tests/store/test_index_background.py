"""A large index: what a writer does all the time is in it at once, the rest a little later."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.store.test_index import ALL, ORDERS, browse, guest_in, paged, sorted_by_hand
from tests.store.test_index_queries import filtered
from zeroth_store.browse import NULL_SCOPE, RunKey, RunOrder, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.index import keeper as index_keeper

OLDEST = RunOrder(descending=False)
FAILED = RunQuery(statuses=("FAILED",))


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    """A table of 30 runs of which the last is live, taken for a large one."""
    monkeypatch.setattr(index_keeper, "COMPARED_AT_ONCE", 0)
    with guest_in(tmp_path) as made:
        for number in range(29):
            made.run(f"r{number}", "FAILED" if number == 3 else "COMPLETED")
        made.run("live", "RUNNING")
        yield made


async def ids(browser: SQLiteRunBrowser, query: RunQuery = ALL, limit: int = 99) -> list[str]:
    """The ids of a list's first runs, oldest first."""
    window = await browser.window(query, OLDEST, 0, limit)
    return [row.key.run_id for row in window.rows]


async def until_exact(browser: SQLiteRunBrowser) -> None:
    """Wait for the comparison in the background."""
    async with asyncio.timeout(30):
        while not (await browser.window(FAILED, OLDEST, 0, 0)).exact:
            pass


async def test_new_runs_and_news_of_live_ones_are_there_at_once(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()
        guest.run("new", "FAILED")
        guest.sql("UPDATE runs SET status = 'FAILED', updated_at = '2026' WHERE run_id = 'live'")
        await browser.keep_index()
        assert await ids(browser, FAILED) == ["r3", "live", "new"]


async def test_a_lease_of_a_live_run_is_news(guest: Guest) -> None:
    lease = {"lease_worker_id": "w", "lease_expires_at": "2026-03-02T13:00:00+00:00"}
    async with browse(guest.path) as browser:
        await browser.keep_index()
        assert await ids(browser, filtered("is:stuck")) == ["live"]
        for column, value in lease.items():
            guest.sql(f"UPDATE runs SET {column} = ? WHERE run_id = 'live'", value)
        await browser.keep_index()
        # Nothing but the lease has changed, and only the index knows which runs are stuck.
        assert await ids(browser, filtered("is:stuck")) == []


async def test_a_run_in_sight_is_followed_whatever_its_status(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()
        assert await ids(browser, limit=5) == ["r0", "r1", "r2", "r3", "r4"]
        guest.sql("UPDATE runs SET status = 'PENDING', updated_at = '2026' WHERE run_id = 'r3'")
        guest.sql("DELETE FROM runs WHERE run_id = 'r1'")
        await browser.keep_index()
        assert (await browser.window(FAILED, OLDEST, 0, 9)).total == 0
        assert (await browser.window(ALL, OLDEST, 0, 9)).total == 29


async def test_the_rest_is_found_in_the_background_and_told(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()
        guest.sql("DELETE FROM runs WHERE run_id = 'r20'")
        guest.sql("UPDATE runs SET status = 'FAILED', updated_at = '2026' WHERE run_id = 'r21'")
        await browser.keep_index()
        version = await browser.version()
        await until_exact(browser)
        assert await ids(browser, FAILED) == ["r3", "r21"]
        assert (await browser.window(ALL, OLDEST, 0, 9)).total == 29
        assert await browser.version() != version
        for order in ORDERS:
            assert await paged(browser, order) == sorted_by_hand(guest.path, order)


async def test_a_comparison_that_finds_nothing_tells_nothing(guest: Guest) -> None:
    async with browse(guest.path) as browser:
        await browser.keep_index()
        guest.run("new")
        await browser.keep_index()
        version = await browser.version()
        await until_exact(browser)
        assert await browser.version() == version


async def test_closing_gives_up_what_waits(guest: Guest) -> None:
    browser = browse(guest.path)
    await browser.open()
    await browser.keep_index()
    guest.run("new")
    await browser.keep_index()
    await browser.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_children_and_loose_runs_are_the_same_with_the_index(guest: Guest) -> None:
    guest.thread("t-1", ["r0"])
    guest.thread("thread-state:t-1:c", ["pseudo"])
    guest.run("pseudo", thread_id="thread-state:t-1:c")
    guest.run("loose", thread_id="t-2")
    guest.run("elsewhere", thread_id="t-1", workspace_id="emea")
    guest.run("nowhere", thread_id=None)
    guest.run("blob", thread_id=b"\x01")
    guest.run("child", metadata={"parent_run_id": "r0"})
    parent = RunKey("default", NULL_SCOPE, "r0")
    async with browse(guest.path) as browser:
        before = await browser.related(parent), await browser.loose_runs()
        await browser.keep_index()
        after = await browser.related(parent), await browser.loose_runs()
        assert after == before
        loose = [row.key.run_id for row in after[1]]
        assert loose == ["blob", "nowhere", "elsewhere", "loose", "pseudo"]
        assert [row.key.run_id for row in after[0].children] == ["child"]
        guest.run("later child", thread_id="t-3", metadata={"parent_run_id": "r0"})
        related = await browser.related(parent)
        assert [row.key.run_id for row in related.children] == ["child", "later child"]
        newest = await browser.loose_runs(limit=2)
        assert [row.key.run_id for row in newest] == ["later child", "blob"]
