"""Threads by position: newest first, none of thread state, positions that agree with windows."""

from __future__ import annotations

from pathlib import Path

from tests.store.guests import Guest
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import ThreadKey


async def test_windows_and_positions_agree(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for number in range(10):
            guest.thread(f"t-{number}")
        guest.thread("thread-state:t-3:c1")
        guest.thread("t-3", workspace_id="w1")
        guest.sql("DELETE FROM threads WHERE thread_id = 't-5'")
        async with SQLiteRunBrowser(guest.path) as browser:
            window = await browser.thread_window(0, 4)
            assert [thread.key.thread_id for thread in window.rows] == ["t-3", "t-9", "t-8", "t-7"]
            assert (window.start, window.total, window.exact) == (0, 10, True)
            rest = await browser.thread_window(4, 100)
            assert [thread.key.thread_id for thread in rest.rows] == [
                "t-6", "t-4", "t-3", "t-2", "t-1", "t-0",
            ]  # fmt: skip
            for at, thread in enumerate((*window.rows, *rest.rows)):
                assert await browser.thread_position(thread.key) == at
            assert await browser.thread_position(ThreadKey("default", "null", "t-5")) is None
            pseudo = ThreadKey("default", "null", "thread-state:t-3:c1")
            assert await browser.thread_position(pseudo) is None
            assert (await browser.thread_window(99, 5)).rows == ()


async def test_a_long_list_is_estimated_and_said_to_be(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.thread("first")
        guest.thread("last")
        guest.sql("UPDATE threads SET rowid = 60000 WHERE thread_id = 'last'")
        async with SQLiteRunBrowser(guest.path) as browser:
            window = await browser.thread_window(0, 5)
            assert [thread.key.thread_id for thread in window.rows] == ["last", "first"]
            assert (window.total, window.exact) == (60_000, False)
            end = await browser.thread_window(59_999, 5)
            assert [thread.key.thread_id for thread in end.rows] == ["first"]


async def test_runs_are_counted_however_many_a_thread_lists(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.thread("none", "no json")
        guest.thread("two", ["a", "b"])
        guest.thread("many", [f"{number:036}" for number in range(30_000)])  # more than 1 MiB
        async with SQLiteRunBrowser(guest.path) as browser:
            rows = (await browser.thread_window(0, 9)).rows
    assert [(row.key.thread_id, row.run_count) for row in rows] == [
        ("many", 30_000),
        ("two", 2),
        ("none", 0),
    ]


async def test_no_threads(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        async with SQLiteRunBrowser(guest.path) as browser:
            window = await browser.thread_window(0, 5)
            assert (window.rows, window.total, window.exact) == ((), 0, True)
        guest.sql("DROP TABLE threads")
        async with SQLiteRunBrowser(guest.path) as browser:
            window = await browser.thread_window(0, 5)
            assert (window.rows, window.total, window.exact) == ((), 0, True)
            key = ThreadKey("default", "null", "t")
            assert await browser.thread_position(key) is None
