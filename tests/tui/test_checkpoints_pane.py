"""The Checkpoints tab in the real app: looking into checkpoints, comparing them, going back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.guests import Guest
from tests.tui.conftest import shared
from tests.tui.harness import MIDDLE, NARROW, WIDE, Explorer, exploring
from zeroth_tui.widgets.run_tabs import CHECKPOINTS, FAILURE, TIMELINE

pytestmark = pytest.mark.thorough


def state(run_id: str, status: str, nodes: str, **more: object) -> dict[str, object]:
    """Return the state of a run that has done some nodes, one a second from 10:00:01."""
    history = [
        {
            "node_id": node,
            "status": "completed",
            "started_at": f"2026-03-01T10:00:0{place}Z",
            "output_snapshot": {"n": place},
        }
        for place, node in enumerate(nodes, start=1)
    ]
    return {
        "run_id": run_id,
        "status": status,
        "thread_id": "t-1",
        "graph_version_ref": "g@1",
        "started_at": "2026-03-01T10:00:00Z",
        "updated_at": f"2026-03-01T10:00:0{len(nodes)}Z",
        "execution_history": history,
        "metadata": {"initial_input": {"token": "sk-live-123", "q": len(nodes)}},
        **more,
    }


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Make a run with three checkpoints, one of them listed but gone, and a sibling's."""
    path = tmp_path / "guest.db"
    done = state("r-main", "COMPLETED", "abc", final_output="all")
    with Guest(path) as guest:
        guest.run("r-side", "RUNNING", started_at="2026-03-01T09:00:00+00:00")
        guest.run("r-main", "COMPLETED", execution_history=done["execution_history"])
        guest.thread("t-1", ["r-side", "r-main"], checkpoint_refs=["c1", "c2", "x", "c3", "s1"])
        guest.checkpoint("c1", "r-main", state("r-main", "RUNNING", "a"), created_at=moment(1))
        guest.checkpoint("c2", "r-main", state("r-main", "RUNNING", "ab"), created_at=moment(2))
        guest.checkpoint("c3", "r-main", done, created_at=moment(3))
        failed = state("r-side", "FAILED", "z", failure_state={"reason": "max_total_steps"})
        guest.checkpoint("s1", "r-side", failed, created_at=moment(1))
    return path


def moment(second: int) -> str:
    return f"2026-03-01T10:00:0{second}+00:00"


def at_cursor(explorer: Explorer) -> object:
    return explorer.app.screen.query_one("#pane-checkpoints").item  # type: ignore[attr-defined]


def tab(explorer: Explorer) -> int:
    return explorer.app.screen.query_one("#run").tab  # type: ignore[attr-defined,no-any-return]


