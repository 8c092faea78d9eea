"""Saving and loading whole runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from zeroth_store.errors import RunExists
from zeroth_store.models import Run
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.audit_log import forget
from zeroth_store.sqlite.repositories.checkpoints import Checkpoints
from zeroth_store.sqlite.repositories.database import Session
from zeroth_store.sqlite.repositories.leases import Leases
from zeroth_store.sqlite.repositories.records import Scope, scope_of
from zeroth_store.sqlite.repositories.rows import run_from_row
from zeroth_store.sqlite.repositories.run_changes import RunChanges
from zeroth_store.sqlite.repositories.run_lists import RunLists
from zeroth_store.status import RunStatus


class RunRepository(RunChanges, Leases, Checkpoints, RunLists):
    """Runs in an own database.

    Ids repeat across tenants and workspaces. Methods that take an id look in all scopes unless
    `tenant_id` or `workspace_id` says which one, and raise AmbiguousId rather than guess.
    Every write is one transaction over run, thread and checkpoint.
    """

    async def get(
        self, run_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> Run | None:
        """Load a run by its id, or return None if not found. Raises UnreadableRow, AmbiguousId."""
        async with self._ready.reading() as session:
            row = await records.find_run(session, run_id, scope_of(tenant_id, workspace_id))
        return None if row is None else run_from_row(row)

    async def create(self, run: Run) -> Run:
        """Save a new run with its thread and first checkpoint; returns the stored version.

        Raises RunExists and ThreadIdentityMismatch. The given run gets the checkpoint's id.
        """

        async def must_be_new(session: Session) -> None:
            if await records.find_run(session, run.run_id, records.scope_of_model(run)):
                raise RunExists(run.run_id)

        return await self._save(run, must_be_new)

    async def put(self, run: Run) -> Run:
        """Save (insert or update) a run, its thread and its checkpoint; returns it as stored.

        The checkpoint named by `run.checkpoint_id` is overwritten; without one a new checkpoint
        is made and the given run gets its id. Leases and the failure counter stay as stored.
        """

        async def anything(session: Session) -> None:
            """Let any status be overwritten: only `transition` checks."""

        return await self._save(run, anything)

    async def put_if_status(self, run: Run, expected_status: RunStatus) -> Run:
        """Save a run only while its stored status is `expected_status`; returns it as stored.

        Raises StatusConflict carrying both statuses, or RunNotFound; nothing is written then.
        """

        async def must_be_as_expected(session: Session) -> None:
            row = await records.need_run(session, run.run_id, records.scope_of_model(run))
            records.expect_status(row, expected_status)

        return await self._save(run, must_be_as_expected)

    async def update(self, run: Run) -> Run:
        """Save changes to a stored run; RunNotFound when it is not there. Else as `put`."""

        async def must_exist(session: Session) -> None:
            await records.need_run(session, run.run_id, records.scope_of_model(run))

        return await self._save(run, must_exist)

    async def _save(self, run: Run, check: Callable[[Session], Awaitable[None]]) -> Run:
        saved = self._stamped(run, run.checkpoint_id or self._ids())
        async with self._ready.transaction() as session:
            await check(session)
            thread = await records.seat_run(session, saved)
            await records.save_run(session, saved)
            scope = records.scope_of_model(saved)
            stored = run_from_row(await records.need_run(session, saved.run_id, scope))
            await records.write_snapshot(session, stored, thread)
        run.checkpoint_id, run.updated_at = saved.checkpoint_id, saved.updated_at
        return stored

    async def delete(
        self, run_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> bool:
        """Remove a run, its checkpoints, its log and its place in its thread.

        Returns False when it is not found.
        """
        async with self._ready.transaction() as session:
            row = await records.find_run(session, run_id, scope_of(tenant_id, workspace_id))
            if row is None:
                return False
            scope = Scope(row["tenant_id"], row["workspace_scope"])
            where = "WHERE tenant_id = ? AND workspace_scope = ? AND run_id = ?"
            gone = await session.fetch_all(
                f"SELECT checkpoint_id FROM run_checkpoints {where}",
                (*scope, run_id),
            )
            for table in ("run_checkpoints", "runs"):
                await session.execute(f"DELETE FROM {table} {where}", (*scope, run_id))
            await forget(session, run_id, row["tenant_id"], row["workspace_id"])
            thread = await records.find_thread(session, row["thread_id"], scope)
            if thread is not None:
                lost = {checkpoint["checkpoint_id"] for checkpoint in gone}
                thread.checkpoint_refs = [ref for ref in thread.checkpoint_refs if ref not in lost]
                thread.run_ids = [listed for listed in thread.run_ids if listed != run_id]
                if thread.active_run_id == run_id:
                    thread.active_run_id = None
                if thread.last_run_id == run_id:
                    thread.last_run_id = next(reversed(thread.run_ids), None)
                thread.updated_at = self._clock()
                await records.save_thread(session, thread)
            return True
