"""A browser that counts what the screen asks it, for tests of how often that happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from tests.tui.harness import Explorer
from tests.tui.writer import until
from zeroth_store import SQLiteRunBrowser
from zeroth_store.browse import RunKey, Version
from zeroth_store.encryption import EncryptionKey
from zeroth_store.overview import Overview, OverviewQuery
from zeroth_store.run_detail import RunDetail


class CountingBrowser(SQLiteRunBrowser):
    """Reads as ever."""

    def __init__(
        self, path: Path, *, secret: EncryptionKey | None, clock: Callable[[], datetime]
    ) -> None:
        super().__init__(path, secret=secret, clock=clock)
        self.asked: Counter[str] = Counter()
        self.versions: list[Version] = []

    async def run(self, key: RunKey) -> RunDetail | None:
        self.asked[key.run_id] += 1
        return await super().run(key)

    async def overview(self, query: OverviewQuery) -> Overview:
        self.asked["overview"] += 1
        return await super().overview(query)

    async def version(self) -> Version:
        found = await super().version()
        self.versions.append(found)
        return found


def browser_of(explorer: Explorer) -> CountingBrowser:
    """Return the browser of an explorer that was opened with a counting one."""
    browser = explorer.app._browser
    assert isinstance(browser, CountingBrowser)
    return browser


async def taken_in(explorer: Explorer) -> None:
    """Wait until the screen has seen the commit that was made last, and has done with it.

    It asks for a version again only when it has.
    """
    browser = browser_of(explorer)
    last = await SQLiteRunBrowser.version(browser)
    await until(explorer, lambda: browser.versions[-2:] == [last, last])
