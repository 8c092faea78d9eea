"""The side index as of a moment: the same questions, answered from views that stand in its way.

In SQLite a temporary view hides a table of the same name. So whatever reads the index reads the
past while these views are there, which is for one job at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar, cast

import msgspec

from zeroth_store.browse import Stored
from zeroth_store.past.browsing import Known
from zeroth_store.past.life import UNDER_WAY
from zeroth_store.past.runs import UNTOLD
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.index.changes import has_index, make_index
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.table import COLUMNS, TABLES, microseconds
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.index.threads import highest
from zeroth_store.sqlite.tables import FIRST
from zeroth_store.status import LIVE

P = ParamSpec("P")
T = TypeVar("T")

LIFETIMES: Final = "by_lifetime ON kept (status, started, updated)"
"""The index that tells which runs were there; made when the past is first looked at."""

_LATER: Final = frozenset(
    {
        *("current_step", "error", "reason", "message", "node", "lease_expires_at"),
        *("updated", "spent", "cost"),
    }
)
"""What is not known of a run before it was written last."""

_THERE: Final = "FROM kept INDEXED BY by_lifetime WHERE coalesce(started, :at) <= :at"
"""The runs that were there; the index alone is looked at, a fraction of what the rows are."""


_OF_THE_TABLE: Final = (has_index, make_index, highest)
"""What is about the table itself, at whatever moment its rows are looked at."""


class Census(NamedTuple):
    """The runs that were there at a moment, counted by what they are now."""

    rows: tuple[tuple[Stored, int, int], ...]
    """A status, how many runs have it, and how many of these were written later."""
    top: int
    """The largest rowid of them all."""
    undated: int
    """How many of them have no start that can be read."""

    @property
    def later(self) -> int:
        """How many were written later."""
        return sum(number for _, _, number in self.rows)


class Then(msgspec.Struct, frozen=True):
    """A moment, and what the index does not tell of it."""

    at: int
    """In microseconds since 1970."""
    census: Census
    statuses: Mapping[int, str]
    """Rowid -> status then, of runs that were written later, as far as it could be found out."""

    @property
    def counts(self) -> Counter[Stored]:
        """How many runs had each status."""
        found = Counter[Stored]({status: total - n for status, total, n in self.census.rows})
        found.update(self.statuses.values())
        found[UNDER_WAY] += self.census.later - len(self.statuses)
        return +found

    @property
    def known(self) -> Known:
        """How much is known of the moment."""
        counts = self.counts
        return Known(runs=counts.total(), under_way=counts[UNDER_WAY], undated=self.census.undated)


class IndexAt(IndexThread):
    """Runs functions on the index of another thread as if it were a moment of the past."""

    def __init__(self, index: IndexThread, then: Then) -> None:
        super().__init__()
        self._live = index
        self._then = then

    async def run(
        self,
        work: Callable[Concatenate[IndexConnection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return `work(connection, *args, **kwargs)`, which reads what was known then."""
        if cast("Any", work) in _OF_THE_TABLE:
            return await self._live.run(work, *args, **kwargs)

        def in_the_past(connection: IndexConnection) -> T:
            with _views(connection, self._then):
                return work(connection, *args, **kwargs)

        return await self._live.run(in_the_past)


def census(connection: IndexConnection, at: datetime) -> Census:
    """Count the runs that were there."""
    rows = connection.execute(
        f"SELECT status, count(*), coalesce(sum(updated > :at), 0), max(number) {_THERE}"
        " GROUP BY status",
        {"at": microseconds(at)},
    ).fetchall()
    undated = connection.number("SELECT count(*) FROM kept WHERE started IS NULL")
    counts = tuple((status, total, later) for status, total, later, _ in rows)
    return Census(counts, max((row[3] for row in rows), default=FIRST), undated)


def written_later(connection: IndexConnection, at: datetime, most: int) -> list[int]:
    """Return the newest runs that were there and were written later."""
    rows = connection.execute(
        f"SELECT number {_THERE} AND updated > :at ORDER BY number DESC LIMIT :most",
        {"at": microseconds(at), "most": most},
    )
    return [row[0] for row in rows.fetchall()]


def neighbour_of(connection: IndexConnection, at: datetime, *, forward: bool) -> int | None:
    """Return the start or last write of any run that is next to a moment, in microseconds."""
    pick, sign = ("min", ">") if forward else ("max", "<")
    found = [
        connection.execute(f"SELECT {pick}({name}) FROM kept WHERE {name} {sign} ?", (one,))
        for name in ("started", "updated")
        for one in (microseconds(at),)
    ]
    times = [moment for rows in found if (moment := rows.fetchall()[0][0]) is not None]
    return (min if forward else max)(times, default=None)


def existing(connection: IndexConnection, numbers: Iterable[int]) -> dict[int, str]:
    """Return rowid -> run id of those of some runs that were there, inside the views."""
    found: dict[int, str] = {}
    for some in chunks(numbers):
        marks = ", ".join("?" * len(some))
        sql = f"SELECT number, run_id FROM kept WHERE number IN ({marks})"
        found.update(connection.execute(sql, some).fetchall())
    return found


@contextmanager
def _views(connection: IndexConnection, then: Then) -> Iterator[None]:
    """Let the past stand before the index; afterwards nothing of it is left."""
    connection.execute("SAVEPOINT past")
    tally, connection.tally = connection.tally, then.counts
    connection.forget()
    try:
        connection.execute(_kept(then))
        connection.execute(TABLES[1].replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
        yield
    finally:
        connection.tally = tally
        connection.forget()
        if connection.in_transaction:  # else an error of SQLite's has rolled everything back
            connection.execute("ROLLBACK TO past")
            connection.execute("RELEASE past")


def _kept(then: Then) -> str:
    """Return the view that hides the index's table."""
    status = _status(then.statuses)
    columns = ", ".join(f"{_column(name, then.at, status)} AS {name}" for name in COLUMNS)
    return (
        f"CREATE TEMP VIEW kept AS SELECT {columns} FROM main.kept"
        f" WHERE number <= {then.census.top} AND coalesce(started, {then.at}) <= {then.at}"
    )


def _status(statuses: Mapping[int, str]) -> str:
    """Return SQL for the status of a run that was written later."""
    alike: dict[str, list[int]] = {}
    for number, status in statuses.items():
        alike.setdefault(status, []).append(number)
    cases = " ".join(
        f"WHEN number IN ({', '.join(map(str, numbers))}) THEN '{status}'"
        for status, numbers in alike.items()
    )
    return f"CASE {cases} ELSE '{UNDER_WAY}' END" if cases else f"'{UNDER_WAY}'"


def _column(name: str, at: int, status: str) -> str:
    live = ", ".join(f"'{one}'" for one in sorted(LIVE))
    later = {
        "status": status,
        "since": f"CASE WHEN {status} IN ({live}) THEN started END",
        "lease_worker_id": f"CASE WHEN {status} = 'RUNNING' THEN '{UNTOLD.worker_id}' END",
    }
    if name not in later and name not in _LATER:
        return name
    return f"CASE WHEN updated > {at} THEN {later.get(name, 'NULL')} ELSE {name} END"
