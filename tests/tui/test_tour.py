"""The tour: each hint stays until its key had its effect, covers nothing, and can be left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.tui.harness import NARROW, Explorer, exploring
from zeroth_tui.screens.opening import Opening

KEYS = ("down", "t", "enter", "2", "3", "escape", "slash", "escape", "x", "o", "ctrl+t")
"""What leads from one hint to the next, in the order in which the hints name it."""

NAMED = ("↓", "t", "enter", "2", "3", "esc", "/", "esc", "x", "o", "ctrl+t", "?")
"""The same as a person reads it, and the key of the last hint."""


@asynccontextmanager
async def touring(path: Path) -> AsyncIterator[Explorer]:
    opening = Opening(location=path.name, tour=True)
    async with exploring(path, size=NARROW, opening=opening) as explorer:
        yield explorer


async def reaches(explorer: Explorer, words: str) -> None:
    """Wait until the screen says something."""
    async with asyncio.timeout(20):
        while words not in explorer.text:
            await explorer.pilot.pause()


def hint_key(explorer: Explorer) -> str:
    """Return the key that the hint names."""
    lines = explorer.text.splitlines()
    row = next(line for line in lines if "Q  leaves the tour" in line)
    return row.split()[0]


@pytest.mark.thorough
async def test_every_hint_is_followed_by_the_next(database: Path) -> None:
    async with touring(database) as explorer:
        for at, key in enumerate(KEYS):
            await reaches(explorer, f"Tour {at + 1} of 12")
            assert hint_key(explorer) == NAMED[at]
            await explorer.press(key)
            if NAMED[at - 1] == "/":
                await explorer.press("escape")  # the first one closed the choices
            if key in {"x", "o"}:  # they stand before the explorer until they are left
                await explorer.press("escape")
        await reaches(explorer, "Tour 12 of 12")
        assert hint_key(explorer) == NAMED[-1]
        await explorer.press("question_mark", "escape")
        async with asyncio.timeout(20):
            while "Tour" in explorer.text:
                await explorer.pilot.pause()


async def test_another_key_leaves_the_hint_where_it_is(database: Path) -> None:
    async with touring(database) as explorer:
        await explorer.press("down")
        await reaches(explorer, "Tour 2 of 12")
        await explorer.press("n", "o", "escape")
        assert "Tour 2 of 12" in explorer.text


async def test_it_covers_nothing_and_can_be_left_at_any_time(database: Path) -> None:
    async with exploring(database, size=NARROW) as explorer:
        plain = explorer.text.splitlines()
        assert "Tour" not in explorer.text
    async with touring(database) as explorer:
        shown = explorer.text.splitlines()
        tour = [at for at, row in enumerate(shown) if row.startswith(" Tour 1 of 12")]
        # It stands between the lower frame of the lists and the bar of the keys.
        assert shown[tour[0] - 1].startswith("╰")
        assert shown[-1] == plain[-1]
        assert shown[0] == plain[0]
        await explorer.press("Q")
        assert explorer.text.splitlines() == plain
