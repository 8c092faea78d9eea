"""The time machine in the real app: runs that are not there, writers, and ways back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tui.counting import CountingBrowser, taken_in
from tests.tui.harness import WIDE, exploring
from tests.tui.past_sample import NOW, bar, build, go_to_main, is_past, type_moment
from tests.tui.writer import until, writing
from zeroth_tui.widgets.run_tabs import FAILURE, TIMELINE

pytestmark = pytest.mark.thorough


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return build(tmp_path / "runs.db")


async def test_what_is_not_recorded_is_said(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        assert "1 run was under way in a state that is not recorded" in bar(explorer)
        await explorer.press("right")  # `plan` is at work: that is recorded
        assert "not recorded" not in bar(explorer)


async def test_a_node_at_work_grows_and_shows_its_input(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        assert explorer.app.screen.query_one("#run").tab == TIMELINE  # type: ignore[attr-defined]
        await type_moment(explorer, "2026-03-01T10:00:02.500")
        assert re.search(r"▶ plan .*▶ +1\.5s", explorer.text)
        await explorer.press("tab", "tab", "3", "left")
        assert "what was asked" in explorer.text


async def test_a_failed_run_that_has_not_failed_yet_is_not_shown_at_its_failure(
    database: Path,
) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await explorer.filter("r-main")
        await explorer.press("enter")
        assert explorer.app.screen.query_one("#run").tab == FAILURE  # type: ignore[attr-defined]
        assert "the model was down" in explorer.text
        await explorer.press("ctrl+t", "right")
        assert "the model was down" not in explorer.text
        assert "node_execution_failed" not in explorer.text


async def test_escape_returns_to_now_from_the_bar_and_from_the_list(database: Path) -> None:
    async with exploring(database, now=NOW) as explorer:
        await explorer.press("ctrl+t", "escape")
        assert not is_past(explorer)
        await explorer.press("ctrl+t", "tab", "escape")
        assert not is_past(explorer)


async def test_the_keys_of_the_past_work_from_the_list(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        explorer.app.screen.query_one("#tree").focus()
        await explorer.press("full_stop")
        assert "plan began" in bar(explorer)
        await explorer.press("comma")
        assert "the run started" in bar(explorer)


async def test_a_run_that_was_not_there_yet_is_said_so(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW) as explorer:
        await go_to_main(explorer)
        await explorer.press("shift+left")
        assert "Run r-main was not there yet" in explorer.text
        await explorer.press("right")
        assert "the run started" in bar(explorer)
        assert "was not there yet" not in explorer.text


async def test_what_is_written_meanwhile_changes_nothing_until_the_return(database: Path) -> None:
    async with exploring(database, size=WIDE, now=NOW, browsing=CountingBrowser) as explorer:
        await go_to_main(explorer)
        before = explorer.text
        with writing(database) as other:
            other.remove("r-early")
        await taken_in(explorer)
        assert explorer.text == before
        await explorer.press("escape")
        assert not is_past(explorer)
        await until(explorer, lambda: "2 runs" in explorer.text.splitlines()[0])


async def test_a_run_that_is_waited_for_is_not_missed_in_the_past(database: Path) -> None:
    with writing(database) as other:
        other.change("r-late", status="RUNNING")
        async with exploring(database, size=WIDE, now=NOW, browsing=CountingBrowser) as explorer:
            await explorer.press("W", "ctrl+t", "shift+left")  # before r-late was there
            other.remove("r-early")
            await taken_in(explorer)
            assert "no longer in the database" not in explorer.said
            assert "ended" not in explorer.said
            other.change("r-late", status="COMPLETED")
            await until(explorer, lambda: "ended: ✔ COMPLETED" in explorer.said)
            assert is_past(explorer)
