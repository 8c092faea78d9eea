"""The explorer as a person uses it: keys in, text of the screen out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.harness import NARROW, WIDE, exploring
from tests.tui.sample import run_id
from zeroth_tui.screens.act_dialog import ActDialog


def rows(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    """Return what plain SQL finds."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, values).fetchall()


async def test_starts_on_the_newest_run_of_the_newest_thread(database: Path) -> None:
    async with exploring(database) as explorer:
        assert "nightly-report@2  a03e5d00  ○ PENDING" in explorer.text
        assert "own rev 0001  8 runs" in explorer.text
        assert "Not started yet: no node has run." in explorer.text


async def test_threads_unfold_to_their_runs_and_children(database: Path) -> None:
    async with exploring(database) as explorer:
        # nightly, its two runs, why one of them is stuck, press, and then order-1
        await explorer.press("g", *["down"] * 5, "enter")
        lines = explorer.text.splitlines()
        parent = next(at for at, line in enumerate(lines) if "37ed6f" in line)
        # The child hangs right under its parent, deeper by one step.
        assert "29749b" in lines[parent + 1]
        assert lines[parent + 1].index("29749b") == lines[parent].index("37ed6f") + 2


async def test_a_thread_says_what_it_holds_and_where_steps_are_to_be_seen(database: Path) -> None:
    async with exploring(database, size=NARROW) as explorer:
        await explorer.press("g")
        assert "thread nightly" in explorer.text
        assert "Choose a run to see its steps here." in explorer.text


