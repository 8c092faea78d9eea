"""Waiting for a run: a toast, the bell and the desktop when it ends or waits for somebody."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.harness import Explorer, exploring
from tests.tui.sample import run_id
from tests.tui.writer import seen, until, writing

pytestmark = pytest.mark.thorough

RUNNING, WAITING, DONE = run_id("f28d28"), run_id("d50ebd"), run_id("7f3a11")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a terminal that passes notices on."""
    monkeypatch.delenv("TERM_PROGRAM", raising=False)
    monkeypatch.setenv("TERM", "foot")


def written(explorer: Explorer) -> list[str]:
    """Return what goes to the terminal beside the frames, from now on."""
    driver = explorer.app._driver
    assert driver is not None
    said: list[str] = []
    driver.write = said.append  # type: ignore[method-assign, assignment]
    return said


@pytest.mark.usefixtures("terminal")
async def test_the_end_of_a_run_rings(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            said = written(explorer)
            await explorer.press("t", "down", "W")
            assert "You are told when this run ends or waits" in explorer.said
            assert "♪▶!f28d28" in explorer.text
            other.change(RUNNING, current_step="report")
            other.change(DONE, status="FAILED")
            await seen(explorer, "✖ 2")
            assert said == []
            other.change(RUNNING, status="COMPLETED")
            words = "Run f28d2800 of nightly-report@2 ended: ✔ COMPLETED"
            await until(explorer, lambda: words in explorer.said)
            assert said == [f"\x07\x1b]777;notify;zeroth-tui;{words}\x1b\\"]
            await seen(explorer, " ✔ f28d28")
            assert "♪" not in explorer.text


@pytest.mark.usefixtures("terminal")
async def test_several_runs_are_waited_for_and_one_no_longer(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            said = written(explorer)
            await explorer.press("t", "space", "space", "W")
            assert "You are told when these 2 runs end or wait" in explorer.said
            await explorer.press("escape", "g", "W")
            assert "You are no longer told when this run ends or waits" in explorer.said
            assert explorer.text.count("♪") == 1
            other.change(run_id("a03e5d"), status="FAILED")
            other.change(RUNNING, status="WAITING_APPROVAL")
            await until(explorer, lambda: "waits for an approval" in explorer.said)
            assert len(said) == 1
            assert "f28d2800" in said[0]
            # It is still waited for: the approval may come.
            other.change(RUNNING, status="RUNNING")
            await seen(explorer, "♪▶!f28d28")
            other.change(RUNNING, status="FAILED")
            await until(explorer, lambda: "f28d2800 of nightly-report@2 ended" in explorer.said)


async def test_a_run_that_is_over_says_so_at_once(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a11", "W")
        assert "Run 7f3a1100 of support-triage@3 ended: ✔ COMPLETED" in explorer.said
        assert "♪" not in explorer.text


async def test_a_run_that_vanishes_is_told_of(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            await explorer.press("t", "down", "W")
            other.remove(RUNNING)
            words = "Run f28d2800 is no longer in the database"
            await until(explorer, lambda: words in explorer.said)


@pytest.mark.usefixtures("terminal")
async def test_a_pause_does_not_keep_it_back(database: Path) -> None:
    with writing(database) as other:
        async with exploring(database) as explorer:
            said = written(explorer)
            await explorer.press("t", "down", "W", "p")
            other.change(RUNNING, status="COMPLETED")
            await until(explorer, lambda: bool(said))
            assert "f28d28 RUNNING" in explorer.text


@pytest.mark.usefixtures("terminal")
async def test_what_is_stored_cannot_act_on_the_terminal(database: Path) -> None:
    hostile = "g\x1b]52;c;AAAA\x07;x\x9d0;t\x1b\\"
    with writing(database) as other:
        other.change(RUNNING, graph_version_ref=hostile, status="PENDING")
        async with exploring(database) as explorer:
            said = written(explorer)
            await explorer.press("t", "down", "W")
            other.change(RUNNING, status="COMPLETED")
            await until(explorer, lambda: bool(said))
            start, end = "\x07\x1b]777;notify;zeroth-tui;", "\x1b\\"
            assert said[0].startswith(start)
            assert said[0].endswith(end)
            assert said[0].removeprefix(start).removesuffix(end).isprintable()
            assert ";" not in said[0].removeprefix(start)
