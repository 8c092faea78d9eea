"""What is pictured: which run is opened, and the keys that lead to each scene."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.tui.harness import Explorer, exploring
from tests.tui.sample import NOW
from zeroth_store import AsyncSQLiteDatabase
from zeroth_tui.demo.player import seed_history
from zeroth_tui.demo.store import DemoStore


class Scene(NamedTuple):
    """One picture."""

    name: str
    keys: tuple[str, ...]
    """What is pressed once the run is open, or in the list where none is."""
    find: str = ""
    """What the filter line takes; the first run that it finds is opened."""


SCENES: Final = (
    Scene("list", ("j", "j", "l", "j")),
    Scene("runs", ("t", "g")),
    Scene("timeline", ("1",), "refund-desk"),
    Scene("conditions", ("2",), "release-notes"),
    Scene("state", ("3", "right"), "invoice-batch"),
    Scene("checkpoints", ("4",), "release-notes"),
    Scene("failure", ("5",), "contract-analyst"),
    Scene("graph", ("7",), "release-notes"),
    Scene("dialog", ("x", "enter"), "is:waiting"),
    Scene("overview", ("o", "plus", "plus")),
    Scene("time-machine", ("1", "ctrl+t", "right", "right", "right"), "release-notes"),
)

SIZES: Final = {"wide": (140, 36), "80x24": (80, 24)}
THEMES: Final = ("dark", "light")


@asynccontextmanager
async def demo() -> AsyncIterator[Path]:
    """Provide the database of a demo that has played for a while."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "demo.db"
        async with AsyncSQLiteDatabase(path) as database:
            store = DemoStore(database, seed=1)
            await store.initialize()
            await seed_history(store, NOW)
        yield path


@asynccontextmanager
async def showing(
    path: Path, scene: Scene, size: tuple[int, int], theme: str
) -> AsyncIterator[Explorer]:
    """Open the explorer on a scene."""
    async with exploring(path, size=size, now=NOW) as explorer:
        explorer.app.theme = theme
        await explorer.settle()
        if scene.find:
            await explorer.open_run(scene.find)
        await explorer.press(*scene.keys)
        yield explorer
