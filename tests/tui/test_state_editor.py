"""Editing the state that a fork starts from: keys in, the new run's row out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events

from tests.tui.branching import (
    NOTE,
    SOURCE,
    ask,
    fail_after_a_checkpoint,
    lineage,
    made_by_a_fork,
    run_row,
    select,
    until,
    words,
)
from tests.tui.harness import NARROW, WIDE, Explorer, exploring
from zeroth_tui.screens.fork_dialog import ForkDialog
from zeroth_tui.screens.state_editor import StateEditor

pytestmark = pytest.mark.thorough

TITLE = "The state that the new run starts from"


@pytest.fixture
async def kept(database: Path) -> str:
    """Return the checkpoint of SOURCE from before it failed."""
    return await fail_after_a_checkpoint(database)


def editor(explorer: Explorer) -> StateEditor:
    screen = explorer.app.screen
    assert isinstance(screen, StateEditor)
    return screen


async def paste(explorer: Explorer, text: str, *, over: str | None = None) -> None:
    """Paste into the editor, in place of a piece of its text or of all."""
    area = editor(explorer).area
    start = 0 if over is None else area.text.index(over)
    end = len(area.text) if over is None else start + len(over)
    lines = area.text[:start].split("\n"), area.text[:end].split("\n")
    first, last = ((len(above) - 1, len(above[-1])) for above in lines)
    area.selection = type(area.selection)(first, last)
    explorer.app.post_message(events.Paste(text))  # as the terminal does
    await explorer.settle()


@asynccontextmanager
async def editing(
    path: Path, size: tuple[int, int] = WIDE, *, at: str = "G"
) -> AsyncIterator[Explorer]:
    """Open the editor on the state of a checkpoint: the last listed, which holds no secret."""
    async with exploring(path, size=size) as explorer:
        await explorer.open_run(SOURCE[:6], "4", at)
        await ask(explorer, "F", "Edit the state first")
        await ask(explorer, "3", TITLE)
        yield explorer


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_an_edited_state_is_compared_shown_and_written(
    database: Path, kept: str, size: tuple[int, int]
) -> None:
    source = run_row(database)
    async with editing(database, size) as explorer:
        await paste(explorer, '{"rows": 7}', over='{\n        "rows": 120\n      }')
        await ask(explorer, "ctrl+s", "1 change so far")
        await explorer.press("2")
        shown = words(explorer)
        assert "state edited, 1 change" in shown
        assert "~ $.metadata.in_flight_dispatch.input_payload.rows 120 → 7" in shown
        await ask(explorer, "y", "forked into")
    row = made_by_a_fork(database)
    metadata = json.loads(row["metadata"])
    assert metadata["in_flight_dispatch"]["input_payload"] == {"rows": 7}
    assert lineage(row) == {"run_id": SOURCE, "checkpoint_id": kept}
    assert run_row(database) == source


async def test_an_unchanged_state_forks_as_it_is(database: Path, kept: str) -> None:
    async with editing(database) as explorer:
        await ask(explorer, "ctrl+s", "0 changes so far")
        await explorer.press("1")
        assert "edited, without a change" in words(explorer)


async def test_what_could_act_on_the_terminal_is_kept_exactly(database: Path, kept: str) -> None:
    async with editing(database, at="g") as explorer:
        await ask(explorer, "v", '"completed_steps"')
        area = editor(explorer).area
        assert r'"note": "a\u202eb\u001b[31mé"' in area.text
        assert "\x1b" not in explorer.text
        pasted = "x\x1b]52;c;eA==\x07\u2028y"
        await paste(explorer, pasted, over="collect")
        assert r"x\u001b]52;c;eA==\u0007\u2028y" in area.text
        await ask(explorer, "ctrl+s", "so far")
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
    row = made_by_a_fork(database)
    history = json.loads(row["execution_history"])
    assert history[-1]["output_snapshot"]["note"] == NOTE
    assert pasted in [*json.loads(row["completed_steps"]), history[0]["node_id"]]


async def test_secrets_are_shown_when_they_are_asked_for(database: Path, kept: str) -> None:
    async with editing(database, at="g") as explorer:  # whose step has a token
        assert "values that are masked everywhere else" in words(explorer)
        await explorer.press("x", "ctrl+s")
        assert editor(explorer).area.text == ""
        assert "abcd" not in explorer.text
        await ask(explorer, "v", '"completed_steps"')
        assert '"token": "abcd"' in editor(explorer).area.text
        await ask(explorer, "ctrl+s", "so far")
        await ask(explorer, "3", '"completed_steps"')  # asked for already


async def test_what_is_wrong_is_said_as_it_is_typed_with_its_place(
    database: Path, kept: str
) -> None:
    async with editing(database) as explorer:
        await paste(explorer, '{\n  "metadata": {,}\n}')
        assert "line 2, column 16: not JSON: Expecting property name" in words(explorer)
        await explorer.press("ctrl+s")
        assert editor(explorer).area.cursor_location == (1, 15)
        await explorer.press("delete")
        assert "not JSON" not in words(explorer)
        await paste(explorer, '{"metadata": NaN}')
        assert "line 1, column 14: not JSON: NaN is no number" in words(explorer)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("[]", "no JSON object"),
        ("{}", "graph_version_ref"),
        ('{"graph_version_ref": "g", "metadata": 1}', "metadata: Input should be a valid dict"),
        ('{"graph_version_ref": "g", "status": "FAILED"}', "status is set by the fork itself"),
        ('{"graph_version_ref": "g", "metadta": {}}', "metadta is no part of this state"),
    ],
)
async def test_a_state_that_is_no_runs_is_refused(
    database: Path, kept: str, state: str, said: str
) -> None:
    async with editing(database) as explorer:
        await paste(explorer, state)
        await ask(explorer, "ctrl+s", said)
        assert editor(explorer).area.text == state
    assert select(database, "SELECT * FROM runs WHERE metadata LIKE '%forked%'") == []


async def test_changes_are_not_dropped_by_one_key(database: Path, kept: str) -> None:
    async with editing(database) as explorer:
        await explorer.press("x", "escape")
        assert "esc again drops what you changed" in words(explorer)
        await explorer.press("escape")
        await until(explorer, "Edit the state first")
        assert isinstance(explorer.app.screen, ForkDialog)
        assert "so far" not in words(explorer)
