"""Runs whose rowids are the smallest and the largest there can be are found like all others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository
from zeroth_store.browse import RunKey, ThreadKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.tables import FIRST, LAST

THREAD = ThreadKey("default", "null", "t-1")
RUNS = ("low", "middle", "high")


@pytest.fixture(params=["own", *ERAS])
async def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a database with a thread of three runs."""
    made = tmp_path / "far.db"
    if request.param == "own":
        async with AsyncSQLiteDatabase(made) as database:
            repository = RunRepository(database)
            await repository.initialize()
            for name in RUNS:
                await repository.create(Run(run_id=name, graph_version_ref="g@1", thread_id="t-1"))
    else:
        with Guest(made, request.param) as guest:
            guest.thread("t-1", RUNS)
            for name in RUNS:
                guest.run(name, thread_id="t-1", metadata="{}")
    return made


@pytest.mark.parametrize("far", [{"low": FIRST}, {"high": LAST}, {"low": FIRST, "high": LAST}])
@pytest.mark.parametrize("indexed", [False, True])
async def test_a_thread_has_them(path: Path, far: dict[str, int], indexed: bool) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, rowid in far.items():
            connection.execute("UPDATE runs SET rowid = ? WHERE run_id = ?", (rowid, name))
    async with SQLiteRunBrowser(path) as browser:
        if indexed:
            await browser.keep_index()
        runs = await browser.thread_runs(THREAD)
        newest = await browser.thread_runs(THREAD, limit=1)
        held = (await browser.roll_up((THREAD,)))[THREAD]
        loose = await browser.loose_runs()
        related = await browser.related(RunKey("default", "null", "high"))
        counts = await browser.counts()
    assert sum(number for _, number in counts) == len(RUNS)
    assert [run.key.run_id for run in runs] == list(RUNS)
    assert [run.key.run_id for run in newest] == ["high"]
    assert held.total == len(RUNS)
    assert loose == related.children == ()
