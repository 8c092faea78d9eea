"""How soon a commit is on the screen, and how keys answer while commits keep coming."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import ceil
from pathlib import Path
from typing import Final

from tests.benchmarks.harness import Terminal
from tests.benchmarks.report import Row
from tests.benchmarks.setting import ZEROTH_TUI, Setting
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui.screens.pace import Pace

WRITER: Final = Path(__file__).parents[1] / "busy_writer.py"
COMMITS_A_SECOND: Final = 500
TIMES: Final = 40
KEYS: Final = 100
POLL: Final = 0.1
"""What most tools that watch a database do: ask it ten times a second."""

QUIET: Final = 0.3
"""Seconds without output after which the screen stands."""

DOWN, UP = "\x1b[B", "\x1b[A"


def rows(setting: Setting) -> Iterator[Row]:
    """Measure on copies of the small database, to which somebody else writes."""
    path = setting.home / "live.db"
    shutil.copy(setting.database, path)
    seen, polled = asyncio.run(_noticing(path))
    yield _ratio("a commit is seen, p95 vs a 100 ms poll", 0.25, seen, polled, 95)
    commits, keys = _at_rest(setting, path)
    yield _ratio("a commit is on the screen, p95 vs a key", 6, commits, keys, 95)
    target = f"key p99 under {COMMITS_A_SECOND} commits a second vs at rest"
    yield _ratio(target, 4, _under_load(setting, path), keys, 99)


async def _noticing(path: Path) -> tuple[list[float], list[float]]:
    """Return after how many milliseconds commits are noticed, by events and by a poll."""
    moments = random.Random(7)  # noqa: S311 - the same moments each time
    async with SQLiteRunBrowser(path) as browser:
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            times: tuple[list[float], list[float]] = [], []
            for _ in range(TIMES):
                for found, wait in zip(times, (_by_events, _by_poll), strict=True):
                    before = await browser.version()
                    waiting = asyncio.create_task(wait(browser, before))
                    await asyncio.sleep(moments.uniform(0.1, 0.3))
                    writer.execute("UPDATE runs SET updated_at = updated_at")
                    began = time.monotonic()
                    await waiting
                    found.append(_since(began))
            return times


async def _by_events(browser: SQLiteRunBrowser, before: object) -> None:
    pace = Pace()
    while await browser.version() == before:
        await asyncio.sleep(pace.rest)
        pace.after_nothing(woken=await browser.stirred(pace.wait))


async def _by_poll(browser: SQLiteRunBrowser, before: object) -> None:
    while await browser.version() == before:  # noqa: ASYNC110 - to be compared with
        await asyncio.sleep(POLL)


def _at_rest(setting: Setting, path: Path) -> tuple[list[float], list[float]]:
    """Return after how many milliseconds a commit is painted, and a key, by turns."""
    commits, keys = [], []
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as writer,
        Terminal([ZEROTH_TUI, path], setting.home) as terminal,
    ):
        _show_oldest_first(terminal)
        for number in range(TIMES):
            name = f"graph-{number:03}"
            terminal.settle(quiet=QUIET)
            began = time.monotonic()
            writer.execute("UPDATE runs SET graph_version_ref = ?", (name,))
            terminal.wait_for(name)
            commits.append(_since(began))
            terminal.settle(quiet=QUIET)
            keys.append(_step(terminal, number))
    return commits, keys


def _under_load(setting: Setting, path: Path) -> list[float]:
    """Return the same of keys, in a list at whose end runs are added and changed all the time."""
    with _writing(path), Terminal([ZEROTH_TUI, path], setting.home) as terminal:
        _show_oldest_first(terminal)
        return [_step(terminal, number) for number in range(KEYS)]


def _show_oldest_first(terminal: Terminal) -> None:
    terminal.wait_for("Timeline")
    for key, shown in (("t", "newest first"), ("s", "created ↑"), ("g", " 1 of ")):
        terminal.press(key)
        terminal.wait_for(shown)


def _step(terminal: Terminal, number: int) -> float:
    """Move the cursor down, or up again, and return when that is painted."""
    key, place = (DOWN, " 2 of ") if number % 2 == 0 else (UP, " 1 of ")
    began = time.monotonic()
    terminal.press(key)
    terminal.wait_for(place)
    return _since(began)


def _since(began: float) -> float:
    return (time.monotonic() - began) * 1_000


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Let another process commit meanwhile."""
    command = [sys.executable, str(WRITER), str(path), str(COMMITS_A_SECOND)]
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _ratio(target: str, bound: float, ours: list[float], other: list[float], percent: int) -> Row:
    high = _high(ours, percent), _high(other, percent)
    return Row(
        target=target,
        bound=bound,
        unit="x",
        measured=high[0] / high[1],
        detail=f"{high[0]:.1f} ms, {high[1]:.1f} ms",
    )


def _high(times: list[float], percent: int) -> float:
    """Return the nearest-rank percentile."""
    return sorted(times)[ceil(len(times) * percent / 100) - 1]
