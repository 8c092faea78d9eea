"""A run's row as its worker keeps it: written at each change, or once when nobody can watch.

Every write compares before it sets: a run whose status somebody else has changed is never
overwritten, the write raises StatusConflict instead.
"""

from __future__ import annotations

from datetime import datetime

from zeroth_store.errors import RunNotFound, StatusConflict
from zeroth_store.models import Run
from zeroth_store.sqlite.repositories.audit_log import ApprovalRecord, NodeAudit
from zeroth_store.status import RunStatus, check_transition
from zeroth_tui.demo.stage import Stage

_WORKERS = 4
_LEASE_SECONDS = 300.0
"""Longer than any node takes, since the demo renews a lease only when it writes."""

_LAST_SECONDS = 60.0
"""What Zeroth's lease still lasts when the worker dies right after renewing it."""


class RunBook:
    """Keeps one run, in memory and in the database."""

    def __init__(self, stage: Stage, run: Run) -> None:
        """Keep `run`; nothing is stored until `create`."""
        self.stage = stage
        self.run = run
        """The run as last written or read, and what has been noted since."""
        self.audits: list[NodeAudit] = []
        """Executions of nodes that the log does not hold yet."""
        self.approvals: list[ApprovalRecord] = []
        """Questions and answers that the log does not hold yet."""
        self._stored: RunStatus | None = None
        self._changed: datetime | None = None
        self._leased = False

    async def create(self) -> None:
        """Store the run for the first time."""
        await self._write_unless_skipping()

    async def save(self, status: RunStatus | None = None) -> None:
        """Store the run and move it to `status`; StatusConflict when somebody was faster.

        Raises InvalidTransition where a run may not go from one status to the other.
        """
        if status is not None:
            check_transition(self.run.status, status)
            self.run.status = status
        await self._write_unless_skipping(now=status is not None and self._stored is not None)

    async def move(self, new: RunStatus) -> None:
        """Change nothing but the status; StatusConflict when somebody was faster."""
        seen = self.run.status
        if self.stage.skipping and self._stored is None and seen is not RunStatus.FAILED:
            await self.save(new)
            return
        await self.write()
        self.run = await self.stage.store.runs.transition(
            self.run.run_id, new, expected_status=seen, tenant_id=self.run.tenant_id
        )
        self._stored = new
        await self._keep_lease()

    async def look(self) -> RunStatus:
        """Read the run again, forgetting what was not saved; RunNotFound when it is deleted."""
        if self._changed is None:
            run = await self.stage.store.runs.get(self.run.run_id, tenant_id=self.run.tenant_id)
            if run is None:
                raise RunNotFound(self.run.run_id)
            self.run, self._stored = run, run.status
        return self.run.status

    def expect(self, *expected: RunStatus) -> None:
        """Raise StatusConflict unless the run, as last seen, is in one of these statuses."""
        if self.run.status not in expected:
            raise StatusConflict(self.run.run_id, expected[0], self.run.status)

    async def keep(self) -> None:
        """Write a checkpoint that later saves do not overwrite; StatusConflict as for `save`."""
        await self.write()
        await self.stage.store.runs.snapshot(
            self.run.run_id, expected_status=self.run.status, tenant_id=self.run.tenant_id
        )

    async def count_failure(self) -> int:
        """Count one more failure of the run; returns how many there are."""
        await self.write()
        return await self.stage.store.runs.increment_failure_count(
            self.run.run_id, tenant_id=self.run.tenant_id
        )

    async def write(self) -> None:
        """Write what is not written yet, and before it the runs that were created earlier."""
        for book in list(self.stage.unwritten):
            if book is self:
                break
            await book.write_alone()
        await self.write_alone()

    async def write_alone(self) -> None:
        """Write what is not written yet, stamped with the moment at which it changed."""
        if self in self.stage.unwritten:
            self.stage.unwritten.remove(self)
        changed, self._changed = self._changed, None
        if changed is None:
            return
        await self.keep_log()
        store = self.stage.store
        now, store.moment = store.moment, changed
        try:
            if self._stored is None:
                self.run = await store.runs.create(self.run)
            else:
                self.run = await store.runs.put_if_status(self.run, self._stored)
        finally:
            store.moment = now
        self._stored = self.run.status
        await self._keep_lease()

    async def lose_worker(self) -> None:
        """Leave the run as it is, with a lease that nobody renews any more."""
        await self.write()
        await self.stage.store.runs.hold_lease(
            self.run.run_id, self._worker, seconds=_LAST_SECONDS, tenant_id=self.run.tenant_id
        )
        self._leased = False

    async def keep_log(self) -> None:
        """Tell the log what was noted for it: before the run's row, as Zeroth's workers do."""
        audits, self.audits = self.audits, []
        approvals, self.approvals = self.approvals, []
        if audits or approvals:
            await self.stage.store.log.record(self.run, audits, approvals)

    async def _keep_lease(self) -> None:
        """Hold the run while it is RUNNING in sight of others, as a worker does."""
        run, runs = self.run, self.stage.store.runs
        if run.status is RunStatus.RUNNING and not self.stage.skipping:
            self._leased = await runs.hold_lease(
                run.run_id, self._worker, seconds=_LEASE_SECONDS, tenant_id=run.tenant_id
            )
        elif self._leased:
            self._leased = False
            await runs.release_lease(run.run_id, self._worker, tenant_id=run.tenant_id)

    @property
    def _worker(self) -> str:
        return f"worker-{int(self.run.run_id[:4], 16) % _WORKERS + 1}"

    async def _write_unless_skipping(self, *, now: bool = False) -> None:
        """Write if somebody can watch, or `now` because the row would miss a status."""
        self._changed = self.stage.moment
        if self not in self.stage.unwritten:
            self.stage.unwritten.append(self)
        if now or not self.stage.skipping:
            await self.write()
