"""Writing checkpoints of runs, and loading them as runs."""

from __future__ import annotations

from zeroth_store.models import Run
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.database import Session
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.records import Scope, scope_of
from zeroth_store.sqlite.repositories.rows import checked, run_from_row, run_from_state
from zeroth_store.status import RunStatus


class Checkpoints(Repository):
    """The part of RunRepository that is about checkpoints."""

    async def get_checkpoint(
        self, checkpoint_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> Run | None:
        """Load a checkpoint by its id, or None. Raises UnreadableRow (also for encrypted ones)."""
        async with self._ready.reading() as session:
            scope = scope_of(tenant_id, workspace_id)
            return await _load_checkpoint(session, checkpoint_id, scope)

    async def get_latest_checkpoint(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> Run | None:
        """Load the last checkpoint that a thread lists and that has a row, or None."""
        scope = scope_of(tenant_id, workspace_id)
        async with self._ready.reading() as session:
            thread = await records.find_thread(session, thread_id, scope)
            if thread is None:
                return None
            scope = records.scope_of_model(thread)
            for ref in reversed(thread.checkpoint_refs):
                run = await _load_checkpoint(session, ref, scope)
                if run is not None:
                    return run
        return None

    async def list_checkpoints(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> list[Run]:
        """Load a thread's checkpoints in the thread's order; refs without a row are left out."""
        scope = scope_of(tenant_id, workspace_id)
        async with self._ready.reading() as session:
            thread = await records.find_thread(session, thread_id, scope)
            if thread is None:
                return []
            scope = records.scope_of_model(thread)
            loaded = [await _load_checkpoint(session, ref, scope) for ref in thread.checkpoint_refs]
        return [run for run in loaded if run is not None]

    async def write_checkpoint(self, run: Run) -> str:
        """Save a snapshot of the given run, list it in its thread and return the checkpoint's id.

        The run's own row is not touched. A run without `checkpoint_id` gets a new one.
        """
        checkpoint_id = run.checkpoint_id or self._ids()
        saved = self._stamped(run, checkpoint_id)
        async with self._ready.transaction() as session:
            await records.write_snapshot(session, saved, await records.seat_run(session, saved))
        run.checkpoint_id, run.updated_at = checkpoint_id, saved.updated_at
        return checkpoint_id

    async def snapshot(
        self,
        run_id: str,
        *,
        expected_status: RunStatus,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> str:
        """Write a new checkpoint of a stored run while its status is as expected; returns its id.

        Unlike the checkpoint that every save overwrites, this one stays as it is. Raises
        StatusConflict or RunNotFound; nothing is written then.
        """
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            records.expect_status(row, expected_status)
            run = run_from_row(row)
            checkpoint_id = self._ids()
            run.checkpoint_id, run.parent_checkpoint_id = checkpoint_id, run.checkpoint_id
            run.updated_at = self._clock()
            await records.write_snapshot(session, run, await records.seat_run(session, run))
            return checkpoint_id

    def _stamped(self, run: Run, checkpoint_id: str) -> Run:
        """Return the copy of a run that is saved: validated, with the time and its checkpoint."""
        saved = checked(run)
        saved.updated_at = self._clock()
        saved.checkpoint_id = checkpoint_id
        return saved


async def _load_checkpoint(session: Session, checkpoint_id: str, scope: Scope | None) -> Run | None:
    row = await records.find_checkpoint(session, checkpoint_id, scope)
    if row is None:
        return None
    return run_from_state(row["state_json"], f"checkpoint {checkpoint_id!r}")