async def test_a_failed_run_opens_on_its_failure(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.press("t", "t")
        assert "✖ 81bc02" in explorer.text
        assert "classify: node_execution_failed" in explorer.text
        assert "[Failure]" in explorer.text
        # Shown character by character as stored, brackets and all.
        assert "no answer in 3s [/] [red]not markup[/red]" in explorer.text
        assert "support.errors.ModelTimeout: no answer in 3s" in explorer.text


@pytest.mark.thorough
async def test_digits_open_the_tabs(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a")
        await explorer.press("2")
        assert "[Conditions]" in explorer.text
        assert "score >= 0.8" in explorer.text
        await explorer.press("3")
        assert '"logistics"' in explorer.text
        await explorer.press("4")
        assert "[Checkpoints]" in explorer.text
        await explorer.press("6")
        assert "graph_version_ref" in explorer.text
        await explorer.press("1")
        assert "classify" in explorer.text


async def test_a_visit_limit_reads_as_not_taken(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("a70e85", "2")
        taken = [line for line in explorer.text.splitlines() if "visit limit" in line]
        # Three decisions, all matched; only the third met the limit.
        assert len(taken) == 1
        assert "not taken" in taken[0]


async def test_secrets_are_masked_until_revealed(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a", "3", "right", "right", "right")
        assert "[Run output]" in explorer.text
        assert "api_key" in explorer.text
        assert "sk-live-123" not in explorer.text


async def test_the_filter_finds_by_any_part_and_escape_ends_it(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("refine")
        assert "a70e85" in explorer.text
        assert "81bc02" not in explorer.text
        await explorer.press("escape")
        assert "support-4411" in explorer.text


async def test_the_selected_step_is_the_same_in_all_panes(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a", "1", "g", "down", "3")
        assert "classify  completed" in explorer.text
        await explorer.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        # Twice would do: the first step stays selected at the end of the line.
        assert "ingest  completed" in explorer.text


async def test_a_transition_is_asked_for_and_read_back(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("x")
        assert isinstance(explorer.app.screen, ActDialog)
        assert run_id("a03e5d") in explorer.text
        await explorer.press("1")
        assert "PENDING  ->  ▶ RUNNING" in explorer.text
        await explorer.press("y")
        assert "PENDING -> RUNNING, read back" in explorer.said
    found = rows(database, "SELECT status FROM runs WHERE run_id = ?", run_id("a03e5d"))
    assert found == [("RUNNING",)]


async def test_enter_and_escape_change_nothing(database: Path) -> None:
    async with exploring(database) as explorer:
        before = rows(database, "SELECT * FROM runs")
        await explorer.press("x", "1", "enter", "escape")
        await explorer.press("x", "5", "escape", "escape")
        assert not isinstance(explorer.app.screen, ActDialog)
        assert rows(database, "SELECT * FROM runs") == before


async def test_somebody_faster_is_told(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("x", "1")
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("UPDATE runs SET status = 'FAILED' WHERE run_id = ?", (run_id("a03e5d"),))
        await explorer.press("y")
        assert "changed to FAILED by another writer, nothing done" in explorer.said
    found = rows(database, "SELECT status FROM runs WHERE run_id = ?", run_id("a03e5d"))
    assert found == [("FAILED",)]


@pytest.mark.thorough
async def test_what_was_done_is_in_the_journal_and_can_be_undone(
    database: Path, tmp_path: Path
) -> None:
    async with exploring(database, journal=tmp_path / "journal.jsonl") as explorer:
        await explorer.press("x", "5")
        await explorer.pilot.press("tab")
        await explorer.press("escape", "escape")
        await explorer.filter("d50ebd")
        await explorer.press("enter", "x", "1", "y")  # WAITING_APPROVAL -> PENDING
        assert "WAITING_APPROVAL -> PENDING, read back" in explorer.said
        await explorer.press("at")
        assert "WAITING_APPROVAL" in explorer.text
        assert run_id("d50ebd") in explorer.text
        await explorer.press("z")
        # The table has no way back from PENDING to WAITING_APPROVAL.
        found = rows(database, "SELECT status FROM runs WHERE run_id = ?", run_id("d50ebd"))
        assert found == [("PENDING",)]


async def test_marked_runs_are_acted_on_together(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "g", "space", "space", "x")
        assert "2 runs" in explorer.text
        await explorer.press("escape")
        assert "2 marked" in explorer.text


async def test_c_writes_a_checkpoint_of_its_own(database: Path) -> None:
    count = "SELECT count(*) FROM run_checkpoints WHERE run_id = ?"
    async with exploring(database) as explorer:
        before = rows(database, count, run_id("a03e5d"))
        await explorer.press("c", "y")
        assert "checkpoint" in explorer.said
        assert before == [(1,)]
        assert rows(database, count, run_id("a03e5d")) == [(2,)]


async def test_read_only_offers_nothing_that_writes(database: Path) -> None:
    async with exploring(database, read_only=True) as explorer:
        before = rows(database, "SELECT * FROM runs")
        assert "READ-ONLY" in explorer.text
        assert "Actions" not in explorer.text
        await explorer.press("x", "c", "y")
        assert not isinstance(explorer.app.screen, ActDialog)
        assert rows(database, "SELECT * FROM runs") == before


async def test_a_finished_run_cannot_be_changed(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("7f3a")
        await explorer.press("enter", "x")
        assert "COMPLETED is final" in explorer.text
        await explorer.press("1", "y", "escape", "escape")
    found = rows(database, "SELECT status FROM runs WHERE run_id = ?", run_id("7f3a11"))
    assert found == [("COMPLETED",)]


async def test_fits_a_small_terminal(database: Path) -> None:
    async with exploring(database, size=NARROW) as explorer:
        lines = explorer.text.splitlines()
        assert len(lines) == 24
        assert "Open" in lines[-1]
        assert "Quit" in lines[-1]


async def test_any_size_is_survived(database: Path) -> None:
    async with exploring(database) as explorer:
        for size in ((200, 60), (80, 24), (40, 10), (20, 5), (5, 3), (1, 1), (120, 40)):
            await explorer.pilot.resize_terminal(*size)
            await explorer.settle()
        assert "nightly-report@2" in explorer.text


async def test_the_filter_speaks_the_grammar_and_keeps_the_last_good_result(
    database: Path,
) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("status:failed,waiting")
        await explorer.press("enter")
        assert "Runs, newest first, filtered" in explorer.text
        assert " of 2 ─" in explorer.text
        await explorer.filter(" -bogus:x")
        assert "There is no key bogus:" in explorer.text
        assert " of 2 ─" in explorer.text


async def test_sorting_goes_through_the_columns_and_names_the_order(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("s")
        assert "Runs, newest first" in explorer.text
        await explorer.press("s", "s", "s", "s", "s", "s")
        # created, its turn, started, its turn, updated, its turn, then:
        assert "Runs, duration ↓" in explorer.text
        await explorer.press("g")
        first = next(line for line in explorer.text.splitlines() if "COMPLETED" in line)
        # Of the finished runs the refine loop took longest: 6 seconds.
        assert "a70e85" in first


@pytest.mark.thorough
async def test_any_position_of_a_long_list_is_one_key_away(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        rest = ", ".join(name for name in names if name not in {"run_id", "started_at"})
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
            f" INSERT INTO runs (run_id, started_at, {rest})"
            " SELECT printf('many-%04d', i), '2026-02-01T00:00:00+00:00', "
            f"{rest} FROM n, (SELECT * FROM runs WHERE run_id = ?)",
            (run_id("7f3a11"),),
        )
    async with exploring(database) as explorer:
        await explorer.press("t")
        # The cursor stays on its run, the last of the sample: 1,500 newer ones are above it.
        assert "1,501 of 1,508" in explorer.text
        await explorer.press("g")
        assert "1 of 1,508" in explorer.text
        assert "many-1500" in explorer.text
        await explorer.press("G")
        # The oldest run of the sample was written first, so it is the last of the list.
        assert "1,508 of 1,508" in explorer.text
        assert "7f3a11" in explorer.text
        await explorer.press("pageup", "g")
        assert "1 of 1,508" in explorer.text
        assert "many-1500" in explorer.text
