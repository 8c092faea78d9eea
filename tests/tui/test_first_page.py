"""The first page waits for nothing that grows with the database (temporalio/ui#873)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.tui.harness import exploring
from zeroth_store.browse import RunDetail, RunKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

PATIENCE = 20.0
"""Seconds after which a test that would wait for ever has failed."""


class LateBrowser(SQLiteRunBrowser):
    """Neither counts nor indexes before a run is opened, which one has to see in a list first."""

    opened: asyncio.Event
    waited: list[str]

    async def open(self) -> None:
        self.opened = asyncio.Event()
        self.waited = []
        await super().open()

    async def run(self, key: RunKey) -> RunDetail | None:
        self.opened.set()
        return await super().run(key)

    async def counts(self) -> tuple[tuple[str | None, int], ...]:
        await self._late("counts")
        return await super().counts()

    async def keep_index(self) -> None:
        await self._late("index")
        await super().keep_index()

    async def _late(self, what: str) -> None:
        await asyncio.wait_for(self.opened.wait(), PATIENCE)
        self.waited.append(what)


async def test_runs_are_listed_before_anything_is_counted(database: Path) -> None:
    made: list[LateBrowser] = []

    def browsing(*args: object, **kwargs: object) -> LateBrowser:
        made.append(LateBrowser(*args, **kwargs))  # type: ignore[arg-type]
        return made[0]

    async with exploring(database, browsing=browsing) as explorer:
        assert "a03e5d PENDING" in explorer.text
        assert "8 runs" in explorer.text.splitlines()[0]
    assert {"counts", "index"} <= set(made[0].waited)
