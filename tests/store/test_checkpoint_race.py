"""Checkpoints written while others cancel the runs: one for each that won, and none of a loser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.store.guests import Guest
from tests.store.processes import said_by
from tests.store.support import PlainSQL

PROCESSES: Final = 8
RUNS: Final = 12
LOST: Final = "changed_to_FAILED_by_another_writer,_nothing_done"


@pytest.mark.thorough
@pytest.mark.parametrize("wal", [True, False])
def test_only_who_won_leaves_a_checkpoint(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "guest.db"
    names = [f"r{number}" for number in range(RUNS)]
    with Guest(path, wal=wal) as guest:
        guest.thread("t-1", names)  # one for all: each checkpoint changes the same list
        for name in names:
            guest.run(name, "RUNNING")
    said = said_by("tests.store.checkpoint_forks", "race", path, PROCESSES)
    saved = [
        (made, run) for act, run, verdict, made in said if (act, verdict) == ("checkpoint", "won")
    ]
    cancelled = [run for act, run, verdict, _ in said if (act, verdict) == ("cancel", "won")]
    assert sorted(cancelled) == sorted(names)
    assert len(said) == PROCESSES * RUNS
    losers = [words for words in said if words[2] != "won"]
    assert {tuple(words[2:]) for words in losers} == {(LOST, "-")}
    assert saved, "nobody saved a run: this has shown nothing"
    assert "checkpoint" in {act for act, *_ in losers}, "nobody came too late to save a run"
    query = PlainSQL(str(path))
    rows = query(
        "SELECT checkpoint_id, run_id, checkpoint_order, state_json ->> '$.status',"
        " state_json ->> '$.checkpoint_id' FROM run_checkpoints ORDER BY checkpoint_order"
    )
    assert sorted((made, run) for made, run, *_ in rows) == sorted(saved)
    assert [order for _, _, order, _, _ in rows] == list(range(len(saved)))
    assert {(status, inner == made) for made, _, _, status, inner in rows} == {("RUNNING", True)}
    ((listed,),) = query("SELECT checkpoint_refs FROM threads")
    assert json.loads(listed) == [made for made, *_ in rows]
