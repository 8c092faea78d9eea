"""Of actors that race for a run exactly one wins and each loser is told; a kill leaves no half."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.store.acting_forks import KILLS, RUNS
from tests.store.forks import PROCESSES
from tests.store.guests import Guest
from tests.store.support import PYTHON, ROOT, OpenStore, PlainSQL, a_run
from zeroth_store import RunStatus

pytestmark = pytest.mark.thorough

LIFE = ("RUNNING", "WAITING_INTERRUPT", "PENDING")
"""What a run goes through that is paused and then resumed."""

LOST = "changed_to_FAILED_by_another_writer,_nothing_done"


def run_forks(command: str, path: Path) -> list[list[str]]:
    """What the processes said, as words."""
    done = subprocess.run(
        [PYTHON, "-m", "tests.store.acting_forks", command, path],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split() for line in done.stdout.splitlines()]


def assert_one_winner_each(said: list[list[str]], stored: dict[str, str]) -> None:
    """Hold what every process was told against what is stored in the end."""
    assert len(said) == RUNS * PROCESSES
    verdicts = Counter((run, verdict) for run, _, verdict in said)
    assert verdicts == {
        **{(f"r{run}", "won"): 1 for run in range(RUNS)},
        **{(f"r{run}", LOST): PROCESSES - 1 for run in range(RUNS)},
    }
    assert stored == {run: f"by {number}" for run, number, verdict in said if verdict == "won"}


def test_each_run_of_a_guest_has_one_winner(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db", wal=True) as guest:
        for run in range(RUNS):
            guest.run(f"r{run}", "RUNNING")
    said = run_forks("guest", guest.path)
    rows = PlainSQL(str(guest.path))("SELECT run_id, error FROM runs WHERE status = 'FAILED'")
    assert_one_winner_each(said, dict(rows))


async def test_each_run_of_an_own_database_has_one_winner(file_store: OpenStore) -> None:
    for run in range(RUNS):
        await file_store.runs.create(a_run(f"r{run}", status=RunStatus.RUNNING, thread_id="t"))
    assert file_store.database.path is not None
    said = run_forks("own", file_store.database.path)
    rows = file_store.query("SELECT run_id, error FROM runs WHERE status = 'FAILED'")
    assert_one_winner_each(said, dict(rows))


def test_a_killed_actor_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db", wal=True) as guest:
        guest.thread("t-1", [f"r{run}" for run in range(RUNS)], checkpoint_refs="[]")
        for run in range(RUNS):
            guest.run(f"r{run}", "RUNNING" if run % 2 else "COMPLETED")
    said = run_forks("kill", guest.path)
    query = PlainSQL(str(guest.path))
    assert query("PRAGMA integrity_check") == [("ok",)]
    statuses = dict(query("SELECT run_id, status FROM runs"))
    checkpoints = dict(query("SELECT checkpoint_id, run_id FROM run_checkpoints"))
    ((refs,),) = query("SELECT checkpoint_refs FROM threads")
    assert sorted(json.loads(refs)) == sorted(checkpoints)
    acknowledged = {name: run for run, _, name in said if name != "-"}
    assert acknowledged
    assert acknowledged.items() <= checkpoints.items()
    moves = [(run, status) for run, status, name in said if name == "-"]
    assert {status for _, status in moves} == {"WAITING_INTERRUPT", "PENDING"}
    assert len(set(moves)) == len(moves)
    for run_id, status in moves:
        assert LIFE.index(statuses[run_id]) >= LIFE.index(status), run_id
    # Each kill may come after one commit and before its acknowledgement.
    moved = sum(LIFE.index(status) for status in statuses.values() if status != "COMPLETED")
    assert 0 <= moved - len(moves) + len(checkpoints) - len(acknowledged) <= KILLS