async def test_each_checkpoint_says_what_changed_since_the_one_before(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run("r-main", "4")
        said = explorer.text
    assert "first of run r-main: 1 history entry, status RUNNING" in said
    assert "+1 history entry, metadata.initial_input changed" in said
    assert "since 2: +1 history entry, status RUNNING → COMPLETED, final_output set" in said
    assert "listed by its thread, but erased" in said
    assert "first of run r-side: 1 history entry, status FAILED, failure_state set" in said


@pytest.mark.parametrize("size", [NARROW, MIDDLE, WIDE])
async def test_enter_shows_the_run_as_of_then_and_escape_returns(
    database: Path, size: tuple[int, int]
) -> None:
    async with exploring(database, size=size) as explorer:
        await explorer.open_run("r-main", "4", "g", "j", "enter")
        then = explorer.text
        assert tab(explorer) == TIMELINE
        assert "as of checkpoint 2, " in then
        assert "10:00:02" in then
        assert "▶ RUNNING" in then
        assert "running without a lease" not in then
        shown = explorer.app.screen.opened  # type: ignore[attr-defined]
        assert [step.node_id for step in shown.steps] == ["a", "b"]

        await explorer.press("4")
        assert "as of checkpoint 2" in explorer.text
        await explorer.press("escape")
        assert "as of checkpoint" not in explorer.text
        assert "✔ COMPLETED" in explorer.text
        assert tab(explorer) == CHECKPOINTS
        assert getattr(at_cursor(explorer), "checkpoint_id", None) == "c2"


async def test_a_sibling_opens_as_of_then_and_a_failed_one_at_its_failure(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("r-main", "4", "G", "enter")
        assert "as of checkpoint 5" in explorer.text
        assert "r-side" in explorer.text
        assert tab(explorer) == FAILURE
        await explorer.press("escape")
        assert explorer.app.screen.opened.detail.summary.key.run_id == "r-main"  # type: ignore[attr-defined]


async def test_what_is_shown_as_of_then_stays_when_the_database_changes(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("r-main", "4", "g", "enter", "r")
        assert "as of checkpoint 1" in explorer.text
        await explorer.press("tab", "escape")
        assert "as of checkpoint" not in explorer.text


async def test_the_cursor_starts_on_the_runs_own_last_checkpoint(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("r-main", "4")
        assert getattr(at_cursor(explorer), "checkpoint_id", None) == "c3"


async def test_d_compares_with_the_one_before_and_with_the_marked_one(database: Path) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run("r-main", "4", "g", "j", "d")
        said = explorer.text
        assert "from checkpoint 1 c1" in said
        assert "to   checkpoint 2 c2" in said
        assert "$.metadata.initial_input.q  1 → 2" in said
        await explorer.press("escape")
        assert "+1 history entry" in explorer.text

        await explorer.press("k", "space", "j", "j", "j", "d")
        said = explorer.text
        assert "from checkpoint 1 c1" in said
        assert "to   checkpoint 4 c3" in said
        assert '$.status  "RUNNING" → "COMPLETED"' in said
        assert '+ $.final_output  "all"' in said
        assert "sk-live-123" not in said


async def test_the_first_one_has_nothing_before_it(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("r-main", "4", "g", "d")
        assert "no checkpoint before this one" in explorer.said


async def test_one_that_is_gone_says_so(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("r-main", "4", "k", "enter")
        assert "has no row any more" in explorer.said
        assert "as of" not in explorer.text


async def test_moving_to_another_run_leaves_the_past(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.filter("r-")
        await explorer.press("enter", "enter", "4", "enter")
        assert "as of checkpoint" in explorer.text
        await explorer.press("tab", "j")
        assert "as of checkpoint" not in explorer.text


async def test_nothing_can_be_done_to_what_is_past(tmp_path: Path, sample_file: Path) -> None:
    path = tmp_path / "own.db"
    shutil.copy(sample_file, path)
    async with exploring(path) as explorer:
        await explorer.open_run("f28d28", "c", "y", "4", "enter")
        assert "as of checkpoint" in explorer.text
        screen = explorer.app.screen
        assert not screen.check_action("act", ())
        assert not screen.check_action("checkpoint", ())
        await explorer.press("escape")
        assert screen.check_action("act", ())


async def test_an_agents_state_shows_its_prompt_as_text(tmp_path: Path) -> None:
    path = tmp_path / "main.db"
    shutil.copy(shared("data", "zeroth", "rev026-main.db"), path)
    async with exploring(path, size=WIDE) as explorer:
        await explorer.open_run("d6048c37", "4")
        assert "agent state" in explorer.text
        await explorer.press("g", "j", "enter")
        said = [row.split("││")[-1] for row in explorer.text.split("\n")]
        assert any("agent state in checkpoint 2" in row for row in said)
        # What the model got, as rev026-main.db holds it: one JSON string with \n in it.
        start = next(at for at, row in enumerate(said) if "Agent: chat" in row)
        assert [row.strip(" │█") for row in said[start : start + 5]] == [
            "Agent: chat",
            "",
            "Instruction: Do chat.",
            "",
            "Model: openai/gpt-4o-mini",
        ]
        await explorer.press("escape")
        assert "first agent state: 2 messages" in explorer.text
