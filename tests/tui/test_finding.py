"""Finding runs in the explorer: marks, views, sorting by a click, searching, coming back."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from tests.tui.harness import MIDDLE, WIDE, Explorer, exploring
from tests.tui.sample import run_id
from tests.tui.writer import writing
from zeroth_store.browse import OrderBy, RunOrder
from zeroth_tui.commands.explore import MODES, SORTS
from zeroth_tui.screens.opening import Opening
from zeroth_tui.views.named_views import Mode, NamedView


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql, values)


def add(path: Path, number: int) -> None:
    """Add newer copies of the sample's first run: `new-01`, `new-02` and so on."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        rest = ", ".join(name for name in names if name != "run_id")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
            f" INSERT INTO runs (run_id, {rest})"
            " SELECT printf('new-%02d', i + (SELECT count(*) FROM runs)), "
            f"{rest} FROM n, (SELECT * FROM runs WHERE run_id = ?)",
            (number, run_id("7f3a11")),
        )


def at_cursor(explorer: Explorer) -> object:
    return explorer.app.screen.query_one("RunTree").item  # type: ignore[attr-defined]


async def test_marked_runs_are_counted_copied_and_let_go(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "g", "space", "space")
        assert "2 marked" in explorer.text
        assert explorer.text.count("●") == 2
        await explorer.press("y")
        newest = [run_id("a03e5d"), run_id("f28d28")]
        assert explorer.app.clipboard.split("\n") == newest
        await explorer.press("t", "t")
        assert "2 marked" in explorer.text  # in whatever list
        await explorer.press("escape")
        assert "marked" not in explorer.text
        assert "●" not in explorer.text


async def test_a_run_that_is_gone_stays_until_the_cursor_leaves_it(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "g", "down", "down")
        assert "d50ebd" in explorer.text
        change(database, "DELETE FROM runs WHERE run_id = ?", run_id("d50ebd"))
        await explorer.press("r")
        assert "d50ebd00 is not in this list" in explorer.text
        assert at_cursor(explorer) == ("default", "null", run_id("d50ebd"))
        await explorer.press("down")
        assert "is not in this list" not in explorer.text
        # The next run of the list is under the cursor, not the one after it.
        assert at_cursor(explorer) == ("default", "null", run_id("29749b"))


async def test_rows_that_arrive_above_are_counted_and_push_nothing_away(database: Path) -> None:
    add(database, 60)
    async with exploring(database) as explorer:
        await explorer.press("t", "g", *["pagedown"] * 2)
        before, held = explorer.text, at_cursor(explorer)
        add(database, 3)
        await explorer.press("r")
        assert "↑ 3 new" in explorer.text
        assert at_cursor(explorer) == held

        def rows(text: str) -> list[str]:
            return [line.split("││")[0].rstrip("█│ ") for line in text.splitlines()[3:-2]]

        assert rows(explorer.text) == rows(before)
        await explorer.press("g")
        assert "new" not in explorer.text.splitlines()[-2]


async def test_at_the_top_new_runs_are_seen_and_the_cursor_keeps_its_run(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "g")
        held = at_cursor(explorer)
        add(database, 2)
        await explorer.press("r")
        assert at_cursor(explorer) == held
        assert "3 of 10" in explorer.text
        assert "new-10" in explorer.text  # 8 runs before, so the second new one is the tenth


async def test_a_click_on_a_heading_sorts_and_another_turns_it_round(database: Path) -> None:
    async with exploring(database, size=MIDDLE) as explorer:
        await explorer.press("t")
        heading = explorer.text.splitlines()[2]
        x = heading.index("took") - 1
        await explorer.pilot.click("#columns", offset=(x, 0))
        await explorer.settle()
        assert "Runs, duration ↓" in explorer.text
        assert "took↓" in explorer.text
        await explorer.pilot.click("#columns", offset=(x, 0))
        await explorer.settle()
        assert "Runs, duration ↑" in explorer.text


