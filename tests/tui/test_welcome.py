"""An own database without runs welcomes; what it says to do fills it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.tui.harness import MIDDLE, NARROW, exploring
from tests.tui.writer import until
from zeroth_tui.screens.opening import opened
from zeroth_tui.views.welcome import library_lines


@pytest.mark.parametrize("size", [NARROW, pytest.param(MIDDLE, marks=pytest.mark.thorough)])
async def test_an_empty_store_says_what_would_fill_it(size: tuple[int, int], empty: Path) -> None:
    async with exploring(empty, size=size) as explorer:
        for words in ("Nothing has run here yet.", "zeroth-tui demo", "import zeroth_store as z"):
            assert words in explorer.text
        assert "?     all keys" in explorer.text
        await explorer.press("tab", "end")
        assert "await runs.create(run)" in explorer.text


async def test_the_lines_of_the_library_fill_it(empty: Path) -> None:
    async with exploring(empty, opening=opened(empty)) as explorer:
        lines = library_lines(str(empty))
        body = "\n    ".join(lines)
        made: dict[str, object] = {}
        exec(f"async def fill():\n    {body}\n", made)  # noqa: S102 - what the screen says
        await made["fill"]()  # type: ignore[operator]
        await until(explorer, lambda: "Nothing has run" not in explorer.text)
        await until(explorer, lambda: "1 run " in explorer.text.splitlines()[0])
    with closing(sqlite3.connect(empty)) as connection:
        assert connection.execute("SELECT graph_version_ref FROM runs").fetchall() == [("hello",)]


@pytest.mark.thorough
async def test_typing_a_filter_into_an_empty_store_does_no_harm(empty: Path) -> None:
    async with exploring(empty) as explorer:
        await explorer.press("slash")
        explorer.app.screen.action_reload()  # type: ignore[attr-defined]
        await explorer.settle()
        assert "Keys to begin with" in explorer.text


@pytest.mark.thorough
async def test_a_database_of_zeroth_is_filled_by_zeroth(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        async with exploring(guest.path) as explorer:
            assert "This database holds no runs yet." in explorer.text
            assert "Nothing has run here yet." not in explorer.text


@pytest.mark.thorough
async def test_a_filter_that_leaves_nothing_is_no_empty_store(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("no such thing")
        assert "Nothing has run here yet." not in explorer.text
        assert "zeroth-tui demo" not in explorer.text


def test_a_hostile_path_is_shown_as_text() -> None:
    assert "\x1b" not in "".join(library_lines("a\x1b]0;x\x07.db"))
