"""Several people act on one run at once, each as it was when they looked: no illegal edge."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.shares import share
from tests.store.acting import CHECKPOINTED, KEY, assert_as_shown, everything
from tests.store.support import START_COLUMN, Clock, PlainSQL, a_run
from tests.store.test_status import ALLOWED
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Fields, Write
from zeroth_store.sqlite.acting.own_actor import OwnActor
from zeroth_tui.journal import Entry, Journal

pytestmark = pytest.mark.thorough

CLIENTS = st.integers(0, 2)
ACTED_ON = "status, error, failure_state, failure_count, final_output, pending_node_ids"

Row = dict[str, Any]


class Clients(RuleBasedStateMachine):
    """Three people look at a run, choose, and write later; the model is the run's status."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = AsyncSQLiteDatabase(":memory:")
        self.clock = Clock()
        runs = RunRepository(self.database, clock=self.clock)
        self.actor = OwnActor(self.database, runs, clock=self.clock)
        self.folder = tempfile.TemporaryDirectory()
        self.journal = self.open_journal()
        self.chosen: dict[int, Write] = {}
        self.status = "PENDING"
        self.runner.run(self.database.connect())
        self.runner.run(runs.initialize())
        self.runner.run(runs.create(a_run()))
        self.first = self.stored()

    def teardown(self) -> None:
        entries = self.open_journal().load(1_000).entries
        assert _forward(self.first, entries) == self.stored()
        assert _backward(self.stored(), entries) == self.first
        self.runner.run(self.database.close())
        self.runner.close()
        self.folder.cleanup()

    def open_journal(self) -> Journal:
        """Open the journal as a program that is started anew: it knows what the file holds."""
        return Journal(Path(self.folder.name, "journal.jsonl"), self.clock, "olga")

    def stored(self) -> Row:
        rows = PlainSQL(self.database.location)(f"SELECT {ACTED_ON} FROM runs")
        return dict(zip(ACTED_ON.split(", "), rows[0], strict=True))

    @rule(client=CLIENTS, which=st.integers(0, 9))
    def choose(self, client: int, which: int) -> None:
        standing = self.runner.run(self.actor.standing(KEY))
        assert standing is not None
        moves = [o for o in offers(standing, self.clock()) if o.allowed and o.act == "move"]
        assert {(self.status, str(move.to)) for move in moves} == {
            (old, new) for old, new in ALLOWED if old == self.status
        }
        if moves:
            fields = Fields(reason=f"client {client}", output='{"by":1}', pending=("n",))
            offer = moves[which % len(moves)]
            self.chosen[client] = plan(offer, KEY, standing, fields, self.clock())

    @rule(client=CLIENTS)
    def write(self, client: int) -> None:
        write = self.chosen.pop(client, None)
        if write is None:
            return
        before = everything(self.database.location)
        outcome = self.runner.run(self.actor.write(write))
        after = everything(self.database.location)
        assert outcome.written is (write.seen == self.status)
        if outcome.written:
            assert (self.status, outcome.stored) in ALLOWED
            assert_as_shown(write, outcome, before, after, START_COLUMN, beside=CHECKPOINTED)
            self.status = str(outcome.stored)
        else:
            told = f"changed to {self.status} by another writer, nothing done"
            assert (outcome.problem, outcome.stored) == (told, self.status)
            assert after == before
        self.journal.record(write, outcome, database="own.db", kind="own")

    @invariant()
    def the_journal_leads_to_what_is_stored(self) -> None:
        assert _forward(self.first, self.journal.entries()) == self.stored()


def _forward(row: Row, entries: tuple[Entry, ...]) -> Row:
    """Do once more what the journal says was done."""
    for entry in entries:
        row = {**row, **(entry.after if entry.written else {})}
    return row


def _backward(row: Row, entries: tuple[Entry, ...]) -> Row:
    """Take back what the journal says was done, the last first."""
    for entry in reversed(entries):
        row = {**row, **(entry.before if entry.written else {})}
    return row


TestClients = Clients.TestCase
TestClients.settings = settings(share(4), stateful_step_count=20)
