"""What the overview of a million runs costs, beside counting them once by status."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from tests.benchmarks.harness import interleaved
from tests.benchmarks.million import database
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import Setting
from zeroth_store.overview import OverviewQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SHORT = OverviewQuery(at_newest=True)
"""The quarter of an hour up to the newest run, which most people look at."""

LONG = OverviewQuery(None)
"""All time, which is shortened to as many runs as are ever looked at."""


def rows(setting: Setting) -> Iterator[Row]:
    """Compare a quarter of an hour, and as many runs as are ever looked at, with a scan."""
    path = database()
    uri = f"{path.as_uri()}?immutable=1"
    with asyncio.Runner() as runner, closing(sqlite3.connect(uri, uri=True)) as plain:
        browser = SQLiteRunBrowser(path, index_folder=path.parent / "index", index_rest=0)
        runner.run(browser.open())
        try:
            runner.run(browser.keep_index())

            def ours(wanted: OverviewQuery) -> Callable[[], float]:
                return _cpu(lambda: runner.run(browser.overview(wanted)))

            scan = _cpu(
                lambda: plain.execute("SELECT +status, count(*) FROM runs GROUP BY 1").fetchall()
            )
            short = interleaved(ours(SHORT), scan, setting.rounds)
            yield ratio("overview of 15 minutes vs a scan", 0.1, short)
            yield ratio(
                "overview of all time vs a scan", 0.5, interleaved(ours(LONG), scan, setting.rounds)
            )
        finally:
            runner.run(browser.close())


def _cpu(work: Callable[[], object]) -> Callable[[], float]:
    """Return a function that does something and returns the CPU milliseconds of all threads."""

    def measured() -> float:
        before = time.process_time()
        work()
        return (time.process_time() - before) * 1_000

    return measured
