"""The SQLite browser's overview: runs from the side index, or else the newest of the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from zeroth_store.overview import Attention, Nodes, Overview, OverviewQuery, RunFigures, Stretch
from zeroth_store.overview_figures import RunFact, count_runs, count_visits
from zeroth_store.overview_stretch import micros, moment_of, shortened, stretch_of
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.table import spans, total
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.overview.attention import attention_kept, attention_of
from zeroth_store.sqlite.overview.visits import read_visits
from zeroth_store.sqlite.search.finder import SQLiteRunFinder
from zeroth_store.sqlite.tables import runs_table
from zeroth_store.summaries import RunSummary

MOST_RUNS: Final = 10_000
"""A stretch of time that holds more runs is shortened."""

NEWEST: Final = 1_000
"""So many of the newest runs are looked at while there is no side index."""

_FACT: Final = "status, graph_version_ref, started, spent, cost"


class _Runs(NamedTuple):
    """The runs of a stretch, and what there is around it."""

    stretch: Stretch | None
    facts: list[RunFact]
    newest: int | None
    undated: int
    most: int | None = None
    """See Overview."""
    looked_at: int | None = None
    """See Overview."""


class OverviewReads(SQLiteRunFinder):
    """OverviewBrowser over a database and its side index, which a browser opens and closes."""

    _clock: Callable[[], datetime]

    async def overview(self, wanted: OverviewQuery) -> Overview:
        """Return the figures of a stretch of time; what it costs does not grow with the data."""
        now = self._clock()
        return await self._indexed(
            lambda: self._kept_overview(wanted, now), lambda: self._stored_overview(wanted, now)
        )

    async def _kept_overview(self, wanted: OverviewQuery, now: datetime) -> Overview:
        runs = await self._index.run(_kept_runs, wanted, micros(now))
        waiting, stuck = await attention_kept(self._index, self._reader, now)
        exact = await self._keeper.is_current()
        return await self._overview(runs, waiting, stuck, exact=exact)

    async def _stored_overview(self, wanted: OverviewQuery, now: datetime) -> Overview:
        found = await self._reader.run(_newest)
        runs = _stored_runs(found, wanted, micros(now))
        is_whole = runs.looked_at is None
        waiting, stuck = attention_of(found, now, exact=is_whole)
        return await self._overview(runs, waiting, stuck, exact=is_whole)

    async def _overview(
        self, runs: _Runs, waiting: Attention, stuck: Attention, *, exact: bool
    ) -> Overview:
        stretch, figures, nodes = runs.stretch, RunFigures(), Nodes()
        if stretch is not None:
            figures = count_runs(runs.facts, stretch)
            visits = await self._reader.run(read_visits, stretch)
            nodes = Nodes(visits.known, count_visits(visits.facts), visits.most)
        return Overview(
            stretch=stretch,
            newest=None if runs.newest is None else moment_of(runs.newest),
            undated=runs.undated,
            runs=figures,
            nodes=nodes,
            waiting=waiting,
            stuck=stuck,
            most=runs.most,
            looked_at=runs.looked_at,
            exact=exact,
        )


def _kept_runs(connection: IndexConnection, wanted: OverviewQuery, now: int) -> _Runs:
    """Read the runs of the stretch from the index, which is sorted by when they started."""
    oldest = _one(connection, "SELECT min(started) FROM kept")
    newest = _one(connection, "SELECT max(started) FROM kept")
    undated = _one(connection, "SELECT count(*) FROM kept WHERE started IS NULL") or 0
    if oldest is None or newest is None:
        return _Runs(None, [], None, undated)
    stretch, most = stretch_of(wanted, now, oldest, newest), None
    where, limits = _within(stretch)
    surplus = f"SELECT started FROM kept WHERE {where} ORDER BY started DESC LIMIT 1 OFFSET ?"
    first_left_out = _one(connection, surplus, (*limits, MOST_RUNS))
    if first_left_out is not None:
        last = _one(connection, surplus, (*limits, 0))
        # Of runs that all started at the same instant none can be left out by a time.
        since = first_left_out + 1 if last is None else min(first_left_out + 1, last)
        stretch, most = shortened(stretch, since), MOST_RUNS
        where, limits = _within(stretch)
    rows = connection.execute(f"SELECT {_FACT} FROM kept WHERE {where}", limits).fetchall()
    return _Runs(stretch, [RunFact(*row) for row in rows], newest, undated, most)


def _within(stretch: Stretch) -> tuple[str, tuple[int, ...]]:
    if stretch.until is None:
        return "started >= ?", (micros(stretch.since),)
    return "started >= ? AND started < ?", (micros(stretch.since), micros(stretch.until))


def _one(connection: sqlite3.Connection, sql: str, parameters: tuple[int, ...] = ()) -> int | None:
    found = connection.execute(sql, parameters).fetchall()
    return found[0][0] if found else None


def _newest(connection: sqlite3.Connection) -> list[RunSummary]:
    """Read the newest runs, one more than are looked at."""
    rest = "ORDER BY rowid DESC LIMIT ?"
    found = fetch_summaries(connection, runs_table(connection), rest, (NEWEST + 1,))
    return [summary for _, summary in found]


def _stored_runs(found: list[RunSummary], wanted: OverviewQuery, now: int) -> _Runs:
    """Count without the index: what is behind the newest runs remains unknown."""
    facts = [fact for run in found[:NEWEST] if (fact := _fact(run)) is not None]
    looked_at = NEWEST if len(found) > NEWEST else None
    undated = min(len(found), NEWEST) - len(facts)
    if not facts:
        return _Runs(None, [], None, undated, looked_at=looked_at)
    starts = [fact.started for fact in facts]
    newest = max(starts)
    stretch = stretch_of(wanted, now, min(starts), newest)
    since = micros(stretch.since)
    until = None if stretch.until is None else micros(stretch.until)
    inside = [
        fact for fact in facts if fact.started >= since and (until is None or fact.started < until)
    ]
    return _Runs(stretch, inside, newest, undated, looked_at=looked_at)


def _fact(run: RunSummary) -> RunFact | None:
    """Return what is counted of a run; None without a start."""
    if run.started.instant is None:
        return None
    ended = None if run.updated.instant is None else micros(run.updated.instant)
    started = micros(run.started.instant)
    spent = spans(run.status, started, ended)[2]
    return RunFact(
        run.status, run.graph, started, spent, total(run.cost.measured, run.cost.estimated)
    )
