"""A database on a network file system is shown with a warning, however wide the terminal is."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.tui.harness import exploring
from tests.tui.writer import until
from zeroth_store import SQLiteRunBrowser


def mounted(folder: Path, kind: str) -> Path:
    """Write a list of mounts that puts everything on one file system."""
    table = folder / "mounts"
    table.write_text(f"nas:/data / {kind} rw 0 0\n")
    return table


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (160, "network file system"),
        pytest.param(80, "network fs", marks=pytest.mark.thorough),
    ],
)
async def test_a_network_file_system_is_said(
    width: int, words: str, database: Path, tmp_path: Path
) -> None:
    browsing = partial(SQLiteRunBrowser, mounts=mounted(tmp_path, "nfs4"))
    async with exploring(database, size=(width, 24), browsing=browsing) as explorer:
        first = explorer.text.splitlines()[0]
        assert f" {words}  live" in first
        assert "runs.db" in first
        assert explorer.said.startswith("runs.db lies on a network file system (nfs4 at /)")
        # Another file in its place is looked at anew; what is known is not said again.
        other = Path(shutil.copy(database, tmp_path / "other.db"))
        await asyncio.to_thread(other.replace, database)
        await until(explorer, lambda: "was replaced" in explorer.said)
        await explorer.settle()
        assert explorer.said.count("network file system") == 1


@pytest.mark.thorough
async def test_of_a_disk_of_this_machine_nothing_is_said(database: Path, tmp_path: Path) -> None:
    browsing = partial(SQLiteRunBrowser, mounts=mounted(tmp_path, "ext4"))
    async with exploring(database, browsing=browsing) as explorer:
        assert "network" not in explorer.text
        assert explorer.said == ""
