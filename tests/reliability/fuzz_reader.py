"""A process that reads databases in every way the explorer does; ends at what takes too long.

Prints a line for each file that it has read, as JSON: its path, and `whole`, `in part` or a
traceback.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator, Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from zeroth_store.browse import RunKey, RunOrder, RunQuery
from zeroth_store.encryption import EncryptionKey
from zeroth_store.errors import StoreError
from zeroth_store.filters import Filter, parse
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.checkup.describe import describe
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_tui import check, info
from zeroth_tui.screens import reading
from zeroth_tui.views.checkpoints import checkpoint_rows
from zeroth_tui.views.conditions import condition_rows
from zeroth_tui.views.failure import failure_rows
from zeroth_tui.views.graph import graph_rows
from zeroth_tui.views.header import header_rows
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.raw import raw_rows
from zeroth_tui.views.timeline_rows import timeline_rows

T = TypeVar("T")

LIMIT = 5.0
"""Seconds that any one answer may take."""

KEY_LIMIT = 15.0
"""Seconds from a key to a screen that is at rest, which takes several answers."""

DRAWN = 12
"""Runs of which all tabs are laid out; every run is read whole by the check."""

NOW = datetime(2026, 12, 1, tzinfo=UTC)
SECRET = EncryptionKey("A" * 43 + "=", "the fuzzer")
FILTERS = (
    "status:failed node:plan",
    "since:1d duration:>1s",
    "is:stuck",
    "reason:x -graph:g",
    "in:any score",
)


def end_after(seconds: float) -> None:
    """End the process when this much time goes by without another call."""
    if sys.__stderr__ is not None:  # the explorer puts something else into its place
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)


class Reader:
    """Asks everything there is to ask, and counts what was refused."""

    def __init__(self) -> None:
        self.refused = 0

    async def ask(self, question: Awaitable[T]) -> T | None:
        """Wait for an answer; None where the store says why there is none."""
        end_after(LIMIT)
        try:
            return await question
        except StoreError:
            self.refused += 1
            return None
        finally:
            faulthandler.cancel_dump_traceback_later()

    async def read(self, path: Path, folder: Path) -> None:
        """Read a database as the explorer, `info` and `check` do."""
        if checkup := await self.ask(asyncio.to_thread(check_up, path, SECRET, seconds=0.5)):
            check.as_text(checkup)
            check.as_json(checkup)
        if facts := await self.ask(asyncio.to_thread(describe, path)):
            info.as_text(facts)
            info.as_json(facts)
        browser = SQLiteRunBrowser(path, index_folder=folder, index_rest=0, secret=SECRET)
        if await self.ask(self._opened(browser)) is None:
            return
        try:
            await self._lists(browser)
            keys = [key async for key in self._keys(browser)]
            for key in keys[:DRAWN]:
                await self._run(browser, key)
        finally:
            await self.ask(browser.close())

    async def _opened(self, browser: SQLiteRunBrowser) -> bool:
        await browser.open()
        return True

    async def _lists(self, browser: SQLiteRunBrowser) -> None:
        for question in (
            browser.identity(),
            browser.version(),
            browser.counts(),
            browser.loose_runs(),
            browser.keep_index(),
            browser.counts(),
            browser.loose_runs(),
        ):
            await self.ask(question)
        place = reading.Place(None, 0, False)
        for mode in ("threads", "runs", "failures"):
            await self.ask(reading.forest(browser, reading.Wanted(mode=mode), place))
        for text in FILTERS:
            wanted = parse(text, now=NOW)
            assert isinstance(wanted, Filter)
            query = RunQuery(filter=wanted)
            await self.ask(browser.window(query, RunOrder("duration"), 0, 50))
            await self.ask(browser.search(query))
        page = await self.ask(browser.threads())
        for thread in page.rows if page else ():
            await self.ask(browser.thread_runs(thread.key))

    async def _keys(self, browser: SQLiteRunBrowser) -> AsyncIterator[RunKey]:
        after: int | None = None
        while page := await self.ask(browser.runs(RunQuery(), after=after, limit=40)):
            for row in page.rows:
                yield row.key
            after = page.more
            if after is None:
                return

    async def _run(self, browser: SQLiteRunBrowser, key: RunKey) -> None:
        loaded = await self.ask(reading.run(browser, key, lambda: NOW))
        if loaded is None:
            return
        await self.ask(asyncio.to_thread(_draw, loaded))
        for checkpoint in loaded.checkpoints:
            await self.ask(browser.checkpoint_state(key, checkpoint.checkpoint_id))
            await self.ask(browser.run_as_of(key, checkpoint.checkpoint_id))
        await self.ask(
            browser.checkpoint_facts(key, tuple(c.checkpoint_id for c in loaded.checkpoints))
        )


def _draw(loaded: LoadedRun) -> None:
    """Lay out the tabs of a run."""
    run, related, steps = loaded.detail, loaded.related, loaded.steps
    header_rows(run, related, NOW, UTC, 80)
    timeline_rows(run, related, steps, 80, NOW)
    condition_rows(run, steps, 80)
    failure_rows(run, related, steps, 80, NOW, UTC)
    checkpoint_rows(loaded.checkpoints, NOW, UTC, 80)
    graph_rows(loaded.graph, run, steps, 80)
    raw_rows(run)


async def _explore(path: Path) -> None:
    """Walk through the explorer itself."""
    from tests.tui.harness import exploring  # which loads the screen

    end_after(KEY_LIMIT)
    try:
        async with exploring(path, size=(80, 24), now=NOW) as explorer:
            for key in ("enter", *"1234567", "escape", "t", "end", "t"):
                end_after(KEY_LIMIT)
                await explorer.press(key)
    except StoreError:
        pass
    finally:
        faulthandler.cancel_dump_traceback_later()


async def main() -> None:
    """Read each file that standard input names; those with a star are explored too."""
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin.read().splitlines():
            path = Path(line.removeprefix("*"))
            reader = Reader()
            ending = "whole"
            try:
                await reader.read(path, Path(folder))
                if line.startswith("*"):
                    await _explore(path)
                if reader.refused:
                    ending = "in part"
            except Exception:
                ending = traceback.format_exc()
            print(json.dumps([str(path), ending]), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
