"""Which values of a filter's key are in a database, to be offered while somebody types."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import Final

from zeroth_store.ascii_case import lower
from zeroth_store.filters.match import text_fields
from zeroth_store.filters.terms import TextKey
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.index.table import FILTERED
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.search.filter_cells import RunCells
from zeroth_store.sqlite.tables import runs_table

STORED: Final = 2_000
"""How many of the newest runs are looked at in the database itself."""

KEPT: Final = 20_000
"""How many of the newest runs are looked at in the side index."""

LONGEST: Final = 200
"""A value of more characters is no help to somebody who types."""

_NEWEST_FIRST: Final[frozenset[TextKey]] = frozenset({"id", "thread"})

Values = list[str | None]
"""What runs have, the newest run's first; None for SQL NULL."""


async def stored_values(
    reader: ReadConnection, key: TextKey, typed: str, limit: int
) -> tuple[str, ...]:
    """Return values that fit what was typed, from the database itself."""
    return await reader.run(_stored, key, typed, limit)


async def kept_values(index: IndexThread, key: TextKey, typed: str, limit: int) -> tuple[str, ...]:
    """Return values that fit what was typed, from the side index."""
    return await index.run(_kept, key, typed, limit)


def _stored(
    connection: sqlite3.Connection, key: TextKey, typed: str, limit: int
) -> tuple[str, ...]:
    return _choose(_newest(connection, key), key, typed, limit)


def _newest(connection: sqlite3.Connection, key: TextKey) -> Values:
    runs = runs_table(connection)
    cells = RunCells(frozenset(runs.columns))
    fields, doubt = ", ".join(cells.fields(key)), cells.doubt(key)
    newest = "ORDER BY rowid DESC LIMIT ?"
    try:
        rows = connection.execute(
            f"SELECT rowid, {doubt.text}, {fields} FROM runs {newest}", (*doubt.params, STORED)
        ).fetchall()
    except sqlite3.DataError:  # a cell that is too large for SQL to look into
        found = fetch_summaries(connection, runs, newest, (STORED,))
        return [value for _, run in found for value in _different(text_fields(run, key))]
    judged = summaries_at(connection, [number for number, is_doubtful, *_ in rows if is_doubtful])
    values: Values = []
    for number, _, *read in rows:
        run = judged.get(number)
        values += _different(read if run is None else text_fields(run, key))
    return values


def _different(values: Iterable[str | None]) -> Iterable[str | None]:
    """Return each value once, so that a run counts once for it."""
    return dict.fromkeys(values)


def _kept(connection: IndexConnection, key: TextKey, typed: str, limit: int) -> tuple[str, ...]:
    """Return the values that fit, in the order of `_choose`, without leaving the database."""
    first, *others = RunCells(FILTERED).fields(key)
    fields = ", ".join([f"{first} AS value", *(f"{other} AS other" for other in others)])
    more = " UNION ALL SELECT number, other FROM newest WHERE other IS NOT value" if others else ""
    often = "" if key in _NEWEST_FIRST else "count(*) DESC,"
    rows = connection.execute(
        f"WITH newest AS (SELECT number, {fields} FROM runs ORDER BY number DESC LIMIT {KEPT}),"
        f" every AS (SELECT number, value FROM newest{more})"
        " SELECT value FROM every WHERE instr(lower(value), CAST(:typed AS TEXT)) > 0"
        f" AND length(value) BETWEEN 1 AND {LONGEST} GROUP BY value"
        " ORDER BY instr(lower(value), CAST(:typed AS TEXT)) = 1 DESC,"
        f" {often} max(number) DESC LIMIT :limit",
        {"typed": bind(lower(typed)), "limit": limit},
    )
    return tuple(row[0] for row in rows.fetchall())


def _choose(found: Iterable[str | None], key: TextKey, typed: str, limit: int) -> tuple[str, ...]:
    """Return the values that fit, those that start with what was typed first."""
    counted = Counter(value for value in found if value and len(value) <= LONGEST)
    needle = lower(typed)
    starting: list[str] = []
    containing: list[str] = []
    for value in counted if key in _NEWEST_FIRST else (one for one, _ in counted.most_common()):
        lowered = lower(value)
        if needle in lowered:
            (starting if lowered.startswith(needle) else containing).append(value)
    return tuple([*starting, *containing][:limit])
