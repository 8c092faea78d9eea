"""Going back to a checkpoint, and forking: keys in, rows of the database out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.store.guests import Guest
from tests.tui.branching import (
    SOURCE,
    ask,
    fail_after_a_checkpoint,
    lineage,
    made_by_a_fork,
    others,
    run_row,
    select,
    until,
    words,
)
from tests.tui.harness import NARROW, WIDE, Explorer, exploring
from tests.tui.sample import run_id
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_tui.screens.explorer import ExplorerScreen

TALL = (120, 70)
"""A terminal in which all that is written is in sight."""


@pytest.fixture
async def kept(database: Path) -> str:
    """Return the checkpoint of SOURCE from before it failed."""
    return await fail_after_a_checkpoint(database)


def item(explorer: Explorer) -> Any:
    screen = explorer.app.screen
    assert isinstance(screen, ExplorerScreen)
    return screen.run_tree.item


async def open_checkpoints(explorer: Explorer, *keys: str) -> None:
    """Open SOURCE at its last checkpoint, which is the first of three in its thread."""
    await explorer.open_run(SOURCE[:6], "4", *keys)


RESTORE = f"Restore a checkpoint: run {SOURCE}"
FORK = "Fork run f28d2800"


@pytest.mark.parametrize("size", [NARROW, WIDE])
@pytest.mark.thorough
async def test_a_run_goes_back_to_a_checkpoint(
    database: Path, kept: str, size: tuple[int, int]
) -> None:
    beside = others(database, SOURCE)
    async with exploring(database, size=size) as explorer:
        await open_checkpoints(explorer, "G")  # the last one of the thread is the kept one
        shown = await ask(explorer, "b", RESTORE)
        assert f"from from checkpoint {kept[:8]}" in shown
        assert "now ✖ FAILED -> ○ PENDING" in shown
        await ask(explorer, "y", "FAILED -> PENDING, read back")
    row = run_row(database)
    assert (row["status"], row["error"], row["failure_state"]) == ("PENDING", None, None)
    assert [one["node_id"] for one in json.loads(row["execution_history"])] == ["collect"]
    assert (row["parent_checkpoint_id"], row["failure_count"]) == (kept, 0)
    assert others(database, SOURCE) == beside
    saved = select(database, "SELECT * FROM run_checkpoints WHERE checkpoint_id = ?", kept)
    assert len(saved) == 1


@pytest.mark.thorough
async def test_what_is_shown_is_what_is_restored(database: Path, kept: str) -> None:
    async with exploring(database, size=TALL) as explorer:
        await open_checkpoints(explorer, "G")
        shown = await ask(explorer, "b", RESTORE)
        await ask(explorer, "y", "read back")
    row = run_row(database)
    for column in ("status", "pending_node_ids", "completed_steps", "node_visit_counts"):
        assert f"{column} {row[column]}" in shown
    for column in ("error", "failure_state", "final_output"):
        assert row[column] is None
        assert f"{column} NULL" in shown


@pytest.mark.parametrize("keys", [("enter",), ("escape",), ("enter", "y")])
@pytest.mark.thorough
async def test_nothing_is_restored_unless_it_is_confirmed(
    database: Path, kept: str, keys: tuple[str, ...]
) -> None:
    before = run_row(database)
    async with exploring(database) as explorer:
        await open_checkpoints(explorer, "G")
        await ask(explorer, "b", RESTORE)
        await explorer.press(*keys)
    assert run_row(database) == before


@pytest.mark.thorough
async def test_going_back_can_be_undone_and_a_fork_cannot(
    database: Path, kept: str, tmp_path: Path
) -> None:
    before = run_row(database)
    async with exploring(database, journal=tmp_path / "j.jsonl", size=WIDE) as explorer:
        await open_checkpoints(explorer, "G")
        await ask(explorer, "b", RESTORE)
        await ask(explorer, "y", "read back")
        await ask(explorer, "at", "Restore a checkpoint f28d28 ✖ FAILED -> ○ PENDING")
        await ask(explorer, "z", "Move to FAILED")
        await ask(explorer, "y", "PENDING -> FAILED")
        after = run_row(database)
        assert {**after, "updated_at": None} == {**before, "updated_at": None}
        await ask(explorer, "F", FORK)
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
        await ask(explorer, "at", "Fork f28d28")
        await explorer.press("z")
        assert "a fork leaves its run as it was: act on the new run instead" in explorer.said


@pytest.mark.thorough
async def test_a_finished_run_cannot_go_back(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a11", "4")
        await ask(explorer, "b", "a COMPLETED run cannot become PENDING: fork it")
        assert isinstance(explorer.app.screen, ExplorerScreen)


@pytest.mark.thorough
async def test_a_checkpoint_of_another_run_says_which(database: Path, kept: str) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run("a03e5d", "4", "G")
        shown = await ask(explorer, "b", RESTORE)
        assert f"! this is run {SOURCE}, not the one that is" in shown
        await ask(explorer, "y", "read back")
    assert run_row(database)["status"] == "PENDING"


@pytest.mark.parametrize("size", [NARROW, WIDE])
@pytest.mark.thorough
async def test_a_fork_from_a_checkpoint_is_a_new_run_and_opened(
    database: Path, kept: str, size: tuple[int, int]
) -> None:
    source = [run_row(database), *select(database, "SELECT * FROM run_checkpoints")]
    async with exploring(database, size=size) as explorer:
        await open_checkpoints(explorer, "G")
        await ask(explorer, "F", f"{FORK} from checkpoint {kept[:8]}")
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
        row = made_by_a_fork(database)
        assert f"forked into {row['run_id'][:8]}" in explorer.said
        assert item(explorer).run_id == row["run_id"]
        assert row["run_id"][:8] in explorer.text.splitlines()[2]
    assert (row["status"], row["thread_id"]) == ("PENDING", "nightly")
    assert lineage(row) == {"run_id": SOURCE, "checkpoint_id": kept}
    assert [one["node_id"] for one in json.loads(row["execution_history"])] == ["collect"]
    ids = [one["checkpoint_id"] for one in source[1:]]
    marks = ",".join("?" * len(ids))
    found = select(
        database, f"SELECT * FROM run_checkpoints WHERE checkpoint_id IN ({marks})", *ids
    )
    assert [run_row(database), *found] == source
    [thread] = select(database, "SELECT run_ids FROM threads WHERE thread_id = 'nightly'")
    assert json.loads(thread["run_ids"])[-1] == row["run_id"]


async def test_a_fork_before_a_step_may_have_a_thread_of_its_own(database: Path, kept: str) -> None:
    source = run_row(database)
    threads = select(database, "SELECT * FROM threads ORDER BY rowid")
    async with exploring(database, size=TALL) as explorer:
        await explorer.open_run(SOURCE[:6], "1", "g", "down")
        await ask(explorer, "F", f"{FORK} before report")
        await explorer.press("2")
        shown = words(explorer)
        await ask(explorer, "y", "forked into")
        row = made_by_a_fork(database)
        assert item(explorer).run_id == row["run_id"]
    assert "from before report thread a new one" in shown
    for column in ("run_id", "thread_id", "status", "pending_node_ids", "completed_steps"):
        assert f"{column} {row[column]}" in shown
    assert (row["pending_node_ids"], row["completed_steps"]) == ('["report"]', '["collect"]')
    assert lineage(row) == {"run_id": SOURCE, "step": 1}
    assert json.loads(row["metadata"])["node_payloads"] == {"report": {"rows": 120}}
    assert run_row(database) == source
    assert select(database, "SELECT * FROM threads ORDER BY rowid")[:-1] == threads
    [thread] = select(database, "SELECT * FROM threads WHERE thread_id = ?", row["thread_id"])
    assert json.loads(thread["run_ids"]) == [row["run_id"]]


@pytest.mark.thorough
async def test_a_step_that_is_not_done_is_forked_from_where_the_run_stands(
    database: Path, kept: str
) -> None:
    last = run_row(database)["checkpoint_id"]
    async with exploring(database) as explorer:
        await explorer.open_run(SOURCE[:6], "1")  # opens at what was dispatched last
        await ask(explorer, "F", "from where it stands")
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
    assert lineage(made_by_a_fork(database)) == {"run_id": SOURCE, "checkpoint_id": last}


@pytest.mark.thorough
async def test_a_run_shown_as_of_a_checkpoint_is_forked_from_that(
    database: Path, kept: str
) -> None:
    async with exploring(database) as explorer:
        await open_checkpoints(explorer, "G")
        await ask(explorer, "enter", "as of checkpoint")
        await explorer.press("1")
        await ask(explorer, "F", FORK)
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
    assert lineage(made_by_a_fork(database))["checkpoint_id"] == kept


@pytest.mark.thorough
async def test_the_new_run_is_found_from_the_list_of_failures(database: Path, kept: str) -> None:
    async with exploring(database) as explorer:
        await explorer.press("t", "t")
        await open_checkpoints(explorer)
        await ask(explorer, "F", FORK)
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
        assert item(explorer).run_id == made_by_a_fork(database)["run_id"]


@pytest.mark.thorough
async def test_a_fork_that_is_left_writes_nothing(database: Path, kept: str) -> None:
    runs = select(database, "SELECT * FROM runs")
    async with exploring(database) as explorer:
        await open_checkpoints(explorer)
        for keys in (("1", "enter"), ("2", "escape", "escape"), ("escape",)):
            await ask(explorer, "F", FORK)
            await explorer.press(*keys)
        assert isinstance(explorer.app.screen, ExplorerScreen)
    assert select(database, "SELECT * FROM runs") == runs


@pytest.mark.thorough
async def test_the_menu_of_acts_says_how(database: Path, kept: str) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run(SOURCE[:6])
        shown = await ask(explorer, "x", "What to do to")
        assert "Restore a checkpoint ○ PENDING b in Checkpoints (4)" in shown
        assert "Fork F on a step or checkpoint" in shown
        before = run_row(database)
        await explorer.press("7", "y", "enter")
        assert run_row(database) == before


async def test_without_an_actor_the_keys_do_not_exist(database: Path, kept: str) -> None:
    before = select(database, "SELECT * FROM runs")
    async with exploring(database, size=WIDE, read_only=True) as explorer:
        await open_checkpoints(explorer)
        bar = explorer.text.splitlines()[-1]
        assert "Go back" not in bar
        assert "Fork" not in bar
        await explorer.press("b", "F", "1", "F", "X")
        assert explorer.said == ""
        assert isinstance(explorer.app.screen, ExplorerScreen)
    assert select(database, "SELECT * FROM runs") == before


@pytest.mark.thorough
async def test_a_run_of_zeroths_own_database_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "guest.db"
    with Guest(path) as guest:
        guest.run("r1", "FAILED", execution_history='[{"node_id":"a","status":"completed"}]')
        guest.thread("t-1", ["r1"])
    async with exploring(path, actor=GuestActor(path), size=WIDE) as explorer:
        await explorer.open_run("r1", "1")
        await ask(explorer, "F", "only databases that zeroth_store made can do this")
        shown = await ask(explorer, "x", "What to do to")
        assert "Restore a checkpoint only databases that" in shown


@pytest.mark.thorough
async def test_the_palette_forks_and_restores(database: Path, kept: str) -> None:
    async with exploring(database, size=WIDE) as explorer:
        await open_checkpoints(explorer, "G", "ctrl+p", *"go back")
        await until(explorer, "Take the run back to this checkpoint (b)")
        await ask(explorer, "enter", RESTORE)
        await explorer.press("escape", "ctrl+p", *"checkpoints: fork")
        await until(explorer, "A new run from this checkpoint (F)")
        await ask(explorer, "enter", f"{FORK} from checkpoint")


@pytest.mark.thorough
async def test_a_run_without_a_step_is_forked_from_where_it_stands(database: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("a03e5d", "1")
        await ask(explorer, "F", "Fork run a03e5d00 from where it stands")
        await explorer.press("1")
        await ask(explorer, "y", "forked into")
    assert lineage(made_by_a_fork(database))["run_id"] == run_id("a03e5d")
