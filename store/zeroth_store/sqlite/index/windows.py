"""Run lists by position: from the side index once it is there, else as far as a short read goes."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from zeroth_store.browse import RunKey, RunOrder, RunQuery, RunSummary, Window
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.finding import find_run
from zeroth_store.sqlite.index.changes import count_rows
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.hints import ages
from zeroth_store.sqlite.index.hits import Found, find_kept, find_stored, fits
from zeroth_store.sqlite.index.keeper import IndexKeeper
from zeroth_store.sqlite.index.order import place_of, rows_at
from zeroth_store.sqlite.index.provision import provide_index
from zeroth_store.sqlite.index.source import rowid_range, summaries_at
from zeroth_store.sqlite.index.table import SORTED, microseconds
from zeroth_store.sqlite.index.thread import IndexLost, IndexThread
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.tables import FIRST, LAST, SMALL, runs_table

_LISTS: Final = 4
_LIST_AGE: Final = timedelta(seconds=5)
_ALL: Final = -1
_NEAR: Final = 500
"""Among so many of the first runs a run is looked for where a list is long and has no index."""
_JUDGED_AT_ONCE: Final = 400


class _List(NamedTuple):
    """All runs that match a query, in order, as of a moment."""

    generation: object
    at: datetime
    numbers: array[int]


class RunWindows:
    """Answers for the stretch of a list that is in sight, and for where a run is in it."""

    def __init__(
        self,
        reader: ReadConnection,
        index: IndexThread,
        keeper: IndexKeeper,
        clock: Callable[[], datetime],
    ) -> None:
        self._reader = reader
        self._index = index
        self._keeper = keeper
        self._clock = clock
        self._lists: dict[tuple[RunQuery, RunOrder], _List] = {}

    async def window(self, query: RunQuery, order: RunOrder, start: int, limit: int) -> Window:
        """Return the runs at these positions among those that match, in this order."""
        start = max(start, 0)
        if self._keeper.ready:
            try:
                return await self._kept_window(query, order, start, limit)
            except IndexLost:
                self._keeper.lost()
        return await self._stored_window(query, order, start, limit)

    async def position(self, query: RunQuery, order: RunOrder, key: RunKey) -> int | None:
        """Return where `window` shows a run; None when it does not match or is gone."""
        number = await self._reader.run(_number_of, key)
        if number is None:
            return None
        if self._keeper.ready:
            try:
                return await self._kept_position(query, order, number)
            except IndexLost:
                self._keeper.lost()
        return await self._stored_position(query, order, number)

    async def _kept_window(
        self, query: RunQuery, order: RunOrder, start: int, limit: int
    ) -> Window:
        if _is_everything(query):
            await self._prepare(order)
            now = microseconds(self._clock()) or 0
            numbers, total = await self._index.run(_stretch, order, now, start, limit)
        else:
            found = await self._list(query, order)
            numbers, total = found[start : start + limit].tolist(), len(found)
        self._keeper.in_sight = tuple(numbers)
        rows = await self._summaries(numbers)
        exact = await self._keeper.is_current()
        return Window(rows=rows, start=start, total=total, exact=exact, order=order)

    async def _kept_position(self, query: RunQuery, order: RunOrder, number: int) -> int | None:
        if _is_everything(query):
            await self._prepare(order)
            now = microseconds(self._clock()) or 0
            return await self._index.run(place_of, order, now, number)
        return _place_in(await self._list(query, order), number)

    async def _prepare(self, order: RunOrder) -> None:
        """Make what serves an order that nobody has asked for before."""
        definition = SORTED.get(order.by)
        if definition is not None:
            await provide_index(self._index, definition)

    async def _list(self, query: RunQuery, order: RunOrder) -> array[int]:
        """Return the runs that match, found again when the index or the time has moved on."""
        now, generation = self._clock(), await self._index.run(_generation)
        kept = self._lists.pop((query, order), None)
        if (
            kept is None
            or kept.generation != generation
            or (ages(query, order) and abs(now - kept.at) > _LIST_AGE)
        ):
            found = await self._index.run(find_kept, query, order, now)
            kept = _List(generation, self._clock(), await self._judged(found, query, now))
        self._lists[query, order] = kept
        for oldest in list(self._lists)[:-_LISTS]:
            del self._lists[oldest]
        return kept.numbers

    async def _stored_window(
        self, query: RunQuery, order: RunOrder, start: int, limit: int
    ) -> Window:
        by = order if order.by == "created" else RunOrder()
        low, top = await self._reader.run(rowid_range)
        is_small = top - low < SMALL
        if not _is_everything(query):
            most = _ALL if is_small else start + limit + 1
            matching = await self._stored_list(query, by, most)
            rows = await self._summaries(matching[start : start + limit].tolist())
            total = len(matching)
        elif is_small:
            rows, total = await self._reader.run(_counted, by.descending, start, limit)
        else:
            rows = await self._reader.run(_around, by.descending, start, limit)
            total = top - low + 1
        exact = is_small and by == order
        return Window(rows=rows, start=start, total=total, exact=exact, order=by)

    async def _stored_position(self, query: RunQuery, order: RunOrder, number: int) -> int | None:
        by = order if order.by == "created" else RunOrder()
        low, top = await self._reader.run(rowid_range)
        if top - low >= SMALL and _is_everything(query):
            return top - number if by.descending else number - low
        most = SMALL if top - low < SMALL else _NEAR
        return _place_in(await self._stored_list(query, by, most), number)

    async def _stored_list(self, query: RunQuery, order: RunOrder, most: int) -> array[int]:
        now = self._clock()
        found = await self._reader.run(find_stored, query, order.descending, now, most)
        return await self._judged(found, query, now)

    async def _judged(self, found: Found, query: RunQuery, now: datetime) -> array[int]:
        """Return what was found, without those that their summaries speak against."""
        refused: set[int] = set()
        for start in range(0, len(found.doubtful), _JUDGED_AT_ONCE):
            some = found.doubtful[start : start + _JUDGED_AT_ONCE]
            judged = await self._summaries_at(some)
            refused.update(n for n in some if n not in judged or not fits(query, judged[n], now))
        if not refused:
            return found.numbers
        return array("q", (number for number in found.numbers if number not in refused))

    async def _summaries(self, numbers: Iterable[int]) -> tuple[RunSummary, ...]:
        wanted = tuple(numbers)
        found = await self._summaries_at(wanted)
        return tuple(found[number] for number in wanted if number in found)

    async def _summaries_at(self, numbers: Iterable[int]) -> dict[int, RunSummary]:
        """Return rowid -> run, as the lists show it, of those that are there."""
        return await self._reader.run(summaries_at, numbers)


def _is_everything(query: RunQuery) -> bool:
    terms = () if query.filter is None else query.filter.row_terms
    return not (query.text or query.statuses or terms)


def _number_of(connection: sqlite3.Connection, key: RunKey) -> int | None:
    return find_run(connection, runs_table(connection), key)


def _generation(connection: IndexConnection) -> object:
    return connection.generation


def _stretch(
    connection: IndexConnection, order: RunOrder, now: int, start: int, limit: int
) -> tuple[list[int], int]:
    return rows_at(connection, order, now, start, limit), count_rows(connection)


def _counted(
    connection: sqlite3.Connection, descending: bool, start: int, limit: int
) -> tuple[tuple[RunSummary, ...], int]:
    """Return the runs at a position in the order of creation, and how many there are."""
    rest = f"ORDER BY rowid {'DESC' if descending else 'ASC'} LIMIT ? OFFSET ?"
    found = fetch_summaries(connection, runs_table(connection), rest, (limit, start))
    total: int = connection.execute("SELECT count(*) FROM runs").fetchall()[0][0]
    return tuple(summary for _, summary in found), total


def _around(
    connection: sqlite3.Connection, descending: bool, start: int, limit: int
) -> tuple[RunSummary, ...]:
    """Return the runs about a position in the order of creation, as if none had been deleted."""
    low, top = rowid_range(connection)
    rest = f"ORDER BY rowid {'DESC' if descending else 'ASC'} LIMIT ?"
    first = "rowid <= ?" if descending else "rowid >= ?"
    edge = max(top - start, FIRST) if descending else min(low + start, LAST)
    found = fetch_summaries(
        connection, runs_table(connection), f"WHERE {first} {rest}", (edge, limit)
    )
    return tuple(summary for _, summary in found)


def _place_in(numbers: array[int], number: int) -> int | None:
    try:
        return numbers.index(number)
    except ValueError:
        return None
