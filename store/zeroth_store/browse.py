"""What a caller may ask of a run database, and the frozen values it gets back.

This side is for looking, never for writing. Everything it returns is imported from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

import msgspec

from zeroth_store.changes import ChangeFeed, Mark, Version
from zeroth_store.checkpoint_detail import CheckpointBrowser
from zeroth_store.finder import RunFinder
from zeroth_store.graphs import GraphEdge, GraphNode, GraphShape
from zeroth_store.overview import OverviewBrowser
from zeroth_store.payloads import Hit, SearchPage, Spot
from zeroth_store.run_detail import (
    ApprovalEntry,
    AsOf,
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
from zeroth_store.run_order import OrderBy, RunOrder
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
from zeroth_store.thread_lists import ThreadLists, ThreadWindow
from zeroth_store.times import Moment

if TYPE_CHECKING:
    from zeroth_store.filters import Filter  # which needs this module

__all__ = [
    "NULL_SCOPE",
    "ApprovalEntry",
    "AsOf",
    "AuditEntry",
    "CellProblem",
    "CheckpointKind",
    "CheckpointSummary",
    "ConditionEntry",
    "Cost",
    "DatabaseInfo",
    "FailureInfo",
    "GraphEdge",
    "GraphNode",
    "GraphShape",
    "HistoryEntry",
    "Hit",
    "IndexProgress",
    "JsonText",
    "Lease",
    "Mark",
    "OperationEntry",
    "OrderBy",
    "Page",
    "RelatedRows",
    "RollUp",
    "RunBrowser",
    "RunDetail",
    "RunKey",
    "RunOrder",
    "RunQuery",
    "RunSummary",
    "SearchPage",
    "Spot",
    "Stored",
    "ThreadKey",
    "ThreadPage",
    "ThreadSummary",
    "ThreadWindow",
    "Version",
    "Window",
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
    """Which runs a list wants: those for which everything here holds."""

    text: str = ""
    """Matches any part of id, thread, graph, status or error, ignoring ASCII case."""
    statuses: tuple[str | None, ...] = ()
    """Exactly these stored statuses; empty for all."""
    filter: Filter | None = None
    """What the person filters by. Terms on payloads are not looked at: they are searched apart."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a list that is in sight."""

    rows: tuple[RunSummary, ...]
    start: int
    """The position of the first row in the whole list, from 0."""
    total: int
    """How many runs match in all."""
    exact: bool
    """False where `start` and `total` may be off: there is no index, or it is behind."""
    order: RunOrder
    """The order these rows are in: by creation where the one asked for needs the index."""


class IndexProgress(msgspec.Struct, frozen=True):
    """How far the side index is that sorts, counts and filters large run lists."""

    done: int
    """How many runs it holds."""
    total: int
    """About how many there are."""
    ready: bool
    """Whether answers come from it."""


THREAD_RUNS: Final = 1_000
"""So many runs of one thread are shown together; how many older ones it has is said."""


class RunBrowser(CheckpointBrowser, OverviewBrowser, RunFinder, ThreadLists, ChangeFeed, Protocol):
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

    async def thread_runs(
        self, thread: ThreadKey, *, limit: int = THREAD_RUNS
    ) -> tuple[RunSummary, ...]:
        """Return a thread's newest runs, oldest first: of those it lists and those that name it."""
        ...

    async def roll_up(self, threads: tuple[ThreadKey, ...]) -> dict[ThreadKey, RollUp]:
        """Return status counts of the given threads' runs."""
        ...

    async def runs(self, query: RunQuery, *, after: int | None = None, limit: int = 100) -> Page:
        """Return runs that match, newest created first."""
        ...

    async def window(self, query: RunQuery, order: RunOrder, start: int, limit: int) -> Window:
        """Return the runs at these positions among those that match, in this order."""
        ...

    async def position(self, query: RunQuery, order: RunOrder, key: RunKey) -> int | None:
        """Return where `window` shows a run; None when it does not match or is gone."""
        ...

    async def children(self, key: RunKey) -> tuple[RunSummary, ...]:
        """Return the runs that name this one as their parent, oldest first, in any thread."""
        ...

    async def index_progress(self) -> IndexProgress:
        """Return how far the side index is."""
        ...

    async def keep_index(self) -> None:
        """Bring the side index up to the database; to be called at start and after each change.

        Works in the background until everything that was there at the call is in the index. May
        be cancelled at any time: the next call goes on from there.
        """
        ...

    async def run(self, key: RunKey) -> RunDetail | None:
        """Return one run whole, or None when it is gone."""
        ...

    async def graph(self, key: RunKey) -> GraphShape | None:
        """Return the graph that a run was deployed with, or None where none is stored."""
        ...

    async def related(self, key: RunKey) -> RelatedRows:
        """Return audits, approvals, side effects, parent and children of a run."""
        ...
