"""Draws the pictures that the README shows: `python -m tests.tui.screenshots`, always the same."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.tui.harness import exploring
from tests.tui.sample import NOW
from zeroth_store import AsyncSQLiteDatabase
from zeroth_tui.demo.player import seed_history
from zeroth_tui.demo.store import DemoStore

FOLDER = Path(__file__).parents[2] / "screenshots"
SIZE = (120, 32)
PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "timeline": ("refund-desk", ("1",)),
    "conditions": ("release-notes", ("2",)),
    "state": ("invoice-batch", ("3", "right")),
    "failure": ("contract-analyst", ("5",)),
    "graph": ("release-notes", ("7",)),
}
"""Name of the picture -> what to find, and the keys to press on the first run found."""


async def draw(folder: Path) -> None:
    """Write every picture into `folder`."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "demo.db"
        async with AsyncSQLiteDatabase(path) as database:
            store = DemoStore(database, seed=1)
            await store.initialize()
            await seed_history(store, NOW)
        for name, (text, keys) in PICTURES.items():
            async with exploring(path, size=SIZE, now=NOW) as explorer:
                await explorer.open_run(text, *keys)
                (folder / f"{name}.svg").write_text(explorer.svg, encoding="utf-8")
        async with exploring(path, size=SIZE, now=NOW) as explorer:
            await explorer.press("t", "g")
            (folder / "runs.svg").write_text(explorer.svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw(FOLDER))
