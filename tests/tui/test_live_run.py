"""The open run grows while it is looked at, and what a person looks at stays."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.tui.harness import exploring
from tests.tui.sample import NOW, run_id
from tests.tui.writer import seen, until, writing
from zeroth_tui.widgets.run_view import RunView

pytestmark = pytest.mark.thorough

RUNNING = run_id("f28d28")


def grow(path: Path, node: str, *, status: str = "RUNNING") -> None:
    """Let the running run complete one node more, as its worker would write it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        sql = "SELECT execution_history FROM runs WHERE run_id = ?"
        history = json.loads(other.execute(sql, (RUNNING,)).fetchall()[0][0])
        moment = (NOW - timedelta(seconds=5 - len(history))).isoformat()
        history.append({**history[-1], "node_id": node, "started_at": moment})
        other.execute(
            "UPDATE runs SET execution_history = ?, status = ?, updated_at = ?,"
            " metadata = json_remove(metadata, '$.in_flight_dispatch') WHERE run_id = ?",
            (json.dumps(history), status, moment, RUNNING),
        )


async def test_from_the_newest_step_the_next_one_is_selected(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "enter")
        assert "step 2 of 2, now" in explorer.text
        for number, node in enumerate(("weigh", "sort"), 2):
            grow(database, node)
            await seen(explorer, f"✔ {node}", f"step {number} of {number}, now")
        # The cursor of the timeline is on it: what opens is the step's state.
        await explorer.press("enter")
        assert "sort" in explorer.text.split("[State]")[1].splitlines()[1]


async def test_who_looks_at_the_past_stays_there(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "enter", "g")
        assert "step 1 of 2, the past: 1 newer" in explorer.text
        grow(database, "weigh")
        grow(database, "sort")
        await seen(explorer, "step 1 of 3, the past: 2 newer", "✔ sort")
        await explorer.press("]", "]")
        await seen(explorer, "step 3 of 3, now")


async def test_a_value_that_is_read_does_not_go_away(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "enter")
        grow(database, "weigh")
        await seen(explorer, "step 2 of 2, now")
        await explorer.press("3")
        grow(database, "sort")
        await seen(explorer, "step 2 of 3, the past: 1 newer")
        assert "weigh" in explorer.text.split("[State]")[1].splitlines()[1]


async def test_a_run_that_is_over_keeps_its_length(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "down", "enter")
        grow(database, "weigh", status="COMPLETED")
        await seen(explorer, "nightly-report@2  f28d2800  ✔ COMPLETED  16.0s")
        view = explorer.app.screen.query_one(RunView)
        assert view.loaded is not None
        assert not view.loaded.live
        with writing(database) as other:
            other.add("later", RUNNING, status="RUNNING")
        await until(explorer, lambda: "9 runs" in explorer.text)
        assert "✔ COMPLETED  16.0s" in explorer.text
        assert "step" not in explorer.text.splitlines()[-2]
