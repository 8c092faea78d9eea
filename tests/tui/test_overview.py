"""The overview in the real app: what it says, and what its figures lead to."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.tui.counting import CountingBrowser, browser_of
from tests.tui.harness import NARROW, WIDE, Explorer, exploring
from tests.tui.sample import NOW, run_id
from tests.tui.writer import until

LATER = NOW + timedelta(days=21)


def row(explorer: Explorer, words: str) -> str:
    """The only row on screen with these words, its blanks joined, without the scroll bar."""
    [found] = [line for line in explorer.text.splitlines() if words in line]
    return " ".join(found.rstrip("█│ ").split())


def opens(explorer: Explorer) -> str:
    """What enter opens, as the line above the keys says."""
    return explorer.text.splitlines()[-2].strip()


async def test_statuses_rates_and_who_needs_a_person(database: Path) -> None:
    async with exploring(database, size=NARROW) as explorer:
        await explorer.press("o")
        lines = explorer.text.splitlines()
        assert lines[0].split()[:6] == ["Overview", "runs.db", "the", "last", "15", "min"]
        # NOW is 10:05:00, so the time begins at 9:50 with a bar of its own: 31 bars.
        assert "since 2026-03-01 09:50:00 UTC, a bar is 30 s" in lines[1]
        started = row(explorer, "started")
        # Of the starts at 0, 60, 120, 150, 151.5, 200, 280 and 290 s two are in the bar from 150 s
        # on and two in that from 270 s on.
        assert "max 2 ▸8 32/h" in started
        assert row(explorer, "of these over") == "of these over 5 20/h"
        assert row(explorer, "✖ FAILED").endswith("max 1 1 of 5 over")
        assert "max 2 4" in row(explorer, "✔ COMPLETED")
        assert row(explorer, "Waiting for approval").endswith(" 1")
        assert row(explorer, "d50ebd").startswith("◷ d50ebd publish-approval@1 1m")
        assert "running without a lease" in row(explorer, "f28d28")


async def test_the_key_that_opens_a_figure_is_named_as_it_is_set(database: Path) -> None:
    async with exploring(database) as explorer:
        explorer.app.set_keymap({"list.open": "ctrl+o"})
        await explorer.press("o", "down", "down")
        assert opens(explorer).startswith("ctrl+o opens 1 run: status:FAILED")


async def test_a_figure_opens_exactly_its_runs_and_the_overview_comes_back(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("o", "down", "down")
        assert opens(explorer) == "enter opens 1 run: status:FAILED since:2026-03-01T09:50:00+00:00"
        await explorer.press("enter")
        assert "1 of 8" in explorer.text
        assert "81bc02" in explorer.text
        await explorer.press("o")
        assert "the last 15 min" in explorer.text


@pytest.mark.thorough
async def test_the_figures_are_read_once_while_nothing_changes(database: Path) -> None:
    async with exploring(database, browsing=CountingBrowser) as explorer:
        await explorer.press("o")
        browser = browser_of(explorer)
        asked = len(browser.versions)
        # The explorer and the overview ask for the version, the overview each second.
        await until(explorer, lambda: len(browser.versions) > asked + 4)
        assert browser.asked["overview"] == 1


@pytest.mark.thorough
async def test_a_run_that_did_not_fail_is_opened_from_the_list_of_failures(
    database: Path,
) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "t", "o", "tab", "down", "enter")
        assert "publish-approval@1  d50ebd00" in explorer.text
        assert "Threads & runs" in explorer.text


async def test_back_changes_nothing(database: Path) -> None:
    async with exploring(database) as explorer:
        before = explorer.text
        for key in ("escape", "o", "q"):
            await explorer.press("o", "down", key)
            assert explorer.text == before


async def test_more_time_and_less(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("o", "plus")
        assert "the last 1 h" in explorer.text
        # The hour begins at 9:04, the last full two minutes before 9:05.
        assert "since 2026-03-01 09:04:00 UTC, a bar is 2 min" in explorer.text
        await explorer.press("plus", "plus", "plus", "plus", "plus")
        assert "all time" in explorer.text
        await explorer.press("escape", "o")
        assert "all time" in explorer.text  # what was looked at last
        await explorer.press("minus")
        assert "the last 7 days" in explorer.text


async def test_an_old_database_offers_the_time_around_its_newest_run(database: Path) -> None:
    async with exploring(database, now=LATER) as explorer:
        await explorer.press("o")
        assert "Nothing started in this time: the newest run 21d ago" in explorer.text
        await explorer.press("n")
        assert "15 min up to the newest run" in explorer.text
        # The newest run started at 10:04:50.
        assert "since 2026-03-01 09:50:00 until 10:05:00 UTC" in explorer.text
        await explorer.press("n")
        assert "Nothing started in this time" in explorer.text
        await explorer.press("home", "down", "down", "down")
        assert opens(explorer) == "enter shows the time up to the newest run"
        await explorer.press("enter")
        assert "15 min up to the newest run" in explorer.text
        await explorer.press("home", "down", "enter")
        assert "8 of 8" in explorer.text


async def test_percentiles_are_not_claimed_of_a_few(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.press("o")
        graph = row(explorer, "support-triage@3")
        assert graph.split("support-triage@3")[1].split() == [
            "2",
            "1",
            "2",
            "n<20",
            "n<20",
            "$0.031",
        ]
        assert "No table node_audits here" in explorer.text


async def test_tab_goes_from_table_to_table_and_arrows_from_figure_to_figure(
    database: Path,
) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.press("o", "tab")
        assert opens(explorer) == "enter opens 1 run: status:WAITING_APPROVAL"
        await explorer.press("tab")
        assert opens(explorer) == "enter opens 1 run: is:stuck"
        await explorer.press("tab")  # on the right
        assert opens(explorer).startswith("enter opens 2 runs: graph:=nightly-report@2 since:")
        await explorer.press("down", "right")
        assert opens(explorer).startswith("enter opens 1 run: graph:=support-triage@3 is:failed")
        await explorer.press("left", "left")
        assert opens(explorer).startswith("enter opens 2 runs: graph:=support-triage@3 since:")
        await explorer.press("shift+tab")
        assert opens(explorer) == "enter opens 1 run: is:stuck"


async def test_a_run_that_waits_opens_itself(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("o", "tab", "down")
        assert opens(explorer) == f"enter opens the run {run_id('d50ebd')}"
        await explorer.press("enter")
        assert "publish-approval@1  d50ebd00" in explorer.text


async def test_what_is_committed_is_counted_without_a_key(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("o")
        assert row(explorer, "✖ FAILED").endswith("1 of 5 over")
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("UPDATE runs SET status = 'FAILED' WHERE status = 'RUNNING'")
        async with asyncio.timeout(20):
            while "2 of 6 over" not in row(explorer, "✖ FAILED"):
                await explorer.pilot.pause(0.05)


async def test_an_empty_database_says_what_will_fill_it(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        async with exploring(guest.path, size=NARROW) as explorer:
            await explorer.press("o", "tab", "enter", "right", "n", "plus")
            assert "This database holds no runs yet." in explorer.text
            assert "They are counted here as soon as they start." in explorer.text


async def test_a_visit_opens_its_run_unless_that_is_gone(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("here", started_at=NOW.isoformat(), updated_at=NOW.isoformat())
        for run, took in (("here", 5), ("gone", 2)):
            times = [(NOW - timedelta(seconds=second)).isoformat() for second in (9, 9 - took)]
            record = {"status": "completed", "started_at": times[0], "completed_at": times[1]}
            guest.audit(run, run, record, node_id=f"node-{run}")
        async with exploring(guest.path, size=WIDE) as explorer:
            await explorer.press("o", "shift+tab")
            assert "5.0s" in row(explorer, "node-here")
            assert opens(explorer) == "enter opens the run here"
            await explorer.press("enter")
            assert "g@1  here" in explorer.text
            await explorer.press("o", "shift+tab", "down", "enter")
            assert explorer.said == "Run gone is no longer in the database."


async def test_hostile_names_are_shown_as_stored(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        for name in ("[/] [red]x", "\x1b]52;c;eA==\x07", "\u202egpj"):
            guest.run(name, "WAITING_APPROVAL", graph_version_ref=name, started_at=NOW.isoformat())
            record = {"started_at": "2026-03-01T10:04:00Z", "completed_at": "2026-03-01T10:04:01Z"}
            guest.audit(name, name, record, node_id=name)
        async with exploring(guest.path, size=WIDE) as explorer:
            await explorer.press("o", *["tab"] * 3, "down", "down", "down")
            text = explorer.text
    assert "[/] [red]x" in text
    assert not set(text) & {"\x1b", "\x07", "\u202e"}


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(20, 6), (40, 10), (129, 24), (130, 24), (200, 60)])
async def test_any_size_of_the_screen(database: Path, size: tuple[int, int]) -> None:
    async with exploring(database, size=size) as explorer:
        await explorer.press("o", "tab", "tab", "tab", "right", "down", "G", "g")
        assert "Started" in explorer.text
        await explorer.press("escape")
        assert "Started" not in explorer.text