async def test_views_show_named_lists_with_their_counts(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("v")
        counted = next(line for line in explorer.text.splitlines() if "Failed 24 h" in line)
        assert " 1 " in counted
        await explorer.press("3")
        assert "Failures, newest first, filtered" in explorer.text
        assert "filter: is:failed since:1d" in explorer.text
        assert "1 of 1" in explorer.text
        await explorer.press("v", "5")
        assert "Runs, duration ↓" in explorer.text
        assert "filtered" not in explorer.text


async def test_an_empty_list_says_why_and_what_to_do(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("nothing-of-this-name")
        await explorer.press("enter")
        assert "no run matches: esc clears the filter" in explorer.text
        assert "No run is chosen." in explorer.text
        assert "0 of 8" in explorer.text


async def test_words_in_payloads_are_found_where_they_are(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.filter("in:output logistics")
        assert "searched 8 of 8, 1 hit" in explorer.text
        assert "1 of 1" in explorer.text
        assert "[State]" in explorer.text
        assert '"logistics"' in explorer.text
        assert "$.team" in explorer.text
        await explorer.filter(" -graph:support")
        assert "searched 8 of 8, 0 hits" in explorer.text


async def test_the_command_line_opens_a_run_on_a_tab(database: Path) -> None:
    opening = Opening(run_id=run_id("7f3a11"), tab="state")
    async with exploring(database, opening=opening) as explorer:
        assert at_cursor(explorer) == ("default", "null", run_id("7f3a11"))
        assert "Threads & runs" in explorer.text
        assert "[State]" in explorer.text


async def test_a_run_opens_in_a_filtered_list_too(database: Path) -> None:
    view = NamedView("", "status:completed", RunOrder("duration"), "runs")
    opening = Opening(view=view, run_id=run_id("7f3a11"))
    async with exploring(database, opening=opening) as explorer:
        assert at_cursor(explorer) == ("default", "null", run_id("7f3a11"))
        assert "Runs, duration ↓, filtered" in explorer.text
    elsewhere = Opening(view=view, run_id=run_id("81bc02"))
    async with exploring(database, opening=elsewhere) as explorer:
        # The filter leaves the failed run out, so the filter ends and the run is shown.
        assert at_cursor(explorer) == ("default", "null", run_id("81bc02"))
        assert "filtered" not in explorer.text


async def test_a_run_left_behind_does_not_open(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("g")
        # Faster than runs open: down to a run, and up to the thread again.
        await explorer.pilot.press("down", "up")
        await explorer.settle()
        assert "thread nightly" in explorer.text
        await explorer.press("x")
        assert "What to do" not in explorer.text


async def test_the_list_after_a_search_is_another_list(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("in:output logistics")
        await explorer.press("enter", "escape")
        assert "Threads & runs" in explorer.text
        assert "is not in this list" not in explorer.text


async def test_a_run_that_is_not_there_is_said(database: Path) -> None:
    async with exploring(database, opening=Opening(run_id="nobody")) as explorer:
        assert "No run has an id that begins with nobody" in explorer.said
        assert "nightly" in explorer.text


async def test_the_copied_command_opens_the_same_view(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("status:failed,completed")
        await explorer.press("enter", "s", "s", "Y")
        words = shlex.split(explorer.app.clipboard)
        assert words == [
            "zeroth-tui", "runs.db", "--filter", "status:failed,completed", "--sort", "started",
            "--mode", "threads",
        ]  # fmt: skip
    view = NamedView("", "status:failed,completed", RunOrder("started"), "threads")
    async with exploring(database, opening=Opening(view=view)) as explorer:
        assert "Runs, started ↓, filtered" in explorer.text


def test_the_command_line_sorts_by_what_lists_sort_by() -> None:
    assert get_args(OrderBy) == SORTS
    assert get_args(Mode) == MODES


@pytest.mark.parametrize("typed", ["graph:sup", "graph:SUPPORT"])
async def test_values_of_the_database_complete_what_is_typed(database: Path, typed: str) -> None:
    async with exploring(database) as explorer:
        await explorer.filter(typed)
        assert "support-triage@3" in explorer.text
        await explorer.press("tab")
        assert "support-triage@3" in explorer.app.screen.query_one("FilterBar").value  # type: ignore[attr-defined]


async def test_a_list_that_fits_the_screen_shows_what_a_filter_leaves_of_it(
    database: Path,
) -> None:
    with writing(database) as other:
        for number in range(5):  # thirteen with those of the sample
            other.add(f"more-{number}", run_id("7f3a11"), graph_version_ref="more@1")
    async with exploring(database) as explorer:
        # The cursor is on the first row, and no scroll bar comes or goes.
        await explorer.press("t")
        assert rows_of(explorer, "more@1") == 5
        await explorer.filter("more-2")
        assert "1 of 13" in explorer.text
        assert rows_of(explorer, "COMPLETED") == 1
        assert rows_of(explorer, "FAILED") == 0


def rows_of(explorer: Explorer, words: str) -> int:
    """Return how many rows of the list have these words."""
    width = explorer.app.screen.query_one("#left").size.width
    return sum(words in row[:width] for row in explorer.text.splitlines()[2:-1])
