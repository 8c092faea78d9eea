"""Hostile text that arrives while it is looked at, and under the mouse."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from tests.tui.harness import exploring
from tests.tui.sample import run_id
from tests.tui.test_hostile import HOSTILE, NOT_PRINTABLE, poison
from tests.tui.writer import seen

RUNNING = run_id("f28d28")

# As a model writes an answer word by word: each piece alone is markup that does not close.
PIECES = ("[", "[[[[", "[[[[[/", "[/]", "[b ", "[/nothing]", "[type=missing, x={", "$x")


def say(path: Path, text: str) -> None:
    """Let the running run's last step return this text, and be at a node of that name."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(
            "UPDATE runs SET current_step = ?1, error = ?1, final_output = ?2,"
            " execution_history = json_set(execution_history, '$[0].output_snapshot.said', ?1,"
            " '$[0].node_id', ?1) WHERE run_id = ?3",
            (text, json.dumps({"said": text}), RUNNING),
        )


@pytest.mark.parametrize(
    ("tab", "pieces"),
    [
        ("1", PIECES[2:4]),
        pytest.param("1", PIECES, marks=pytest.mark.thorough),
        pytest.param("6", PIECES, marks=pytest.mark.thorough),
    ],
)
async def test_brackets_that_arrive_live_are_shown_as_stored(
    tab: str, pieces: tuple[str, ...], database: Path
) -> None:
    async with exploring(database, size=(160, 45)) as explorer:
        await explorer.press("t", "down", "enter", tab)
        for number, piece in enumerate(pieces):
            say(database, f"{number}:{piece}!")
            await seen(explorer, f"{number}:{piece}!")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["markup", "escapes"])
async def test_the_mouse_over_hostile_rows_shows_no_tooltip_of_them(
    name: str, database: Path
) -> None:
    poison(database, HOSTILE[name])
    async with exploring(database, size=(160, 45)) as explorer:
        await explorer.press("g", "down", "t", "5")
        assert HOSTILE[name][:1] in explorer.text
        for column, row in ((20, 3), (20, 4), (100, 1), (100, 4), (100, 8), (100, 20), (3, 44)):
            await explorer.pilot.hover(offset=(column, row))
            under, _ = explorer.app.screen.get_widget_at(column, row)
            shown = str(under.tooltip or "")
            assert not NOT_PRINTABLE.search(shown)
            assert "[" not in shown
        assert shown  # a key's tooltip, which the app itself made


@pytest.mark.thorough
@pytest.mark.parametrize("text", [*PIECES, HOSTILE["markup"]])
async def test_hostile_text_is_typed_into_every_field(text: str, database: Path) -> None:
    async with exploring(database, size=(160, 45)) as explorer:
        for *keys, field in (
            ("slash", "filter"),
            ("escape", "escape", "enter", "3", "slash", "search"),
            ("escape", "escape", "ctrl+p", "palette"),
            ("escape", "ctrl+t", "enter", "moment"),
        ):
            await explorer.press(*keys)
            focused = explorer.app.focused
            assert isinstance(focused, Input), field
            focused.post_message(events.Paste(text))
            await explorer.settle()
            assert focused.value, field
            assert NOT_PRINTABLE.findall(explorer.text) == [], field
            await explorer.press("home", "x", "end", "backspace")
