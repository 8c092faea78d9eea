"""One run while it is played: what its worker knows of it, notes in it and does with it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from zeroth_store.models import ActorIdentity, Run, RunFailureState, RunHistoryEntry
from zeroth_store.sqlite.repositories.audit_log import NodeAudit
from zeroth_store.status import RunStatus
from zeroth_tui.demo import ledger, place, rows
from zeroth_tui.demo.book import RunBook
from zeroth_tui.demo.scenario import Edge, Scenario
from zeroth_tui.demo.stage import Stage

_QUEUE_SECONDS = 0.8
_HOP_SECONDS = 0.1


class Act(RunBook):
    """A run in the hands of a simulated worker."""

    def __init__(
        self,
        stage: Stage,
        scenario: Scenario,
        thread_id: str,
        *,
        parent: Act | None = None,
        parent_node: str | None = None,
        run: Run | None = None,
    ) -> None:
        """Prepare a run of `scenario`; nothing is stored until `create`.

        A child names its `parent` and the parent's node that spawned it, and gets that node's
        input. A `run` that is stored already is taken up by `look` and `resume`.
        """
        self.store = stage.store
        self.scenario = scenario
        self.parent = parent
        self.parent_node = parent_node
        self.depth: int = 0 if parent is None else parent.depth + 1
        """0 for a run that somebody submitted, 1 for its children, and so on."""
        self.payload: dict[str, Any] = dict(scenario.input if parent is None else parent.payload)
        """What the next node gets."""
        self.attempt = 1
        """Which attempt at the next node it is."""
        self.ways_out = False
        """Whether the last node that completed had edges."""
        self.prefix = "" if parent is None else scenario.graph.child_prefix
        """What stands before the ids of this run's nodes and edges."""
        super().__init__(stage, run or self._new_run(stage.moment, thread_id))

    def _new_run(self, now: datetime, thread_id: str) -> Run:
        graph = self.scenario.graph
        first = self.name(self.scenario.first_node)
        parent = self.parent
        return Run(
            run_id=self.store.new_id(),
            thread_id=thread_id,
            graph_version_ref=graph.ref if parent is None else graph.child_ref,
            deployment_ref=graph.id,
            started_at=now,
            pending_node_ids=[first],
            metadata={
                "audits": {},
                "edge_visit_counts": {},
                "graph_id": graph.id,
                "graph_name": graph.name,
                "initial_input": dict(self.payload),
                "node_payloads": {first: dict(self.payload)},
                "path": [],
                **self._origin(),
            },
            submitted_by=None if parent else _operator(self.scenario.by),
        )

    def _origin(self) -> dict[str, Any]:
        if self.parent is None:
            return {}
        return {
            "parent_node_id": self.parent_node,
            "parent_run_id": self.parent.run.run_id,
            "subgraph_depth": self.depth,
            "visited_subgraph_refs": [self.scenario.graph.id],
        }

    def resume(self) -> int:
        """Go on with a stored run as its row says; returns the number of the step it is at."""
        steps = self.scenario.steps
        at = place.place(self.scenario, self.run)
        number = len(steps) if at is None else at
        self.prefix = place.prefix(self.scenario, self.run)
        self.payload = place.payload(self.run)
        self.ways_out = bool(number and getattr(steps[number - 1], "edges", ()))
        return number

    @property
    def moment(self) -> datetime:
        """The simulated time."""
        return self.stage.moment

    def name(self, identity: str) -> str:
        """Return the id of a node as this run stores it."""
        return f"{self.prefix}{identity}"

    async def wait(self, typical: float) -> None:
        """Let about so many seconds pass."""
        await self.stage.wait(self.store.vary(typical))

    async def rest(self, typical: float) -> RunStatus:
        """Wait until the time is over or somebody changes the status; returns the status found."""
        status = self.run.status
        left = self.store.vary(typical)
        while left > 0 and self.run.status is status:
            pause = min(left, self.stage.patience)
            await self.stage.wait(pause)
            left -= pause
            await self.look()
        return self.run.status

    async def take_up(self) -> None:
        """Take the run from the queue if it is there; StatusConflict unless it is RUNNING."""
        if self.run.status is RunStatus.PENDING:
            await self.wait(_QUEUE_SECONDS)
            await self.move(RunStatus.RUNNING)
        self.expect(RunStatus.RUNNING)

    async def begin(self, node: str) -> None:
        """Take the run up and store that a node runs now."""
        await self.take_up()
        await self.wait(_HOP_SECONDS)
        ledger.dispatch(self.run, self.name(node), self.payload)
        await self.save()

    def note_completed(
        self,
        node: str,
        output: Mapping[str, Any],
        *,
        began: datetime,
        at: datetime | None = None,
        cost: float | None = None,
        estimate: float | None = None,
    ) -> None:
        """Note that a node that `began` completed with `output`, now unless `at` says when."""
        ended = at or self.moment
        entry = rows.completed_entry(
            self.name(node),
            given=self.payload,
            output=output,
            at=ended,
            audit_ref=ledger.next_audit_ref(self.run),
            attempt=self.attempt,
            cost=cost,
            estimate=estimate,
        )
        self.note(entry, began, ended)
        ledger.visit(self.run, self.name(node))

    def note_failed(self, node: str, began: datetime) -> None:
        """Note that a node failed now."""
        entry = rows.failed_entry(
            self.name(node),
            given=self.payload,
            began=began,
            ended=self.moment,
            audit_ref=ledger.next_audit_ref(self.run),
            attempt=self.attempt,
        )
        self.note(entry, began, self.moment)

    def note(self, entry: RunHistoryEntry, began: datetime, ended: datetime) -> None:
        """Append an entry to the history, and to the log how long its node took."""
        ledger.add_entry(self.run, entry)
        run_id, ref = self.run.run_id, entry.audit_ref or ""
        audit = NodeAudit(
            audit_id=ref if ref.startswith(run_id) else f"{run_id}:{ref}",
            node_id=entry.node_id,
            status=entry.status,
            started=began,
            completed=ended,
            attempt=entry.attempt,
            cost_usd=entry.cost_usd,
            estimated_cost_usd=entry.estimated_cost_usd,
        )
        self.audits.append(audit)

    def decide(self, node: str, edges: tuple[Edge, ...]) -> list[str]:
        """Note which ways out of a node are taken; returns the nodes they lead to."""
        return ledger.decide(self.run, self.name(node), edges, prefix=self.prefix, at=self.moment)

    async def leave(self, node: str, edges: tuple[Edge, ...], output: Mapping[str, Any]) -> None:
        """Store what was noted of a completed node; `output` is what the next one gets."""
        ledger.await_turn(self.run, self.decide(node, edges), output)
        await self.save()
        self.payload = dict(output)
        self.attempt = 1
        self.ways_out = bool(edges)

    async def fail(self, reason: str, message: str, details: Mapping[str, Any]) -> None:
        """Store that the run failed."""
        self.run.failure_state = RunFailureState(
            reason=reason, message=message, details=dict(details)
        )
        self.run.error = message
        self.run.metadata["termination_reason"] = reason
        await self.save(RunStatus.FAILED)

    async def finish(self) -> None:
        """Store that the run completed."""
        await self.take_up()
        await self.wait(_HOP_SECONDS)
        ledger.finish(self.run, self.payload, ways_out=self.ways_out)
        await self.save(RunStatus.COMPLETED)


def _operator(subject: str) -> ActorIdentity:
    return ActorIdentity(
        subject=subject, auth_method="api_key", roles=["operator"], tenant_id="default"
    )
