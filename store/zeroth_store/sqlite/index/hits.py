"""Which runs a query means, as SQL over the side index or, without one, over the database."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from zeroth_store.browse import RunOrder, RunQuery, RunSummary
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.decoding.large_cells import without_large
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.hints import likely, undecided
from zeroth_store.sqlite.index.order import direction, sorting
from zeroth_store.sqlite.index.table import FILTERED, microseconds
from zeroth_store.sqlite.tables import runs_table

_SEARCHED: Final = ("run_id", "thread_id", "graph_version_ref", "status", "error")


class Condition(NamedTuple):
    """A query as SQL over one run."""

    sql: str
    params: tuple[object, ...]
    doubt: str
    """1 where only the run's summary can tell whether it matches."""
    doubt_params: tuple[object, ...]


class Found(NamedTuple):
    """Runs that match, in order."""

    numbers: array[int]
    """Their rowids."""
    doubtful: list[int]
    """Those of them whose summaries have yet to be judged."""


def condition(query: RunQuery, columns: frozenset[str], now: datetime) -> Condition:
    """Return what holds for the runs that a query means, in a table with these columns."""
    terms: list[str] = []
    params: list[object] = []
    if query.statuses:
        terms.append(_status_term(query.statuses))
        params += [bind(status) for status in query.statuses if status is not None]
    if query.text:
        searched = [column for column in _SEARCHED if column in columns]
        # SQLite's lower() changes ASCII letters only, and unlike LIKE it sees what follows a NUL.
        terms.append(_any_of(f"instr(lower({c}), lower(CAST(? AS TEXT))) > 0" for c in searched))
        params += [bind(query.text)] * len(searched)
    doubt, doubt_params = "0", tuple[object, ...]()
    if query.filter is not None:
        from zeroth_store.sqlite.search.filter_sql import compile_filter

        where = compile_filter(query.filter, columns, now)
        terms.append(f"({where.sql})")
        params += where.params
        doubt, doubt_params = where.doubt, where.doubt_params
    return Condition(" AND ".join(terms) or "1", tuple(params), doubt, doubt_params)


def fits(query: RunQuery, summary: RunSummary, now: datetime) -> bool:
    """Say whether a run that was found by its row is meant, where the row leaves a doubt."""
    if query.filter is None:
        return True
    from zeroth_store.filters import matches

    return matches(query.filter, summary, now)


def find_kept(
    connection: IndexConnection, query: RunQuery, order: RunOrder, now: datetime
) -> Found:
    """Return all runs that match, from the side index."""
    by, word = sorting(order, microseconds(now) or 0), direction(order)
    where = condition(undecided(query, now), FILTERED, now)
    # What is cheap to say comes first: SQLite looks at the rest only where it holds.
    hint, hint_params = likely(query, now)
    rows = connection.execute(
        f"SELECT number, {where.doubt}, {by.sql} AS sorting FROM runs"
        f" WHERE {hint} AND {where.sql} ORDER BY sorting IS NULL, sorting {word}, number {word}",
        (*where.doubt_params, *by.params, *hint_params, *where.params),
    )
    return _found(rows)


def find_stored(
    connection: sqlite3.Connection, query: RunQuery, descending: bool, now: datetime, most: int
) -> Found:
    """Return the first runs that match in the order of creation, from the database."""
    runs = runs_table(connection)
    where = condition(query, frozenset(runs.columns), now)
    sql = (
        f"SELECT rowid, {where.doubt} FROM runs WHERE {where.sql}"
        f" ORDER BY rowid {'DESC' if descending else 'ASC'} LIMIT ?"
    )
    parameters = (*where.doubt_params, *where.params, most)
    try:
        return _found(connection.execute(sql, parameters))
    except sqlite3.DataError:
        return _found(connection.execute(f"{without_large(connection, runs)} {sql}", parameters))


def _found(rows: Iterable[tuple[Any, ...]]) -> Found:
    numbers: array[int] = array("q")
    doubtful: list[int] = []
    for number, doubt, *_ in rows:
        numbers.append(number)
        if doubt:
            doubtful.append(number)
    return Found(numbers, doubtful)


def _status_term(statuses: tuple[str | None, ...]) -> str:
    named = sum(status is not None for status in statuses)
    marks = ", ".join(["CAST(? AS TEXT)"] * named)
    terms = [f"status IN ({marks})"] if named else []
    return _any_of(terms if named == len(statuses) else [*terms, "status IS NULL"])


def _any_of(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"
