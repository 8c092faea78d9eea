"""A thread of more runs than one statement finds, with the database's own indexes and without."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository
from zeroth_store.browse import ThreadKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

COPIES = 6_000
"""Every third of them has failed."""


async def long_thread(path: Path, *, index: bool) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        await repository.create(Run(graph_version_ref="g@1", thread_id="long"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TEMP TABLE template AS SELECT * FROM runs")
        for number in range(COPIES):
            status = "FAILED" if number % 3 == 0 else "COMPLETED"
            connection.execute(
                "UPDATE template SET run_id = ?, status = ?", (f"copy-{number:05}", status)
            )
            connection.execute("INSERT INTO runs SELECT * FROM template")
        if not index:
            connection.execute("DROP INDEX ix_runs_thread")


@pytest.mark.parametrize(
    ("kept", "index"),
    [
        (True, True),
        (False, False),
        pytest.param(True, False, marks=pytest.mark.thorough),
        pytest.param(False, True, marks=pytest.mark.thorough),
    ],
)
async def test_all_runs_of_a_long_thread_are_counted_and_the_newest_shown(
    tmp_path: Path, index: bool, kept: bool
) -> None:
    path = tmp_path / "long.db"
    await long_thread(path, index=index)
    thread = ThreadKey("default", "null", "long")
    async with SQLiteRunBrowser(path) as browser:
        if kept:
            await browser.keep_index()
        runs = await browser.thread_runs(thread, limit=7)
        held = (await browser.roll_up((thread,)))[thread]
        loose = await browser.loose_runs()
    newest = range(COPIES - 7, COPIES)
    assert [run.key.run_id for run in runs] == [f"copy-{number:05}" for number in newest]
    # 6,000 copies: 2,000 failed (0, 3, … 5,997), 4,000 completed; and the run they are made of.
    assert held.total == COPIES + 1
    assert dict(held.by_status) == {"COMPLETED": 4_000, "FAILED": 2_000, "PENDING": 1}
    assert loose == ()
