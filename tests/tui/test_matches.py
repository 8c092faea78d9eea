"""Acting on all runs that match a filter: counted when it is asked, and then those alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.branching import ask, run_row, select, until, words
from tests.tui.harness import WIDE, Explorer, exploring
from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, RunStatus

pytestmark = pytest.mark.thorough


async def fill(path: Path, number: int, first: int = 0) -> None:
    """Add PENDING runs of graph bulk@1."""
    async with AsyncSQLiteDatabase(path) as database:
        runs = RunRepository(database)
        await runs.initialize()
        for at in range(first, first + number):
            await runs.create(Run(run_id=f"bulk-{at:04}", thread_id="b", graph_id="bulk@1"))


def statuses(path: Path) -> list[tuple[str, int]]:
    """Return how many runs of bulk@1 have each status."""
    sql = """SELECT status, count(*) AS runs FROM runs WHERE graph_version_ref = 'bulk@1'
     GROUP BY status ORDER BY status"""
    return [(row["status"], row["runs"]) for row in select(path, sql)]


def elsewhere(path: Path) -> list[dict[str, object]]:
    """Return every other run."""
    return select(path, "SELECT * FROM runs WHERE graph_version_ref != 'bulk@1' ORDER BY rowid")


async def fail_all(explorer: Explorer, said: str) -> None:
    """Ask what to do to all that match, and choose Move to FAILED."""
    shown = await ask(explorer, "X", said)
    # The sample has runs of every status, yet these are PENDING: RUNNING and FAILED are open.
    number = shown.split(" Move to ✖ FAILED")[0].split()[-1]
    await explorer.press(number)
    await until(explorer, "note" if "reason" not in words(explorer) else "reason")


async def test_all_that_match_are_acted_on_and_no_other(database: Path) -> None:
    await fill(database, 12)
    before = elsewhere(database)
    async with exploring(database, size=WIDE) as explorer:
        await explorer.filter("graph:bulk")
        await explorer.press("enter")
        await fail_all(explorer, "What to do to all 12 runs that match")
        await fill(database, 1, first=12)  # comes too late
        await explorer.press("y")
        assert "More than 10 runs: type 12 to confirm" in words(explorer)
        explorer.app.screen.query_one("#act-count").focus()
        await explorer.press("1", "2", "enter")
        await ask(explorer, "y", "12 written, 0 not")
    assert statuses(database) == [("FAILED", 12), ("PENDING", 1)]
    assert elsewhere(database) == before


async def test_a_run_that_changed_meanwhile_is_left_alone_and_said(database: Path) -> None:
    await fill(database, 3)
    async with exploring(database, size=WIDE) as explorer:
        await explorer.filter("graph:bulk")
        await explorer.press("enter")
        await fail_all(explorer, "What to do to all 3 runs that match")
        async with AsyncSQLiteDatabase(database) as other:
            runs = RunRepository(other)
            await runs.initialize()
            await runs.transition("bulk-0001", RunStatus.RUNNING)
        await ask(explorer, "y", "2 written, 1 not")
        assert "changed to RUNNING by another writer, nothing done" in words(explorer)
    assert statuses(database) == [("FAILED", 2), ("RUNNING", 1)]


async def test_there_is_a_most_which_is_said(database: Path) -> None:
    await fill(database, 1)
    copied = ", ".join(name for name in run_row(database, "bulk-0000") if name != "run_id")
    numbers = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1004)"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            f"{numbers} INSERT INTO runs (run_id, {copied})"
            f" SELECT 'copy-' || i, {copied} FROM runs, n WHERE run_id = 'bulk-0000'"
        )
    async with exploring(database, size=WIDE) as explorer:
        await explorer.filter("graph:bulk")
        await explorer.press("enter")
        shown = await ask(explorer, "X", "What to do to the first 1,000 of 1,005 runs that match")
        assert "FAILED 1,000 of 1,000" in shown


async def test_failures_match_by_being_failures(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.press("t", "t")
        await ask(explorer, "X", "What to do to the one run that matches")


async def test_a_search_through_payloads_gives_what_it_has_found(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.filter("in:output draft")
        await explorer.press("enter")
        found = select(
            database,
            "SELECT run_id FROM runs WHERE execution_history LIKE '%draft %'"
            " OR final_output LIKE '%draft %' OR execution_history LIKE '%Draft %'",
        )
        await ask(explorer, "X", f"What to do to all {len(found)} runs that were found")


async def test_without_a_filter_it_says_what_is_missing(database: Path) -> None:
    async with exploring(database) as explorer:
        await ask(explorer, "X", "X acts on all runs that match a filter")
        await explorer.filter("no such run")
        await explorer.press("enter")
        await ask(explorer, "X", "No run matches")
