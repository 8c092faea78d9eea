"""What an overview of a run database holds: figures of a stretch of time, and who needs a person.

Whatever is counted here is the length of a list that `overview_filters` names.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Protocol

import msgspec

from zeroth_store.summaries import RunKey, RunSummary

ENOUGH: Final = 20
"""From fewer values than this no percentile is claimed."""


class OverviewQuery(msgspec.Struct, frozen=True):
    """Which runs an overview is about: those that started in the last so much time."""

    length: timedelta | None = timedelta(minutes=15)
    """None for all the time there is."""
    at_newest: bool = False
    """Count the time back from the newest start instead of from now."""


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """The time that an overview is about, and the bars it is divided into."""

    since: datetime
    until: datetime | None
    """Exclusive; None where everything later belongs to it."""
    end: datetime
    """Up to when runs can have started so far."""
    step: timedelta
    """How long a bar is; bars begin at multiples of it, counted from 1970."""
    bars: int

    @property
    def elapsed(self) -> timedelta:
        """How much of the time has passed."""
        return self.end - self.since


class Lengths(msgspec.Struct, frozen=True):
    """Durations in microseconds: percentiles by nearest rank, so each is one of the values."""

    n: int = 0
    """How many durations there are."""
    p50: int | None = None
    p95: int | None = None
    from_p50: int = 0
    """How many are at least as long as `p50`."""
    from_p95: int = 0
    """How many are at least as long as `p95`."""


class Spending(msgspec.Struct, frozen=True):
    """US dollars, measured and estimated together."""

    n: int = 0
    """For how many a cost is recorded."""
    total: float | None = None


class StatusFigures(msgspec.Struct, frozen=True):
    """The runs of one stored status."""

    status: str | None
    total: int
    bars: tuple[int, ...]
    """How many started in each bar."""


class GraphFigures(msgspec.Struct, frozen=True):
    """The runs of one graph version."""

    graph: str | None
    total: int
    failed: int
    over: Lengths
    """How long those took that are over."""
    cost: Spending


class RunFigures(msgspec.Struct, frozen=True):
    """The runs that started in a stretch of time."""

    total: int = 0
    over: int = 0
    """How many of them are over."""
    failed: int = 0
    bars: tuple[int, ...] = ()
    statuses: tuple[StatusFigures, ...] = ()
    """Most frequent first."""
    graphs: tuple[GraphFigures, ...] = ()
    """Most runs first."""


class Visit(msgspec.Struct, frozen=True):
    """One execution of a node, as its audit tells."""

    key: RunKey
    took: int | None
    """Microseconds; None where the audit measured nothing, as of parallel branches."""
    cost: float | None


class NodeFigures(msgspec.Struct, frozen=True):
    """The executions of one node, whatever the graph."""

    node: str
    visits: int
    timed: int
    """How many of them were measured."""
    latest: Visit
    p50: Visit | None
    p95: Visit | None
    longest: Visit | None
    cost: Spending
    costliest: Visit | None


class Nodes(msgspec.Struct, frozen=True):
    """The nodes that ended in a stretch of time."""

    known: bool = False
    """False where the database has no audits, the only place with true durations."""
    rows: tuple[NodeFigures, ...] = ()
    """The longest visit first."""
    most: int | None = None
    """So many of the newest visits were looked at, and there are more; None when all were."""


class Attention(msgspec.Struct, frozen=True):
    """Runs that need a person, whenever they started."""

    total: int = 0
    exact: bool = True
    """False when there may be more."""
    rows: tuple[RunSummary, ...] = ()
    """Those left alone longest, first."""


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A database at a glance."""

    stretch: Stretch | None
    """None when no run has a start that can be read."""
    newest: datetime | None
    """When the newest run started."""
    undated: int
    """How many runs have no start that can be read: they are in no stretch of time."""
    runs: RunFigures = RunFigures()
    nodes: Nodes = Nodes()
    waiting: Attention = Attention()
    """Runs that wait for an approval."""
    stuck: Attention = Attention()
    most: int | None = None
    """The stretch was shortened so that it holds no more runs than this; None when it was not."""
    looked_at: int | None = None
    """Without a side index only so many of the newest runs were looked at; None for all."""
    exact: bool = True
    """False where the side index is behind the database."""


class OverviewBrowser(Protocol):
    """The part of a RunBrowser that shows a database at a glance."""

    async def overview(self, wanted: OverviewQuery) -> Overview:
        """Return the figures of a stretch of time; what it costs does not grow with the data."""
        ...
