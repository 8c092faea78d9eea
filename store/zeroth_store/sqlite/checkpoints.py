"""Loading checkpoints as runs."""

from __future__ import annotations

from zeroth_store.models import Run
from zeroth_store.sqlite import records
from zeroth_store.sqlite.database import Session
from zeroth_store.sqlite.ready import Repository
from zeroth_store.sqlite.records import Scope, scope_of
from zeroth_store.sqlite.rows import run_from_state


class CheckpointReading(Repository):
    """The part of RunRepository that reads checkpoints."""

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
        """Load the last checkpoint that a thread lists, or None when it lists none."""
        checkpoints = await self._load_listed(thread_id, scope_of(tenant_id, workspace_id), last=1)
        return checkpoints[0] if checkpoints else None

    async def list_checkpoints(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> list[Run]:
        """Load a thread's checkpoints in the thread's order; refs without a row are left out."""
        return await self._load_listed(thread_id, scope_of(tenant_id, workspace_id))

    async def _load_listed(
        self, thread_id: str, scope: Scope | None, *, last: int | None = None
    ) -> list[Run]:
        async with self._ready.reading() as session:
            thread = await records.find_thread(session, thread_id, scope)
            if thread is None:
                return []
            refs = thread.checkpoint_refs if last is None else thread.checkpoint_refs[-last:]
            scope = records.scope_of_model(thread)
            loaded = [await _load_checkpoint(session, ref, scope) for ref in refs]
        return [run for run in loaded if run is not None]


async def _load_checkpoint(session: Session, checkpoint_id: str, scope: Scope | None) -> Run | None:
    row = await records.find_checkpoint(session, checkpoint_id, scope)
    if row is None:
        return None
    return run_from_state(row["state_json"], f"checkpoint {checkpoint_id!r}")
