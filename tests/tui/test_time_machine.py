"""The time machine in the real app: keys in, the screen as it was out."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.tui.harness import MIDDLE, NARROW, WIDE, exploring
from tests.tui.past_sample import NOW, bar, build, go_to_main, is_past, status, title, type_moment
from tests.tui.writer import until
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_tui.screens.time_machine import PLAY_SECONDS


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return build(tmp_path / "runs.db")


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.thorough)])
async def test_the_past_is_unmistakable_and_ends(database: Path, size: tuple[int, int]) -> None:
    async with exploring(database, size=size, now=NOW) as explorer:
        assert "PAST" not in explorer.text
        await go_to_main(explorer)
        assert "PAST" in bar(explorer)
        assert title(explorer).count("PAST") == 2
        assert "live" not in explorer.text.splitlines()[0]
        assert "ctrl+t: now" in bar(explorer)
        await explorer.press("ctrl+t")
        assert "PAST" not in explorer.text
        assert "live" in explorer.text.splitlines()[0]


async def test_event_by_event_the_run_shows_what_was_known(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        told = []
        for _ in range(7):
            said = re.search(r" (\S.*?) \((\d+) of (\d+)\)", bar(explorer))
            assert said is not None
            told.append((said[1], status(explorer)))
            await explorer.press("right")
        assert told == [
            ("the run started", "UNDER_WAY"),
            ("plan began", "RUNNING"),
            ("plan completed", "UNDER_WAY"),
            ("gate asked for approval", "WAITING_APPROVAL"),
            ("the approval at gate was answered: approve", "RUNNING"),
            ("gate failed", "UNDER_WAY"),
            ("the run was written: FAILED", "FAILED"),
        ]
        assert "nothing later is stored of this run" in bar(explorer)
        await explorer.press("left", "left")
        assert "the approval at gate was answered" in bar(explorer)


@pytest.mark.thorough
async def test_lists_and_counts_are_those_of_the_moment(database: Path) -> None:
    async with exploring(database, size=MIDDLE, now=NOW) as explorer:
        assert "3 runs" in explorer.text.splitlines()[0]
        await explorer.press("ctrl+t")  # the cursor is on r-late, the newest
        await explorer.press("shift+left")
        assert "10:00:10.000 UTC" in bar(explorer)  # when r-main was written last
        assert "t-late" not in explorer.text
        assert "2 runs  ✔ 1  ✖ 1" in explorer.text.splitlines()[0]
        await explorer.press("shift+left", "shift+left")
        assert "1 run  ✔ 1" in explorer.text.splitlines()[0]
        assert "t-main" not in explorer.text


async def test_nothing_can_be_done_to_the_past(database: Path, tmp_path: Path) -> None:
    actor, journal = GuestActor(database), tmp_path / "journal.jsonl"
    async with exploring(database, now=NOW, actor=actor, journal=journal) as explorer:
        screen = explorer.app.screen
        hidden = ("act", "act_on_matches", "checkpoint", "fork", "restore", "follow", "pause")
        assert all(screen.check_action(name, ()) is not False for name in hidden)
        await explorer.press("ctrl+t", "tab", "x", "c", "X", "F", "f", "p", "o", "W")
        assert explorer.app.screen is screen  # no dialog, no menu, no overview
        assert is_past(explorer)
        assert all(screen.check_action(name, ()) is False for name in hidden)
        assert screen.check_action("journal", ()) is True
        await explorer.press("ctrl+t")
        assert all(screen.check_action(name, ()) is not False for name in hidden)


@pytest.mark.thorough
async def test_a_moment_can_be_typed_and_nonsense_is_said(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await explorer.press("ctrl+t")
        await type_moment(explorer, "119m ago")
        assert "10:01:00.000 UTC" in bar(explorer)
        await type_moment(explorer, "10:00:30")
        assert "10:00:30.000 UTC" in bar(explorer)
        await type_moment(explorer, "soon")
        assert "soon is no time such as" in bar(explorer)
        assert "10:00:30.000 UTC" in bar(explorer)
        await type_moment(explorer, "now")
        assert not is_past(explorer)


@pytest.mark.thorough
async def test_playing_goes_on_through_the_events_until_it_is_stopped(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        await explorer.press("plus", "plus", "plus")  # 60x: the run's ten seconds take no time
        assert "60x" in bar(explorer)
        await explorer.pilot.press("space")
        await until(explorer, lambda: status(explorer) == "FAILED")
        assert "playing 60x" in bar(explorer)
        await explorer.press("space")
        assert "stopped 60x" in bar(explorer)
        shown, two_pictures = bar(explorer), time.monotonic() + 2 * PLAY_SECONDS
        await until(explorer, lambda: time.monotonic() > two_pictures)
        assert bar(explorer) == shown
