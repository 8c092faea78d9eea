"""Saving and loading threads, and the runs they hold."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from zeroth_store.errors import ThreadExists, ThreadIdentityMismatch
from zeroth_store.models import Run, Thread, ThreadMemoryBinding
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.database import Session
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.records import Scope, merged, scope_of
from zeroth_store.sqlite.repositories.rows import run_from_row, thread_from_row
from zeroth_store.status import ThreadStatus
from zeroth_store.summaries import workspace_scope


class ThreadRepository(Repository):
    """Threads in an own database. How ids and scopes go together is as in RunRepository."""

    async def create(self, thread: Thread) -> Thread:
        """Save a new thread and return it as stored. Raises ThreadExists."""
        async with self._ready.transaction() as session:
            scope = records.scope_of_model(thread)
            if await records.find_thread(session, thread.thread_id, scope):
                raise ThreadExists(thread.thread_id)
            return await self._saved(session, thread)

    async def get(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> Thread | None:
        """Load a thread by its id, or return None if not found. Raises AmbiguousId."""
        async with self._ready.reading() as session:
            return await records.find_thread(session, thread_id, scope_of(tenant_id, workspace_id))

    async def list(self) -> builtins.list[Thread]:
        """Return all threads, oldest first."""
        async with self._ready.reading() as session:
            rows = await session.fetch_all("SELECT * FROM threads ORDER BY created_at, thread_id")
        return [thread_from_row(row) for row in rows]

    async def update(self, thread: Thread) -> Thread:
        """Save changes to a stored thread and return it as stored. Raises ThreadNotFound."""
        async with self._ready.transaction() as session:
            await records.need_thread(session, thread.thread_id, records.scope_of_model(thread))
            changed = thread.model_copy(update={"updated_at": self._clock()})
            return await self._saved(session, changed)

    async def resolve(
        self,
        thread_id: str | None,
        *,
        graph_version_ref: str,
        deployment_ref: str,
        tenant_id: str = "default",
        workspace_id: str | None = None,
        participating_agent_refs: Sequence[str] | None = None,
        state_snapshot_refs: Sequence[str] | None = None,
        checkpoint_refs: Sequence[str] | None = None,
        memory_bindings: Sequence[ThreadMemoryBinding] | None = None,
        run_id: str | None = None,
        status: ThreadStatus | None = None,
    ) -> Thread:
        """Find or create a thread, merging in any new data, and return it as stored.

        Lists keep their order and gain what is new; `run_id` becomes the active and last run; no
        `thread_id` means the run's id, else a new one. Raises ThreadIdentityMismatch when the
        thread belongs to another graph version or deployment.
        """
        thread_id = thread_id or run_id or self._ids()
        async with self._ready.transaction() as session:
            scope = Scope(tenant_id, workspace_scope(workspace_id))
            now = self._clock()
            thread = await records.find_thread(session, thread_id, scope) or Thread(
                thread_id=thread_id,
                graph_version_ref=graph_version_ref,
                deployment_ref=deployment_ref,
                tenant_id=tenant_id,
                workspace_id=workspace_id,
                created_at=now,
            )
            _same_identity(thread, graph_version_ref, deployment_ref)
            thread.participating_agent_refs = merged(
                thread.participating_agent_refs, participating_agent_refs
            )
            thread.state_snapshot_refs = merged(thread.state_snapshot_refs, state_snapshot_refs)
            thread.checkpoint_refs = merged(thread.checkpoint_refs, checkpoint_refs)
            thread.memory_bindings = merged(thread.memory_bindings, memory_bindings)
            thread.status = status or thread.status
            thread.updated_at = now
            if run_id:
                _make_active(thread, run_id)
            return await self._saved(session, thread)

    async def attach_run(
        self,
        thread_id: str,
        run_id: str,
        *,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> Thread:
        """Add a run to a thread, make it the active and last one. Raises ThreadNotFound."""
        async with self._ready.transaction() as session:
            scope = scope_of(tenant_id, workspace_id)
            thread = await records.need_thread(session, thread_id, scope)
            _make_active(thread, run_id)
            thread.updated_at = self._clock()
            return await self._saved(session, thread)

    async def set_active_run_id(
        self,
        thread_id: str,
        run_id: str,
        *,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> None:
        """Mark a run as the active one of its thread. Raises ThreadNotFound."""
        await self.attach_run(thread_id, run_id, tenant_id=tenant_id, workspace_id=workspace_id)

    async def list_runs(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> builtins.list[Run]:
        """Return the runs that a thread lists, in its order; empty when there is no thread."""
        async with self._ready.reading() as session:
            scope = scope_of(tenant_id, workspace_id)
            thread = await records.find_thread(session, thread_id, scope)
            if thread is None:
                return []
            scope = records.scope_of_model(thread)
            rows = [await records.find_run(session, run_id, scope) for run_id in thread.run_ids]
        return [run_from_row(row) for row in rows if row is not None]

    async def list_run_ids(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> builtins.list[str]:
        """Return the ids of a thread's runs in its order; empty when there is no thread."""
        thread = await self.get(thread_id, tenant_id=tenant_id, workspace_id=workspace_id)
        return [] if thread is None else thread.run_ids

    async def get_active_run_id(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> str | None:
        """Return the id of a thread's active run, or None."""
        thread = await self.get(thread_id, tenant_id=tenant_id, workspace_id=workspace_id)
        return None if thread is None else thread.active_run_id

    async def get_latest_run_id(
        self, thread_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> str | None:
        """Return the id of the run that was added to a thread last, or None."""
        ids = await self.list_run_ids(thread_id, tenant_id=tenant_id, workspace_id=workspace_id)
        return ids[-1] if ids else None

    async def _saved(self, session: Session, thread: Thread) -> Thread:
        await records.save_thread(session, thread)
        scope = records.scope_of_model(thread)
        return await records.need_thread(session, thread.thread_id, scope)


def _make_active(thread: Thread, run_id: str) -> None:
    thread.run_ids = merged(thread.run_ids, (run_id,))
    thread.active_run_id = run_id
    thread.last_run_id = run_id


def _same_identity(thread: Thread, graph_version_ref: str, deployment_ref: str) -> None:
    if (thread.graph_version_ref, thread.deployment_ref) != (graph_version_ref, deployment_ref):
        raise ThreadIdentityMismatch(
            thread.thread_id,
            f"belongs to {thread.graph_version_ref!r} of deployment {thread.deployment_ref!r}",
        )
