"""Every tab as a picture, at a small and a large terminal; `make snapshots` accepts changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.tui.harness import NARROW, WIDE, exploring

SIZES = {"80x24": NARROW, "160x45": WIDE}
TABS = {
    "timeline": "1",
    "conditions": "2",
    "state": "3",
    "checkpoints": "4",
    "raw": "6",
    "graph": "7",
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tab", TABS)
async def test_tabs(tab: str, size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.open_run("7f3a", TABS[tab])
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
async def test_failure(size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.press("t", "t", "enter")
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
async def test_start(size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", ["t", "t t", "t g space s"], ids=["runs", "failures", "sorted"])
async def test_modes(keys: str, size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.press(*keys.split())
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "typed", ["status:", "in:output logistics", "bogus:x"], ids=["values", "payload", "wrong"]
)
async def test_filter(typed: str, size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.filter(typed)
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
async def test_views(size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.press("v")
        assert explorer.svg == picture


@pytest.mark.parametrize("size", SIZES)
async def test_dialog(size: str, database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=SIZES[size]) as explorer:
        await explorer.press("x")
        assert explorer.svg == picture


async def test_light_theme(database: Path, picture: SnapshotAssertion) -> None:
    async with exploring(database, size=WIDE) as explorer:
        explorer.app.theme = "textual-light"
        await explorer.press("t", "t", "enter")
        assert explorer.svg == picture
