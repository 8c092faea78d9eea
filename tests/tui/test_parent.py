"""Going to what a run hangs under, from the tree and from a flat list."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.tui.harness import Explorer, exploring
from tests.tui.sample import run_id
from zeroth_tui.widgets.run_tree import RunTree

PARENT, CHILD = run_id("37ed6f"), run_id("29749b")


def on(explorer: Explorer) -> str:
    """Return what the cursor of the list is on."""
    return str(explorer.app.screen.query_one(RunTree).item)


async def test_u_goes_from_child_to_parent_to_thread(database: Path) -> None:
    async with exploring(database) as explorer:
        # nightly, its two runs, why one of them is stuck, press, order-1: its run, the child
        await explorer.press("g", *["down"] * 5, "enter", "down", "down")
        assert CHILD in on(explorer)
        await explorer.press("u")
        assert PARENT in on(explorer)
        await explorer.press("u")
        assert "order-1" in on(explorer)
        await explorer.press("u")
        assert "order-1" in on(explorer)


async def test_u_in_a_flat_list_goes_to_the_parent_and_then_to_the_tree(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("29749b")
        await explorer.press("enter", "u")
        assert PARENT in on(explorer)
        await explorer.press("u")
        assert "order-1" in on(explorer)


async def test_u_says_where_the_parent_is_gone(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM runs WHERE run_id = ?", (PARENT,))
    async with exploring(database) as explorer:
        await explorer.filter("29749b")
        await explorer.press("enter", "u")
        assert f"Run {PARENT} is no longer in the database." in explorer.said
        assert CHILD in on(explorer)
