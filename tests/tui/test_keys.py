"""Keys, palette and help tell of the same commands, and the README of all of them."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from pathlib import Path

import pytest
from textual.actions import parse
from textual.dom import DOMNode

import zeroth_tui
from tests.tui.harness import MIDDLE, NARROW, WIDE, Explorer, exploring
from tests.tui.key_table import PLACES, table
from tests.tui.writer import seen, until
from zeroth_tui.key_words import names
from zeroth_tui.screens.keys import GROUPS, commands, declared
from zeroth_tui.widgets.pane import Pane
from zeroth_tui.widgets.run_tabs import STATE
from zeroth_tui.widgets.run_view import RunView

README = Path(__file__).parents[2] / "README.md"

SPEAK_FOR_THEMSELVES = {"act_dialog", "act_page", "act_results", "state_editor", "views_menu"}
"""Modules of dialogs, which show their own keys."""


def kinds() -> set[type[DOMNode]]:
    """Return every class of the program that binds keys."""
    for module in pkgutil.walk_packages(zeroth_tui.__path__, "zeroth_tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, unseen = set(), [DOMNode]
    while unseen:
        kind = unseen.pop()
        found.add(kind)
        unseen += kind.__subclasses__()
    return {
        kind
        for kind in found
        if kind.__module__.startswith("zeroth_tui") and kind.__dict__.get("BINDINGS")
    }


async def find(explorer: Explorer, words: str, *then: str) -> None:
    """Type into the palette, and press keys when it has found something."""
    await explorer.press("ctrl+p", *words)
    await explorer.press(*then)


def test_the_readme_has_the_keys_that_are_bound() -> None:
    assert table() in README.read_text("utf-8"), "see `python -m tests.tui.key_table`"


def test_the_table_tells_of_every_place_that_binds_keys() -> None:
    told = {part for place in PLACES for part in place.__mro__}
    missing = {kind for kind in kinds() - told if not kind.__module__.endswith("help_screen")}
    assert {kind.__module__.split(".")[-1] for kind in missing} <= SPEAK_FOR_THEMSELVES


def test_every_binding_has_a_group_words_and_an_action_that_exists() -> None:
    for kind in kinds():
        for group, binding in declared(kind):
            place, name, _ = parse(binding.action)
            assert binding.description or binding.tooltip or not binding.show, binding
            assert place == "app" or hasattr(kind, f"action_{name}"), binding
            assert group in GROUPS or kind not in PLACES


def test_keys_are_named_as_they_are_written_on_the_keyboard() -> None:
    found = {binding.id: names(binding) for place in PLACES for _, binding in declared(place)}
    assert found["explorer.filter"] == ("/",)
    assert found["explorer.time_machine"] == ("ctrl+t",)
    assert found["list.open"] == ("enter",)
    assert found["run.previous"] == ("[",)
    assert found["explorer.journal"] == ("@",)
    assert found["past.any_before"] == ("shift+←",)


@pytest.mark.thorough
async def test_no_two_commands_have_the_same_name(database: Path) -> None:
    async with exploring(database) as explorer:
        for keys in ((), ("ctrl+t",), ("escape", "o")):  # the list, the past, the overview
            await explorer.press(*keys)
            found = Counter((one.group, one.words) for one in commands(explorer.app.screen))
            assert found.most_common(1)[0][1] == 1
        await explorer.press("escape")
        ids = {one.id for one in commands(explorer.app.screen)}
        assert {"state.raw", "timeline.idle", "checkpoints.difference", "tree.mark"} <= ids


@pytest.mark.thorough
async def test_the_palette_does_what_a_key_does(database: Path) -> None:
    async with exploring(database, size=MIDDLE) as explorer:
        await find(explorer, "watch: follow", "enter")
        await seen(explorer, "following")
        await find(explorer, "watch: pause", "enter")
        await seen(explorer, "paused")
        await find(explorer, "past: past", "enter")
        await seen(explorer, "◀◀ PAST")
        await find(explorer, "past: after", "enter")
        await find(explorer, "time bar: now", "enter")
        await until(explorer, lambda: "PAST" not in explorer.text)
        await find(explorer, "watch: overview", "enter")
        await seen(explorer, "the last 15 min")
        await find(explorer, "overview: more time", "enter")
        await seen(explorer, "the last 1 h")


@pytest.mark.thorough
async def test_what_a_pane_does_is_done_in_that_pane(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("7f3a11")
        await explorer.press("enter")
        view = explorer.app.screen.query_one(RunView)
        assert view.tab != STATE
        await find(explorer, "state: next part", "enter")
        assert view.tab == STATE
        assert view.state.has_focus


@pytest.mark.thorough
async def test_what_cannot_be_done_is_listed_with_the_reason(database: Path) -> None:
    async with exploring(database, size=WIDE, read_only=True) as explorer:
        await find(explorer, "act: fork")
        await seen(explorer, "Not now: this database is open read-only")
        await explorer.press("enter")
        assert explorer.said == "Fork: this database is open read-only"
        await find(explorer, "past: before")
        await seen(explorer, "Not now: this is the present: ctrl+t goes into the past")


@pytest.mark.thorough
async def test_in_the_past_what_is_about_the_present_says_so(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.press("ctrl+t")
        await find(explorer, "watch: overview")
        await seen(explorer, "Not now: this is the past: ctrl+t returns to now")


@pytest.mark.thorough
async def test_without_a_run_its_panes_do_nothing(empty: Path) -> None:
    async with exploring(empty, size=WIDE) as explorer:
        reasons = {one.id: one.reason for one in commands(explorer.app.screen)}
        assert reasons["state.raw"] == reasons["run.next"] == "no run is open"
        assert reasons["explorer.act"] == "no run is open"
        assert not reasons["explorer.filter"]


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.thorough)])
async def test_the_help_begins_with_what_works_here(database: Path, size: tuple[int, int]) -> None:
    async with exploring(database, size=size) as explorer:
        before = explorer.text
        await explorer.press("question_mark")
        assert "you are in the list of runs" in explorer.text
        assert line_of(explorer, "Mark the run") < line_of(explorer, "Find runs by any part")
        assert "Leave the tour" not in explorer.text  # there is none
        await explorer.press("escape")
        assert explorer.text == before
        await explorer.press("enter", "3", "question_mark")
        assert "you are in State of the run" in explorer.text
        assert "The text as stored" in explorer.text
        # `/` searches here, so nothing says that it filters.
        assert "Find in this value" in explorer.text
        assert "Find runs by any part" not in explorer.text


@pytest.mark.thorough
async def test_the_help_says_why_a_key_does_nothing(database: Path) -> None:
    async with exploring(database, size=WIDE, read_only=True) as explorer:
        await explorer.press("question_mark")
        row = explorer.text.splitlines()[line_of(explorer, "Write a checkpoint")]
        assert "(this database is open read-only)" in row


@pytest.mark.thorough
async def test_enter_in_the_help_does_what_the_row_says(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("question_mark", "enter")  # the first row marks the run
        assert "1 marked" in explorer.text


def line_of(explorer: Explorer, words: str) -> int:
    return next(at for at, row in enumerate(explorer.text.splitlines()) if words in row)


@pytest.mark.thorough
async def test_keys_of_the_help_are_those_of_the_keymap(database: Path) -> None:
    async with exploring(database) as explorer:
        explorer.app.set_keymap({"explorer.overview": "ctrl+o"})
        await explorer.pilot.pause()
        await explorer.press("question_mark")
        row = explorer.text.splitlines()[line_of(explorer, "The last minutes in figures")]
        assert "ctrl+o" in row


async def test_there_is_one_list_of_keys(database: Path) -> None:
    async with exploring(database) as explorer:
        titles = {one.title for one in explorer.app.get_system_commands(explorer.app.screen)}
        assert {"Theme", "Screenshot"} <= titles
        assert "Keys" not in titles  # it would open a panel beside the help


@pytest.mark.parametrize(
    ("key", "place", "words"),
    [
        ("o", "the overview", "More time, less time"),
        ("v", "the views", "Choose a view by its number"),
        ("at", "the journal", "Undo what the cursor is on"),
    ],
)
async def test_screens_over_the_list_have_the_help_as_well(
    database: Path, tmp_path: Path, key: str, place: str, words: str
) -> None:
    async with exploring(database, journal=tmp_path / "journal.jsonl") as explorer:
        await explorer.press(key)
        before = explorer.text
        await explorer.press("question_mark")
        assert f"you are in {place}" in explorer.text
        assert words in explorer.text
        await explorer.press("escape")
        assert explorer.text == before


async def test_enter_in_the_help_of_the_overview_does_what_the_row_says(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("o", "f1")
        lines = [line.split("│") for line in explorer.text.splitlines() if line.count("│") == 2]
        assert [line[1].strip() for line in lines].count("Overview") == 1
        rows = explorer.app.screen.query_one("#help-keys", Pane)
        for _ in range(40):
            if rows.item != "overview.more":
                await explorer.press("down")
        await explorer.press("enter")
        await seen(explorer, "the last 1 h")
