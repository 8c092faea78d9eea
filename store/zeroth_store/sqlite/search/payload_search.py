"""Searching the payloads of many runs, a short read at a time.

SQL leaves out the runs whose stored text cannot hold what is wanted; the others are decoded. A
page ends by the clock, which is looked at after each row: one row may hold megabytes.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing
from datetime import datetime
from typing import Final

import msgspec

from zeroth_store.browse import RunQuery
from zeroth_store.filters import EVERYTHING
from zeroth_store.payloads import Hit, SearchPage, Spot
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.index.hits import condition, fits
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.search.filter_parts import Sql, both, either
from zeroth_store.sqlite.search.payload_parts import HOLDERS, PENDING, Payload, payloads
from zeroth_store.sqlite.search.payload_text import ESCAPE, UNUSUAL, TextFinder
from zeroth_store.sqlite.tables import Table, runs_table

SECONDS: Final = 0.06
"""How long a page may take, counted from its first row on; a row more at the end."""

MOST_HITS: Final = 200
"""How many hits a page may have, so that it costs little to tell what they are."""


def search_page(
    connection: sqlite3.Connection,
    query: RunQuery,
    after: int | None,
    now: datetime,
    seconds: float = SECONDS,
) -> SearchPage:
    """Return the hits among the runs behind the row `after`, as far as the time goes."""
    search = _Search(connection, query, now)
    found: dict[int, Spot | None] = {}
    scanned, until = 0, 0.0
    with closing(search.rows(after)) as rows:
        for number, is_candidate in rows:
            until = until or time.monotonic() + seconds
            scanned += 1
            if is_candidate and (spots := search.spots(number)) is not None:
                found[number] = next(iter(spots), None)
            if time.monotonic() >= until or len(found) == MOST_HITS:
                return SearchPage(search.hits(found), scanned, number)
    return SearchPage(search.hits(found), scanned)


class _Search:
    """One query over one table."""

    def __init__(self, connection: sqlite3.Connection, query: RunQuery, now: datetime) -> None:
        self._connection = connection
        self._query = query
        self._now = now
        self._runs = runs_table(connection)
        terms = (query.filter or EVERYTHING).payload_terms
        self._finders = [TextFinder(term) for term in terms]
        self._cells = sorted({name for term in terms for name in (*HOLDERS[term.place], PENDING)})
        where = condition(query, frozenset(self._runs.columns), now)
        self._possible = both(
            Sql(where.sql, where.params),
            *(_possible(finder, self._runs) for finder in self._finders if not finder.negated),
        )

    def rows(self, after: int | None) -> Generator[tuple[int, int], None, None]:
        """Yield the number of each run, newest first, and 1 where it has to be looked at.

        A row that is larger than what a connection reads is passed over.
        """
        at = after
        while True:
            try:
                with closing(self._select(_behind(at))) as cursor:
                    for row in cursor:
                        at = row[0]
                        yield row
                return
            except sqlite3.DataError:
                # The driver reads a row ahead: either the next one is too large or the one after.
                at = self._next(at)
            if at is None:
                return
            yield at, self._alone(at)

    def spots(self, number: int) -> list[Spot] | None:
        """Return where each text that must be in a run is; None when the run is not wanted."""
        every = self._payloads(number)
        if every is None:
            return None
        spots: list[Spot] = []
        for finder in self._finders:
            spot = _first(finder, every)
            if (spot is None) is not finder.negated:
                return None
            if spot is not None:
                spots.append(spot)
        return spots

    def hits(self, found: dict[int, Spot | None]) -> tuple[Hit, ...]:
        """Return runs that have been found, without those that their summaries speak against."""
        runs = summaries_at(self._connection, found)
        return tuple(
            Hit(runs[number], spot)
            for number, spot in found.items()
            if number in runs and fits(self._query, runs[number], self._now)
        )

    def _payloads(self, number: int) -> list[Payload] | None:
        """Return what has to be searched of a run; None when it is too large to be read."""
        columns = ", ".join(self._runs.column(name) for name in self._cells)
        sql = f"SELECT {columns or 'NULL'} FROM runs WHERE rowid = ?"
        try:
            rows = self._connection.execute(sql, (number,)).fetchall()
        except sqlite3.DataError:
            return None
        cells = [dict(zip(self._cells, row, strict=False)) for row in rows]
        return [one for each in cells for one in payloads(each)]

    def _select(self, which: Sql) -> sqlite3.Cursor:
        return self._connection.execute(
            f"SELECT rowid, CASE WHEN {self._possible.text} THEN 1 ELSE 0 END FROM runs"
            f" WHERE {which.text} ORDER BY rowid DESC",
            (*self._possible.params, *which.params),
        )

    def _next(self, at: int | None) -> int | None:
        behind = _behind(at)
        sql = f"SELECT max(rowid) FROM runs WHERE {behind.text}"
        number: int | None = self._connection.execute(sql, behind.params).fetchall()[0][0]
        return number

    def _alone(self, number: int) -> int:
        """Return what `rows` says of one row; 0 where it is too large to be read."""
        try:
            found = self._select(Sql("rowid = ?", (number,))).fetchall()
        except sqlite3.DataError:
            return 0
        return int(found[0][1]) if found else 0


def _first(finder: TextFinder, every: list[Payload]) -> Spot | None:
    """Return the first place where a term is found."""
    for spot, text, is_whole_cell in every:
        if finder.place not in {spot.place, "any"}:
            continue
        path = finder.find_stored(text) if is_whole_cell else finder.find(text)
        if path is not None:
            return msgspec.structs.replace(spot, path=path)
    return None


def _behind(at: int | None) -> Sql:
    return Sql("1") if at is None else Sql("rowid < ?", (at,))


def _possible(finder: TextFinder, runs: Table) -> Sql:
    """Return where a term may be found: its text, or an escape that may stand for a part of it."""
    columns = [name for name in HOLDERS[finder.place] if runs.has(name)]
    return either(*(_may_hold(column, finder) for column in columns))


def _may_hold(column: str, finder: TextFinder) -> Sql:
    # LIKE is several times as fast as instr(lower()), but ends at a NUL and refuses blobs.
    like = [Sql(f"{column} LIKE CAST(? AS TEXT)", (bind(each),)) for each in finder.patterns]
    not_ascii = f"length({column}) <> length(CAST({column} AS BLOB))"
    mixed = f"{not_ascii} AND (instr({column}, '{ESCAPE}') > 0 OR instr({column}, char(0)) > 0)"
    odd = f"{column} GLOB '*{UNUSUAL}*' OR ({mixed}) OR typeof({column}) = 'blob'"
    return either(*like, Sql(odd))
