"""The narrow contracts that code above the repositories depends on; persistence is injected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from zeroth_store.status import RunStatus, ThreadStatus

if TYPE_CHECKING:  # the explorer uses these protocols and must not pay for Pydantic at its start
    from zeroth_store.models import Run, Thread, ThreadMemoryBinding


class RunReader(Protocol):
    """Load persisted runs by identity."""

    async def get(self, run_id: str) -> Run | None:
        """Load a run by its id, or return None if not found."""
        ...


class RunWriter(Protocol):
    """Persist runs as execution progresses."""

    async def create(self, run: Run) -> Run:
        """Save a new run and return the persisted version; RunExists if it is stored already."""
        ...

    async def put(self, run: Run) -> Run:
        """Save (insert or update) a run and return the persisted version."""
        ...

    async def put_if_status(self, run: Run, expected_status: RunStatus) -> Run:
        """Save a run only while its stored status is `expected_status`; else StatusConflict."""
        ...


class CheckpointStore(Protocol):
    """Snapshot run state so that an interrupted execution can resume."""

    async def write_checkpoint(self, run: Run) -> str:
        """Save a snapshot of the run and return the checkpoint id."""
        ...

    async def get_checkpoint(self, checkpoint_id: str) -> Run | None:
        """Load a checkpoint by its id, or return None if not found."""
        ...


class ThreadStore(Protocol):
    """Resolve and update the thread that groups a sequence of runs."""

    async def get(self, thread_id: str) -> Thread | None:
        """Load a thread by its id, or return None if not found."""
        ...

    async def resolve(
        self,
        thread_id: str | None,
        *,
        graph_version_ref: str,
        deployment_ref: str,
        participating_agent_refs: Sequence[str] | None = None,
        state_snapshot_refs: Sequence[str] | None = None,
        checkpoint_refs: Sequence[str] | None = None,
        memory_bindings: Sequence[ThreadMemoryBinding] | None = None,
        run_id: str | None = None,
        status: ThreadStatus | None = None,
    ) -> Thread:
        """Find or create a thread, merging in any new data."""
        ...
