"""What reading costs at a million runs, beside what SQLite itself needs or would have needed."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

from tests.benchmarks.harness import interleaved
from tests.benchmarks.million import database
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import Setting
from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.lists.summaries import summary_columns
from zeroth_store.sqlite.tables import Table, runs_table

PAGE = 100
TIMES = 20
"""How often a short read is repeated to be measured once."""

ALL = RunQuery()


def rows(setting: Setting) -> Iterator[Row]:
    """Compare pages, threads and windows with bare statements on the same file."""
    path = database()
    with asyncio.Runner() as runner, closing(_plain(path)) as plain:
        browser = SQLiteRunBrowser(path, index_folder=path.parent / "index", index_rest=0)
        runner.run(browser.open())
        try:
            yield from _measured(setting, runner, browser, plain)
        finally:
            runner.run(browser.close())


def _measured(
    setting: Setting,
    runner: asyncio.Runner,
    browser: SQLiteRunBrowser,
    plain: sqlite3.Connection,
) -> Iterator[Row]:
    def ours(read: Callable[[], Awaitable[object]]) -> Callable[[], float]:
        async def often() -> None:
            for _ in range(TIMES):
                await read()

        return lambda: _cpu(lambda: runner.run(often())) / TIMES

    def theirs(sql: str, times: int = TIMES) -> Callable[[], float]:
        def often() -> None:
            for _ in range(times):
                plain.execute(sql).fetchall()

        return lambda: _cpu(often) / times

    rounds = setting.rounds
    newest = theirs(f"SELECT {_summary(plain)} FROM runs ORDER BY rowid DESC LIMIT {PAGE}")
    first = ours(lambda: browser.runs(ALL, limit=PAGE))
    yield ratio("first page vs the bare query", 1.5, interleaved(first, newest, rounds))
    thread = runner.run(browser.threads(limit=1)).rows[0].key
    scan = theirs(f"SELECT run_id FROM runs WHERE +thread_id = '{thread.thread_id}'", times=1)
    members = ours(lambda: browser.thread_runs(thread))
    yield ratio("runs of one thread vs a scan", 0.01, interleaved(members, scan, rounds))

    runner.run(browser.keep_index())
    middle = runner.run(browser.index_progress()).total // 2
    by_start = RunOrder("started")
    window = ours(lambda: browser.window(ALL, by_start, middle, PAGE))
    sort = theirs(f"SELECT rowid FROM runs ORDER BY started_at LIMIT {PAGE} OFFSET {middle}", 1)
    yield ratio("page at the middle vs sorting", 0.05, interleaved(window, sort, rounds))


def _plain(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)


def _summary(connection: sqlite3.Connection) -> str:
    runs: Table = runs_table(connection)
    return summary_columns(runs)


def _cpu(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds of all threads that doing something takes."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1_000
