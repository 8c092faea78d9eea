"""The Graph tab in the real app: the way taken, and the step that it shares with the other tabs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.tui.conftest import shared
from tests.tui.harness import MIDDLE, NARROW, WIDE, exploring

pytestmark = pytest.mark.thorough

VISIT_LIMIT = "a70e859061f84ba8bb5b68feb2eb9e75"
PARENT = "37ed6f1ced65489a88365f703fea0bde"
GRAPH = "7"


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """Return a copy of a database that real Zeroth wrote."""
    return Path(shutil.copy(shared("data", "zeroth", "rev026-main.db"), tmp_path / "main.db"))


@pytest.mark.parametrize("size", [NARROW, MIDDLE, WIDE], ids=str)
async def test_the_loop_that_met_its_visit_limit(main: Path, size: tuple[int, int]) -> None:
    async with exploring(main, size=size) as explorer:
        await explorer.open_run(VISIT_LIMIT, GRAPH)
        # By SQL: draft and critique ran 4 times each; e-again matched 4 times, was taken 3 times.
        assert re.search(r"┗>✔ critique\s+x4", explorer.text)
        assert re.search(r"✔ draft\s+x4", explorer.text)
        assert "↺ to draft  taken 3 of 4" in explorer.text
        assert re.search(r"└>· publish", explorer.text)


async def test_the_cursor_selects_the_last_visit_for_all_tabs(main: Path) -> None:
    async with exploring(main, size=WIDE) as explorer:
        await explorer.open_run(VISIT_LIMIT, GRAPH, "g")
        view = explorer.app.screen.query_one("RunView")
        loaded, step = view.loaded, view.step  # type: ignore[attr-defined]
        # `g` came to the first row, draft: its fourth visit is stored at position 6.
        assert (loaded.detail.history[step].node_id, step) == ("draft", 6)
        await explorer.press("1")
        assert explorer.app.focused is not None
        assert explorer.app.focused.item.index == 6  # type: ignore[attr-defined]


async def test_enter_on_a_node_opens_its_state_and_an_edge_its_decisions(main: Path) -> None:
    async with exploring(main, size=WIDE) as explorer:
        await explorer.open_run(VISIT_LIMIT, GRAPH, "g", "enter")
        assert "[State]" in explorer.text
        await explorer.press(GRAPH, "j", "enter")
        assert "[Conditions]" in explorer.text


async def test_a_step_selected_elsewhere_is_found_in_the_graph(main: Path) -> None:
    async with exploring(main, size=WIDE) as explorer:
        await explorer.open_run(VISIT_LIMIT, "1", "g", GRAPH)
        pane = explorer.app.focused
        assert pane is not None
        # The first row of the timeline is draft's first visit; the graph has one row for all.
        assert (pane.item.index, pane.cursor) == (6, 0)  # type: ignore[attr-defined]
        await explorer.press("right_square_bracket")
        # The second step is critique, whose row stands below draft and its one edge.
        assert pane.cursor == 2  # type: ignore[attr-defined]


async def test_a_subgraph_is_named_and_its_child_is_drawn_by_its_own_graph(main: Path) -> None:
    async with exploring(main, size=WIDE) as explorer:
        await explorer.open_run(PARENT, GRAPH)
        assert re.search(r"✔ check\s+x1\s+subgraph credit-check", explorer.text)


async def test_without_a_deployment_the_history_tells(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run("7f3a11", GRAPH)
        assert re.search(r"✔ classify\s+x1", explorer.text)
        assert "From the history: only what ran is known." in explorer.text
