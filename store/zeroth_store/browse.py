"""What a caller may ask of a run database, and the frozen values it gets back.

This side is for looking, never for writing. Everything it returns is imported from here.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from zeroth_store.run_detail import (
    ApprovalEntry,
    AuditEntry,
    CellProblem,
    CheckpointKind,
    CheckpointSummary,
    ConditionEntry,
    FailureInfo,
    HistoryEntry,
    JsonText,
    OperationEntry,
    RelatedRows,
    RunDetail,
    Stored,
)
from zeroth_store.summaries import (
    NULL_SCOPE,
    Cost,
    Lease,
    RollUp,
    RunKey,
    RunSummary,
    ThreadKey,
    ThreadSummary,
)
from zeroth_store.times import Moment

__all__ = [
    "NULL_SCOPE",
    "ApprovalEntry",
    "AuditEntry",
    "CellProblem",
    "CheckpointKind",
    "CheckpointSummary",
    "ConditionEntry",
    "Cost",
    "DatabaseInfo",
    "FailureInfo",
    "HistoryEntry",
    "JsonText",
    "Lease",
    "OperationEntry",
    "Page",
    "RelatedRows",
    "RollUp",
    "RunBrowser",
    "RunDetail",
    "RunKey",
    "RunQuery",
    "RunSummary",
    "Stored",
    "ThreadKey",
    "ThreadPage",
    "ThreadSummary",
]


class DatabaseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a database is and what it holds in all."""

    path: str
    kind: Literal["own", "guest"]
    revision: str | None
    journal_mode: str
    snapshot: bool
    """True when it is read as it was at opening, because a live open would leave files behind."""
    runs: int
    runs_by_status: tuple[tuple[str | None, int], ...]
    threads: int
    checkpoints: int
    checkpoints_encrypted: int
    scopes: int
    oldest_run: Moment
    newest_run: Moment
    warnings: tuple[str, ...] = ()


class Page(msgspec.Struct, frozen=True):
    """A stretch of a long list, in order; `more` is the cursor of the next stretch."""

    rows: tuple[RunSummary, ...]
    more: int | None = None
    """Pass it as `after` for the rows behind these; None at the end."""


class ThreadPage(msgspec.Struct, frozen=True):
    """A stretch of the thread list; see Page."""

    rows: tuple[ThreadSummary, ...]
    more: int | None = None


class RunQuery(msgspec.Struct, frozen=True):
    """Which runs a list wants, newest created first."""

    text: str = ""
    """Matches any part of id, thread, graph, status or error, ignoring ASCII case."""
    statuses: tuple[str | None, ...] = ()
    """Exactly these stored statuses; empty for all."""


class RunBrowser(Protocol):
    """The read side of a run database: short reads that never block a writer.

    Every method raises a `DatabaseError` when the file cannot be read, and `QueryTooSlow` when its
    budget is spent. No method raises for what a single cell holds.
    """

    async def info(self) -> DatabaseInfo:
        """Count and describe the whole database (reads every run's status)."""
        ...

    async def identity(self) -> tuple[Literal["own", "guest"], str | None, bool]:
        """Return kind, revision and whether it is a snapshot, without counting anything."""
        ...

    async def counts(self) -> tuple[tuple[str | None, int], ...]:
        """Return how many runs have each stored status, most frequent first."""
        ...

    async def threads(self, *, after: int | None = None, limit: int = 100) -> ThreadPage:
        """Return threads, newest created first, without pseudo-threads of thread state."""
        ...

    async def loose_runs(self, *, limit: int = 500) -> tuple[RunSummary, ...]:
        """Return runs whose thread has no row, newest first."""
        ...

    async def thread_runs(self, thread: ThreadKey) -> tuple[RunSummary, ...]:
        """Return a thread's runs, oldest first: those it lists and those that name it."""
        ...

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        ...

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        ...

    async def run(self, key: RunKey) -> RunDetail | None:
        """Return one run whole, or None when it is gone."""
        ...

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        ...

    async def checkpoints(self, key: RunKey) -> tuple[CheckpointSummary, ...]:
        """Return the checkpoints of the run's thread in the thread's order, this run's included."""
        ...

    async def checkpoint(self, key: RunKey, checkpoint_id: str) -> JsonText | None:
        """Return the stored state of one checkpoint in the run's scope, as text."""
        ...

    async def version(self) -> object:
        """Return a value that differs from the last one after any commit, cheaply."""
        ...
