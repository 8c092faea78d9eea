"""What is acknowledged stays, nothing is half written, and a race has one winner."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.store.forks import KILLS, OUTCOMES, PROCESSES, RUNS
from tests.store.support import PYTHON, OpenStore, PlainSQL, a_run
from zeroth_store import RunStatus

FORKS = Path(__file__).with_name("forks.py")
STAGES = (("PENDING", 0), ("RUNNING", 0), ("RUNNING", 1), ("COMPLETED", 1))
"""Status and number of history entries after a writer's first to fourth commit of a run."""


def run_forks(command: str, path: Path) -> list[list[str]]:
    """What the processes acknowledged, as words."""
    done = subprocess.run(
        [PYTHON, FORKS, command, path], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split() for line in done.stdout.splitlines()]


def test_eight_processes_initialize_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    said = run_forks("initialize", path)
    assert sorted(said) == [[f"r{number}"] for number in range(PROCESSES)]
    query = PlainSQL(str(path))
    assert query("SELECT count(*) FROM zeroth_store_version") == [(1,)]
    assert query("SELECT run_id FROM runs ORDER BY run_id") == [(run,) for (run,) in sorted(said)]
    assert query("PRAGMA journal_mode") == [("wal",)]


async def test_each_race_has_exactly_one_winner(file_store: OpenStore) -> None:
    for run in range(RUNS):
        await file_store.runs.create(a_run(f"r{run}", status=RunStatus.RUNNING, thread_id="th"))
    assert file_store.database.path is not None
    said = run_forks("race", file_store.database.path)
    assert len(said) == RUNS
    winners = {words[0]: words[1] for words in said}
    assert len(winners) == RUNS
    rows = file_store.query(
        "SELECT r.run_id, r.status, r.error, c.state_json FROM runs r"
        " JOIN run_checkpoints c ON c.checkpoint_id = r.checkpoint_id"
    )
    assert len(rows) == RUNS
    for run_id, status, error, state in rows:
        winner = winners[run_id]
        assert (status, error) == (OUTCOMES[int(winner) % 3], f"won by {winner}")
        checkpoint = json.loads(state)
        assert (checkpoint["status"], checkpoint["error"]) == (status, error)


def test_a_killed_writer_loses_nothing_it_had_acknowledged(own_path: Path) -> None:
    acknowledged: dict[str, int] = {}
    for words in run_forks("kill", own_path):
        acknowledged[words[0]] = int(words[1])
    assert {run_id.split("-")[0] for run_id in acknowledged} == {f"r{n}" for n in range(KILLS)}

    query = PlainSQL(str(own_path))
    assert query("PRAGMA integrity_check") == [("ok",)]
    stored = {
        run_id: (status, len(json.loads(history)))
        for run_id, status, history in query("SELECT run_id, status, execution_history FROM runs")
    }
    for run_id, stage in acknowledged.items():
        # The kill may come after a commit and before its acknowledgement: one stage more.
        assert stored[run_id] in STAGES[stage - 1 : stage + 1], run_id
    unheard = stored.keys() - acknowledged.keys()
    assert len(unheard) <= KILLS
    assert {stored[run_id] for run_id in unheard} <= {STAGES[0]}

    checkpoints = {
        checkpoint_id: (run_id, thread_id, json.loads(state))
        for checkpoint_id, run_id, thread_id, state in query(
            "SELECT checkpoint_id, run_id, thread_id, state_json FROM run_checkpoints"
        )
    }
    assert len(checkpoints) == len(stored)
    for run_id, _, state in checkpoints.values():
        assert (state["status"], len(state["execution_history"])) == stored[run_id]
    threads = query("SELECT thread_id, run_ids, checkpoint_refs FROM threads")
    listed = {run for _, runs, _ in threads for run in json.loads(runs)}
    assert listed == stored.keys()
    refs = {ref: thread for thread, _, refs in threads for ref in json.loads(refs)}
    assert refs == {key: thread for key, (_, thread, _) in checkpoints.items()}
