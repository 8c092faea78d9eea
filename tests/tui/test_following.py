"""Following the newest run, and holding the view still."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.tui.counting import CountingBrowser, browser_of, taken_in
from tests.tui.harness import Explorer, exploring
from tests.tui.sample import run_id
from tests.tui.writer import seen, until, writing
from zeroth_store.browse import RunKey
from zeroth_tui.widgets.run_tree import RunTree

LIKE = run_id("7f3a11")
"""A completed run of the sample, which new ones are made like."""


def on(explorer: Explorer) -> str | None:
    """Return the id of the run under the cursor."""
    item = explorer.app.screen.query_one(RunTree).item
    return item.run_id if isinstance(item, RunKey) else None


def is_on(explorer: Explorer, name: str) -> bool:
    """Whether the cursor is on this run."""
    return on(explorer) == name


def top_line(explorer: Explorer) -> str:
    return explorer.text.splitlines()[0]


async def test_the_cursor_goes_to_each_new_run(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "down", "f")
        assert "following" in top_line(explorer)
        assert "Runs, newest first, following" in explorer.text
        assert on(explorer) == run_id("a03e5d")  # the last that the sample makes
        with writing(database) as other:
            for number in range(3):
                other.add(f"new-{number}", LIKE)
                await until(explorer, partial(is_on, explorer, f"new-{number}"))
        await seen(explorer, "1 of 11")
        # The run on the right is the one that is followed.
        await seen(explorer, "support-triage@3  new-2")


async def test_a_move_lets_go_and_the_top_takes_it_up_again(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "f", "down")
            below = on(explorer)
            assert "following" not in explorer.text
            other.add("alpha", LIKE)
            await seen(explorer, "3 of 9")
            assert on(explorer) == below
            await explorer.press("g")
            assert on(explorer) == "alpha"
            assert "following" in top_line(explorer)
            other.add("omega", LIKE)
            await until(explorer, lambda: on(explorer) == "omega")


@pytest.mark.thorough
async def test_a_new_run_is_read_once(database: Path) -> None:
    async with exploring(database, browsing=CountingBrowser) as explorer:
        await explorer.press("t", "f")
        with writing(database) as other:
            other.add("alpha", LIKE)
        await taken_in(explorer)
        assert on(explorer) == "alpha"
        await explorer.settle()
        assert browser_of(explorer).asked["alpha"] == 1


@pytest.mark.thorough
async def test_f_ends_what_f_began(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "f", "f")
            here = on(explorer)
            assert "following" not in explorer.text
            other.add("alpha", LIKE)
            await seen(explorer, "2 of 9")
            assert on(explorer) == here


async def test_the_top_is_only_where_the_cursor_was_if_nobody_followed(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "g")
        assert "following" not in explorer.text


@pytest.mark.thorough
async def test_in_the_tree_the_thread_of_the_newest_run_unfolds(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("f")
            assert on(explorer) == run_id("a03e5d")
            # `order-1` is folded at first, and `nightly` is open.
            other.add("in-order", LIKE, thread_id="order-1")
            await until(explorer, lambda: on(explorer) == "in-order")
            assert "▾ order-1" in explorer.text
            other.add("in-nightly", LIKE, thread_id="nightly")
            await until(explorer, lambda: on(explorer) == "in-nightly")
            assert "▸ order-1" in explorer.text
            assert "Threads & runs, following" in explorer.text


@pytest.mark.thorough
async def test_a_filter_decides_who_is_followed_and_stays(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.filter("status:failed")
            await explorer.press("enter", "f")
            other.add("well", LIKE)
            other.add("badly", LIKE, status="FAILED")
            await until(explorer, lambda: on(explorer) == "badly")
            other.change("badly", status="COMPLETED")
            await until(explorer, lambda: on(explorer) == run_id("81bc02"))
            assert "filter: status:failed" in explorer.text


async def test_a_pause_holds_the_view_and_counts_what_waits(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "p")
            assert "paused" in top_line(explorer)
            other.add("alpha", LIKE)
            await seen(explorer, "paused, 1 change waits")
            other.add("omega", LIKE)
            other.change(run_id("a03e5d"), updated_at="2026-03-01T10:04:59+00:00")
            await seen(explorer, "paused, 3 changes wait")
            assert "1 of 8" in explorer.text
            assert "8 runs" in top_line(explorer)
            assert "alpha" not in explorer.text
            await explorer.press("p")
            await seen(explorer, "10 runs", "3 of 10", "omega", "live")
            assert "paused" not in explorer.text


@pytest.mark.thorough
async def test_what_a_person_asks_for_is_shown_in_a_pause(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "p")
            other.change(run_id("81bc02"), graph_version_ref="changed-meanwhile@2")
            await explorer.press(*["down"] * 6)
            assert on(explorer) == run_id("81bc02")
            await seen(explorer, "changed-meanwhile@2")
            other.add("alpha", LIKE)
            await seen(explorer, "paused, 1 change waits")
            await explorer.press("r")
            await seen(explorer, "9 runs")
            assert "change waits" not in explorer.text
            assert "paused" in top_line(explorer)


@pytest.mark.thorough
async def test_following_ends_a_pause(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "p")
            other.add("alpha", LIKE)
            await seen(explorer, "paused, 1 change waits")
            await explorer.press("f")
            await until(explorer, lambda: on(explorer) == "alpha")
            assert "paused" not in explorer.text
