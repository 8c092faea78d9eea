"""Run lists by position before the side index is there, or when it breaks in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.store.test_index import ALL, ORDERS, browse, fill_oddly, guest_in, sorted_by_hand
from zeroth_store.browse import IndexProgress, RunOrder, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser

NEWEST = RunOrder()
OLDEST = RunOrder(descending=False)
FAILED = RunQuery(statuses=("FAILED",))


async def look(
    browser: SQLiteRunBrowser, query: RunQuery, order: RunOrder, start: int, limit: int
) -> tuple[list[str], int, bool]:
    """Return the ids, the total and whether it is exact."""
    window = await browser.window(query, order, start, limit)
    assert (window.start, window.order) == (start, order)
    return [row.key.run_id for row in window.rows], window.total, window.exact


async def test_a_small_table_is_exact_in_the_order_of_creation(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill_oddly(guest)
        async with browse(guest.path) as browser:
            for order in (NEWEST, OLDEST):
                every = sorted_by_hand(guest.path, order)
                expected = (every[3:7], len(every), True)
                assert await look(browser, ALL, order, 3, 4) == expected
                key = (await browser.window(ALL, order, 5, 1)).rows[0].key
                assert await browser.position(ALL, order, key) == 5
            assert await browser.index_progress() == IndexProgress(0, 0, False)


async def test_another_order_says_that_it_is_the_order_of_creation(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("later", started_at="2026-03-01T12:00:00+00:00")
        guest.run("earlier", started_at="2026-03-01T11:00:00+00:00")
        async with browse(guest.path) as browser:
            window = await browser.window(ALL, RunOrder("started"), 0, 9)
    assert [row.key.run_id for row in window.rows] == ["earlier", "later"]
    assert (window.order, window.exact) == (NEWEST, False)


@pytest.fixture
def large(tmp_path: Path) -> Guest:
    """A table with gaps and so large a rowid that counting it is not short: 90,001 to 90,100."""
    with guest_in(tmp_path) as guest:
        for number in range(100):
            guest.run(f"r{number}", "FAILED" if number % 10 == 0 else "COMPLETED")
        guest.sql("UPDATE runs SET rowid = rowid + 90000")
        guest.run("first")
        guest.sql("UPDATE runs SET rowid = 1 WHERE run_id = 'first'")
    return guest


async def test_a_large_table_is_placed_by_its_rowids(large: Guest) -> None:
    async with browse(large.path) as browser:
        assert await look(browser, ALL, NEWEST, 2, 3) == (["r97", "r96", "r95"], 90_100, False)
        assert await look(browser, ALL, NEWEST, 50_000, 3) == (["first"], 90_100, False)
        assert await look(browser, ALL, OLDEST, 90_000, 2) == (["r0", "r1"], 90_100, False)
        key = (await browser.window(ALL, NEWEST, 7, 1)).rows[0].key
        assert await browser.position(ALL, NEWEST, key) == 7
        assert await browser.position(ALL, OLDEST, key) == 90_092


async def test_matches_in_a_large_table_are_counted_as_far_as_they_are_seen(large: Guest) -> None:
    async with browse(large.path) as browser:
        assert await look(browser, FAILED, NEWEST, 1, 2) == (["r80", "r70"], 4, False)
        assert await look(browser, FAILED, NEWEST, 8, 9) == (["r10", "r0"], 10, False)
        key = (await browser.window(FAILED, NEWEST, 3, 1)).rows[0].key
        assert await browser.position(FAILED, NEWEST, key) == 3
        assert await browser.position(RunQuery(statuses=("COMPLETED",)), NEWEST, key) is None


@pytest.mark.thorough
async def test_a_file_that_breaks_in_use_is_done_without_and_made_anew(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill_oddly(guest)
        guest.sql("UPDATE runs SET rowid = 3000 WHERE run_id = 'twin'")
        for number in range(3_000, 3_600):
            guest.run(f"r{number}")
        every = {order: sorted_by_hand(guest.path, order) for order in ORDERS}
        async with browse(guest.path) as browser:
            await browser.keep_index()
        (path,) = (tmp_path / "cache").iterdir()
        async with browse(guest.path) as browser:
            await browser.keep_index()
            content = path.read_bytes()
            path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
            for order in ORDERS:
                for start in (0, 300):
                    window = await browser.window(ALL, order, start, 200)
                    ids = [row.key.run_id for row in window.rows]
                    assert ids == every[window.order][start : start + 200]
            assert (await browser.counts())[0] == ("COMPLETED", 609)
            await browser.keep_index()
            for order in ORDERS:
                rows = (await browser.window(ALL, order, 0, 999)).rows
                assert [row.key.run_id for row in rows] == every[order]
    with closing(sqlite3.connect(guest.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_progress_counts_what_is_there(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        for number in range(5):
            guest.run(f"r{number}")
        async with browse(guest.path) as browser:
            await browser.keep_index()
            assert await browser.index_progress() == IndexProgress(5, 5, True)
            guest.sql("DELETE FROM runs WHERE run_id = 'r2'")
            await browser.keep_index()
            assert await browser.index_progress() == IndexProgress(4, 4, True)


async def test_a_list_is_not_exact_while_the_index_is_behind(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("first")
        async with browse(guest.path) as browser:
            await browser.keep_index()
            assert await look(browser, ALL, NEWEST, 0, 9) == (["first"], 1, True)
            guest.run("second")
            assert await look(browser, ALL, NEWEST, 0, 9) == (["first"], 1, False)
            await browser.keep_index()
            assert await look(browser, ALL, NEWEST, 0, 9) == (["second", "first"], 2, True)
