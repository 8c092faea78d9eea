"""One hint at a time, until its key was used; the file that remembers it may be anything."""

from __future__ import annotations

import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.tui.harness import Explorer, exploring
from zeroth_tui.screens.opening import Opening
from zeroth_tui.screens.used_keys import UsedKeys


@asynccontextmanager
async def hinting(database: Path, file: Path | None) -> AsyncIterator[Explorer]:
    """Open the explorer with hints that are remembered in a file."""
    async with exploring(database, opening=Opening(location="runs.db", hints=file)) as explorer:
        yield explorer


def hint(explorer: Explorer) -> str:
    """Return the line above the keys."""
    return explorer.text.splitlines()[-2].strip()


async def test_each_hint_goes_when_its_key_was_used(database: Path, tmp_path: Path) -> None:
    async with hinting(database, tmp_path / "hints.json") as explorer:
        assert hint(explorer) == "enter goes into the run"
        await explorer.press("enter")
        assert hint(explorer).startswith("3 shows what a step got and returned")
        await explorer.press("3")
        assert hint(explorer) == "esc goes back to the list"
        await explorer.press("escape")
        assert hint(explorer) == "/ finds runs by any part, node or error"


@pytest.mark.thorough
async def test_a_failed_run_hints_at_its_failure(database: Path, tmp_path: Path) -> None:
    async with hinting(database, tmp_path / "hints.json") as explorer:
        await explorer.press("t", "t")
        assert hint(explorer) == "enter opens the failure"


@pytest.mark.thorough
async def test_what_was_used_is_remembered_by_the_next_session(
    database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "state" / "hints.json"
    async with hinting(database, file) as explorer:
        await explorer.press("enter", "escape")
    assert json.loads(file.read_text()) == ["explorer.back", "list.open"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    async with hinting(database, file) as explorer:
        assert hint(explorer) == "/ finds runs by any part, node or error"


@pytest.mark.thorough
async def test_when_everything_was_used_the_line_is_the_lists_again(
    database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "hints.json"
    names = ("list.open", "filter", "act", "overview", "time_machine", "help")
    file.write_text(json.dumps([name if "." in name else f"explorer.{name}" for name in names]))
    async with exploring(database) as bare:
        without = bare.text
    async with hinting(database, file) as explorer:
        assert explorer.text == without


@pytest.mark.thorough
async def test_the_key_that_is_named_is_the_one_that_works(database: Path, tmp_path: Path) -> None:
    async with hinting(database, tmp_path / "hints.json") as explorer:
        explorer.app.set_keymap({"list.open": "ctrl+o"})
        await explorer.press("down")
        await explorer.press("up")
        explorer.app.screen.refresh_bindings()
        await explorer.settle()
        assert hint(explorer) == "ctrl+o goes into the run"


async def test_without_a_file_there_are_no_hints(database: Path) -> None:
    async with hinting(database, None) as explorer:
        assert hint(explorer).startswith("╰")


@pytest.mark.parametrize(
    "stored", [b"", b"{}", b'{"list.open": 1}', b"[1, null]", b"\xff\xfe", b"[" * 60_000]
)
def test_a_broken_file_is_as_good_as_none(stored: bytes, tmp_path: Path) -> None:
    file = tmp_path / "hints.json"
    file.write_bytes(stored)
    used = UsedKeys(file)
    assert used.names == frozenset()
    used.add("list.open")
    assert UsedKeys(file).names == {"list.open"}


@pytest.mark.thorough
async def test_a_file_that_cannot_be_written_does_no_harm(database: Path, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("no folder")
    async with hinting(database, tmp_path / "blocked" / "hints.json") as explorer:
        await explorer.press("enter")
        assert not explorer.said
        assert not hint(explorer).startswith("enter")


def test_two_sessions_learn_together(tmp_path: Path) -> None:
    file = tmp_path / "hints.json"
    one, other = UsedKeys(file), UsedKeys(file)
    one.add("list.open")
    other.add("explorer.act")
    assert UsedKeys(file).names == {"list.open", "explorer.act"}


def test_a_file_that_cannot_be_put_in_place_leaves_none_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "hints.json"
    (file / "in the way").mkdir(parents=True)
    UsedKeys(file).add("list.open")
    assert [path.name for path in tmp_path.iterdir()] == ["hints.json"]
