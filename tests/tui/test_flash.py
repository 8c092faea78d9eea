"""What has changed lights up once, and then the screen is at rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color

from tests.tui.harness import Explorer, exploring
from tests.tui.listing import ground
from tests.tui.sample import run_id
from tests.tui.writer import seen, until, writing
from zeroth_tui.widgets.run_tree import RunTree

pytestmark = pytest.mark.thorough

RUNNING, DONE = run_id("f28d28"), run_id("7f3a11")


def grounds(explorer: Explorer) -> list[Color | None]:
    """Return the backgrounds of the list's rows in sight."""
    tree = explorer.app.screen.query_one(RunTree)
    return [ground(tree.render_line(y)) for y in range(tree.size.height)]


def lit(explorer: Explorer) -> list[int]:
    """Return which rows below the cursor's first one are not like the empty ones at the end."""
    rows = grounds(explorer)
    return [at for at, colour in enumerate(rows) if at and colour != rows[-1]]


async def test_a_changed_and_a_new_row_light_up_once(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t")
            explorer.app.animation_level = "full"
            assert lit(explorer) == []
            other.change(RUNNING, status="COMPLETED")
            await until(explorer, lambda: lit(explorer) == [1])
            await until(explorer, lambda: lit(explorer) == [])
            await explorer.press("f")  # so that the cursor is on the new run, and not below it
            other.add("new", DONE)
            other.change(run_id("d50ebd"), status="FAILED")
            await until(explorer, lambda: 3 in lit(explorer))
            await until(explorer, lambda: lit(explorer) == [])


async def test_no_row_lights_up_where_motion_is_not_wanted(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t")
            assert explorer.app.animation_level == "none"
            other.change(RUNNING, status="FAILED")
            await seen(explorer, "✖ 2")
            assert lit(explorer) == []


async def test_a_change_that_no_list_shows_lights_nothing(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t")
            explorer.app.animation_level = "full"
            other.change(run_id("81bc02"), final_output='"x"')
            other.change(DONE, graph_version_ref="other@1")
            await seen(explorer, "other@1")
            assert lit(explorer) == []
