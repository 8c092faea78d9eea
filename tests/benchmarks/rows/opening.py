"""What opening a run of ten thousand steps costs, beside validating its history with Pydantic."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from tests.benchmarks.harness import interleaved
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import Setting, small_database
from zeroth_store.browse import RelatedRows, RunKey, RunQuery
from zeroth_store.models import RunHistoryEntry
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline_rows import late_timeline_rows

STEPS = 10_000
SIGHT = 40
"""How many rows of a timeline a terminal shows."""

WIDTH = 100
BEGAN = datetime(2026, 1, 1, 9, tzinfo=UTC)
NOW = BEGAN + timedelta(days=1)
NOTHING_ELSE = RelatedRows()


def rows(setting: Setting) -> Iterator[Row]:
    """Compare the way from the file to the last rows of the timeline with `validate_json`."""
    path = setting.home / "long.db"
    small_database(path, "long")
    text = _history()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        browser = SQLiteRunBrowser(path)
        runner.run(browser.open())
        try:
            key = runner.run(browser.runs(RunQuery(), limit=1)).rows[0].key
            _store(path, key, text)
            adapter = TypeAdapter(list[RunHistoryEntry])
            figures = interleaved(
                _cpu(lambda: _open(loop, browser, key)),
                _cpu(lambda: adapter.validate_json(text)),
                setting.rounds,
            )
            yield ratio("10,000 steps on screen vs validating", 0.15, figures)
        finally:
            runner.run(browser.close())


def _open(loop: asyncio.AbstractEventLoop, browser: SQLiteRunBrowser, key: RunKey) -> object:
    """Read a run, work out its steps and lay out the rows in sight around the last one.

    Not with `Runner.run`: it prints the task, result and all, to find out that it is no signal.
    """
    detail = loop.run_until_complete(browser.run(key))
    assert detail is not None
    found = steps(detail, NOTHING_ELSE, NOW)
    drawn = late_timeline_rows(detail, NOTHING_ELSE, found, WIDTH, NOW)
    assert len(drawn) >= STEPS
    for index in range(STEPS - SIGHT, STEPS):
        drawn.row(index, WIDTH)
    return drawn


def _history() -> str:
    """Return a loop of two nodes with payloads of a few fields, spelled as Zeroth does."""
    entries = [_entry(number) for number in range(STEPS)]
    return json.dumps(entries, sort_keys=True, separators=(",", ":"))


def _entry(number: int) -> dict[str, object]:
    ended = (BEGAN + timedelta(seconds=number, microseconds=408_987)).isoformat()
    payload = {
        "quality": number % 7 / 10,
        "round": number // 2,
        "step": 0.1,
        "text": f"draft {number}: " + "word " * 20,
        "topic": "loops",
    }
    return {
        "attempt": 1,
        "audit_ref": f"audit:{number + 1}",
        "completed_at": None,
        "cost_measurement": "estimated",
        "cost_usd": None,
        "estimated_cost_usd": 0.0001,
        "input_snapshot": payload,
        "node_id": ("draft", "critique")[number % 2],
        "output_snapshot": payload,
        "started_at": ended.replace("+00:00", "Z"),
        "status": "completed",
    }


def _store(path: Path, key: RunKey, text: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE runs SET execution_history = ?, metadata = ? WHERE run_id = ?",
            (text, '{"total_estimated_cost_usd":1.0}', key.run_id),
        )


def _cpu(work: Callable[[], object]) -> Callable[[], float]:
    """Return what measures the CPU milliseconds of all threads that making something takes.

    As on a screen, what was made last is kept until the next is there. It is made twice each time,
    because the other side of the comparison leaves the memory in another state.
    """
    kept: list[object] = []

    def measure() -> float:
        kept[:] = [work()]
        before = time.process_time()
        kept[:] = [work()]
        return (time.process_time() - before) * 1_000

    return measure
