"""People who act on the runs of a demo, and a story that leaves them the time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.demo.stagehands import rows
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Fields
from zeroth_store.browse import RunKey
from zeroth_store.sqlite.acting.late_actor import LateActor
from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import Edge, Graph, Node, Scenario, Story

PLAIN = Story(
    "Three nodes of ten seconds",
    "plain",
    (
        Scenario(
            Graph("plain", "Plain", 1),
            {"question": "?"},
            (
                Node("one", 10.0, {"a": 1}, edges=(Edge("e1", "two"),)),
                Node("two", 10.0, {"b": 2}, edges=(Edge("e2", "three"),)),
                Node("three", 10.0, {"c": 3}),
            ),
        ),
    ),
)
"""By 20 s the first node has ended (10 s, at most 1.3 times that, and queueing), by 27 s not all
three have (three times 8 s at least)."""


class Person:
    """Somebody with the explorer open: another connection to the same file.

    The newest run of a graph is acted on, or of what a condition in SQL says.
    """

    def __init__(self, path: Path, graph: str) -> None:
        self._path = path
        self._where = graph if " = " in graph else f"deployment_ref = '{graph}'"

    def key(self) -> RunKey:
        """Return the run."""
        sql = f"SELECT run_id FROM runs WHERE {self._where} ORDER BY rowid DESC LIMIT 1"
        return RunKey("default", "null", rows(self._path, sql)[0]["run_id"])

    async def set(
        self, status: RunStatus, reason: str = "operator_cancelled", pending: tuple[str, ...] = ()
    ) -> None:
        """Move the run to a status, as the explorer's dialog does; `pending` names other nodes."""
        key = self.key()
        async with LateActor(self._path) as actor:
            standing = await actor.standing(key)
            assert standing is not None
            now = datetime.now(UTC)
            offer = next(one for one in offers(standing, now) if one.to is status)
            outcome = await actor.write(
                plan(offer, key, standing, Fields(reason=reason, pending=pending), now)
            )
        assert outcome.written, outcome

    async def fork(self, step: int) -> None:
        """Begin a new run where the graph's newest one was before a step of its history."""
        async with LateActor(self._path) as actor:
            outcome = await actor.write(await actor.plan_fork(self.key(), step=step))
        assert outcome.written, outcome
