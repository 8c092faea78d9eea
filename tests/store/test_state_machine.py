"""Any sequence of writes leaves the store as a plain dictionary would be."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.shares import share
from tests.store.support import PlainSQL, a_run
from tests.store.test_status import PERMITTED
from zeroth_store import (
    AsyncSQLiteDatabase,
    InvalidTransition,
    RunExists,
    RunHistoryEntry,
    RunNotFound,
    RunRepository,
    RunStatus,
    StatusConflict,
)

IDS = st.sampled_from(["a", "b"])
STATUSES = st.sampled_from(list(RunStatus))


class Writes(RuleBasedStateMachine):
    """Two runs of one thread; the model is their statuses and how many entries they have."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = AsyncSQLiteDatabase(":memory:")
        self.repository = RunRepository(self.database)
        self.statuses: dict[str, str] = {}
        self.entries: dict[str, int] = {}
        self.runner.run(self.database.connect())
        self.runner.run(self.repository.initialize())

    def teardown(self) -> None:
        self.runner.run(self.database.close())
        self.runner.close()

    @rule(run_id=IDS)
    def create(self, run_id: str) -> None:
        run = a_run(run_id, thread_id="th")
        if run_id in self.statuses:
            with pytest.raises(RunExists):
                self.runner.run(self.repository.create(run))
        else:
            self.runner.run(self.repository.create(run))
            self.statuses[run_id], self.entries[run_id] = "PENDING", 0

    @rule(run_id=IDS, new=STATUSES)
    def transition(self, run_id: str, new: RunStatus) -> None:
        move = self.repository.transition(run_id, new)
        if run_id not in self.statuses:
            with pytest.raises(RunNotFound):
                self.runner.run(move)
        elif (self.statuses[run_id], new.value) not in PERMITTED:
            with pytest.raises(InvalidTransition):
                self.runner.run(move)
        else:
            assert self.runner.run(move).status is new
            self.statuses[run_id] = new.value

    @rule(run_id=IDS, seen=STATUSES, new=STATUSES)
    def put_if_status(self, run_id: str, seen: RunStatus, new: RunStatus) -> None:
        run = self.runner.run(self.repository.get(run_id)) or a_run(run_id, thread_id="th")
        run.status = new
        save = self.repository.put_if_status(run, seen)
        if run_id not in self.statuses:
            with pytest.raises(RunNotFound):
                self.runner.run(save)
        elif self.statuses[run_id] != seen.value:
            with pytest.raises(StatusConflict):
                self.runner.run(save)
        else:
            self.runner.run(save)
            self.statuses[run_id] = new.value

    @rule(run_id=IDS)
    def record_history(self, run_id: str) -> None:
        entry = RunHistoryEntry(node_id="n", status="completed")
        with suppress(RunNotFound):
            self.runner.run(self.repository.record_history(run_id, entry))
            self.entries[run_id] += 1

    @rule(run_id=IDS)
    def delete(self, run_id: str) -> None:
        assert self.runner.run(self.repository.delete(run_id)) is (run_id in self.statuses)
        self.statuses.pop(run_id, None)
        self.entries.pop(run_id, None)

    @invariant()
    def rows_are_the_model(self) -> None:
        rows = PlainSQL(self.database.location)(
            "SELECT run_id, status, json_array_length(execution_history) FROM runs"
        )
        assert {run_id: status for run_id, status, _ in rows} == self.statuses
        assert {run_id: entries for run_id, _, entries in rows} == self.entries

    @invariant()
    def checkpoints_and_thread_agree_with_the_rows(self) -> None:
        query = PlainSQL(self.database.location)
        states = query(
            "SELECT run_id, state_json ->> '$.status',"
            " json_array_length(state_json, '$.execution_history') FROM run_checkpoints"
        )
        assert {run_id: status for run_id, status, _ in states} == self.statuses
        assert {run_id: entries for run_id, _, entries in states} == self.entries
        listed = query("SELECT value FROM threads, json_each(run_ids)")
        assert sorted(listed) == sorted((run_id,) for run_id in self.statuses)


TestWrites = Writes.TestCase
TestWrites.settings = settings(share(5), stateful_step_count=15)
