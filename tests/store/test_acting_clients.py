"""Several people act on one run at once, each as it was when they looked: no illegal edge."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.shares import share
from tests.store.acting import KEY
from tests.store.support import PlainSQL, a_run
from tests.store.test_status import ALLOWED
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Fields, Write
from zeroth_store.models import utc_now
from zeroth_store.sqlite.own_actor import OwnActor

pytestmark = pytest.mark.thorough

CLIENTS = st.integers(0, 2)
ACTED_ON = "status, error, failure_state, failure_count, final_output, pending_node_ids"


class Clients(RuleBasedStateMachine):
    """Three people look at a run, choose, and write later; the model is the run's status."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = AsyncSQLiteDatabase(":memory:")
        runs = RunRepository(self.database)
        self.actor = OwnActor(self.database, runs)
        self.chosen: dict[int, Write] = {}
        self.status = "PENDING"
        self.runner.run(self.database.connect())
        self.runner.run(runs.initialize())
        self.runner.run(runs.create(a_run()))
        self.journalled = self.stored()

    def teardown(self) -> None:
        self.runner.run(self.database.close())
        self.runner.close()

    def stored(self) -> dict[str, Any]:
        rows = PlainSQL(self.database.location)(f"SELECT {ACTED_ON} FROM runs")
        return dict(zip(ACTED_ON.split(", "), rows[0], strict=True))

    @rule(client=CLIENTS, which=st.integers(0, 9))
    def choose(self, client: int, which: int) -> None:
        standing, now = self.runner.run(self.actor.standing(KEY)), utc_now()
        assert standing is not None
        moves = [o for o in offers(standing, now) if o.allowed and o.act == "move"]
        assert {(self.status, str(move.to)) for move in moves} == {
            (old, new) for old, new in ALLOWED if old == self.status
        }
        if moves:
            fields = Fields(reason=f"client {client}", output='{"by":1}', pending=("n",))
            self.chosen[client] = plan(moves[which % len(moves)], KEY, standing, fields, now)

    @rule(client=CLIENTS)
    def write(self, client: int) -> None:
        write = self.chosen.pop(client, None)
        if write is None:
            return
        outcome = self.runner.run(self.actor.write(write))
        assert outcome.written is (write.seen == self.status)
        if outcome.written:
            assert (self.status, outcome.stored) in ALLOWED
            assert outcome.before == {name: self.journalled[name] for name in write.columns}
            self.journalled |= outcome.after
            self.status = str(outcome.stored)
        else:
            told = f"changed to {self.status} by another writer, nothing done"
            assert (outcome.problem, outcome.stored) == (told, self.status)

    @invariant()
    def the_journal_leads_to_what_is_stored(self) -> None:
        assert self.stored() == self.journalled


TestClients = Clients.TestCase
TestClients.settings = settings(share(4), stateful_step_count=20)
