"""An own database with runs to go back in, and plain SQL to see what became of them."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.tui import writer
from tests.tui.harness import Explorer
from tests.tui.sample import entry, run_id
from zeroth_store import AsyncSQLiteDatabase, RunFailureState, RunRepository, RunStatus

SOURCE = run_id("f28d28")
"""The run that failed after its second step; of thread nightly."""

NOTE = "a\u202eb\x1b[31m\u00e9"
"""A stored string that could act on a terminal."""


def words(explorer: Explorer) -> str:
    """Return what is on screen without frames and scroll bars, as one line."""
    return " ".join(re.sub("[│█▌]", " ", explorer.text).split())


async def until(explorer: Explorer, wanted: str) -> str:
    """Wait until the screen or a toast says something, and return what the screen says."""
    await writer.until(explorer, lambda: wanted in words(explorer) or wanted in explorer.said)
    await explorer.settle()
    return words(explorer)


async def ask(explorer: Explorer, key: str, wanted: str) -> str:
    """Press a key that asks something, and wait until the question is on screen."""
    await explorer.press(key)
    return await until(explorer, wanted)


async def fail_after_a_checkpoint(path: Path) -> str:
    """Let SOURCE, which is RUNNING with one step done, do another and fail.

    Returns the checkpoint that was saved before that.
    """
    async with AsyncSQLiteDatabase(path) as database:
        runs = RunRepository(database)
        await runs.initialize()
        kept = await runs.snapshot(SOURCE, expected_status=RunStatus.RUNNING)
        output = {"pages": 3, "note": NOTE, "token": "abcd"}
        step = entry("report", 288, output, input_snapshot={"rows": 120})
        await runs.record_history(SOURCE, step)
        failure = RunFailureState(reason="bad", message="boom")
        await runs.transition(SOURCE, RunStatus.FAILED, failure_state=failure)
    return kept


def select(path: Path, sql: str, *values: object) -> list[dict[str, Any]]:
    """Run a query on a connection of its own."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


def run_row(path: Path, one: str = SOURCE) -> dict[str, Any]:
    """Return a run's row."""
    [row] = select(path, "SELECT * FROM runs WHERE run_id = ?", one)
    return row


def others(path: Path, one: str) -> list[list[dict[str, Any]]]:
    """Return every run but one with every checkpoint but its own."""
    return [
        select(path, f"SELECT * FROM {table} WHERE run_id != ? ORDER BY rowid", one)
        for table in ("runs", "run_checkpoints")
    ]


def made_by_a_fork(path: Path) -> dict[str, Any]:
    """Return the row of the only run that was forked from another."""
    [row] = select(path, "SELECT * FROM runs WHERE metadata LIKE '%forked_from%'")
    return row


def lineage(row: dict[str, Any]) -> Any:
    """Return what a run says of where it was forked from."""
    return json.loads(row["metadata"])["forked_from"]
