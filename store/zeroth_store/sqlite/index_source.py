"""What the side index reads of the database: short stretches of rows, each one short statement."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from zeroth_store.browse import RunSummary
from zeroth_store.sqlite.cells import text_of
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.index_table import IndexRow, index_row, stamp_of
from zeroth_store.sqlite.summaries import (
    WIDTH,
    decode_summary,
    fetch_summaries,
    summary_columns,
    without_payloads,
)
from zeroth_store.sqlite.tables import Table, runs_table

FIRST: Final = -(2**63)
"""The smallest rowid there can be."""

LAST: Final = 2**63 - 1
"""The largest rowid there can be."""

READ_SECONDS: Final = 0.03
"""How long one statement may hold a read transaction open; a row or two more at the end."""

_STAMPED: Final = ("run_id", "status", "updated_at")
_ROWS: Final = 1_000
_BETWEEN_LOOKS: Final = 20
_STAMPS: Final = 10_000


class Stretch(NamedTuple):
    """Consecutive rows of the table."""

    rows: list[IndexRow]
    upto: int
    """The last rowid that was looked at; LAST at the end of the table."""


class Stamps(NamedTuple):
    """What consecutive rows look like, just enough to see that one has changed."""

    seen: dict[int, int]
    upto: int
    """See Stretch."""


def rowid_range(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the smallest and the largest rowid; (1, 0) when there are no runs."""
    low = connection.execute("SELECT min(rowid) FROM runs").fetchall()[0][0]
    top = connection.execute("SELECT max(rowid) FROM runs").fetchall()[0][0]
    return (1, 0) if low is None else (low, top)


def read_stretch(connection: sqlite3.Connection, start: int) -> Stretch:
    """Return the rows from a rowid on, as many as fit in the time."""
    rest = "WHERE rowid >= ? ORDER BY rowid LIMIT ?"
    found, whole = _select(connection, rest, (start, _ROWS))
    at_end = whole and len(found) < _ROWS
    return Stretch([_decode(row) for row in found], LAST if at_end else found[-1][0])


def read_rows(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[IndexRow]:
    """Return those of the rows that exist."""
    found: list[tuple[Any, ...]] = []
    for chunk in chunks(numbers):
        marks = ", ".join("?" * len(chunk))
        left = set(chunk)
        while left:
            rest = f"WHERE rowid IN ({marks}) AND rowid >= ? ORDER BY rowid"
            rows, whole = _select(connection, rest, (*chunk, min(left)))
            found += rows
            left = set() if whole else {each for each in chunk if each > rows[-1][0]}
    return [_decode(row) for row in found]


def read_stamps(connection: sqlite3.Connection, start: int) -> Stamps:
    """Return what the rows from a rowid on look like, as many as fit in the time."""
    columns = ", ".join(runs_table(connection).column(name) for name in _STAMPED)
    sql = f"SELECT rowid, {columns} FROM runs WHERE rowid >= ? ORDER BY rowid LIMIT ?"
    found, whole = _timed(connection, sql, (start, _STAMPS))
    at_end = whole and len(found) < _STAMPS
    seen = {row[0]: stamp_of(*row[1:]) for row in found}
    return Stamps(seen, LAST if at_end else found[-1][0])


def summaries_at(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, RunSummary]:
    """Return rowid -> summary of those of the rows that exist."""
    runs = runs_table(connection)
    found: dict[int, RunSummary] = {}
    for chunk in chunks(numbers):
        marks = ", ".join("?" * len(chunk))
        found.update(fetch_summaries(connection, runs, f"WHERE rowid IN ({marks})", tuple(chunk)))
    return found


def _select(
    connection: sqlite3.Connection, rest: str, parameters: tuple[Any, ...]
) -> tuple[list[tuple[Any, ...]], bool]:
    runs = runs_table(connection)
    try:
        return _timed(connection, _statement(runs, runs, rest), parameters)
    except sqlite3.DataError:
        small = without_payloads(runs)
        return _timed(connection, _statement(small, runs, rest), parameters)


def _statement(summarised: Table, runs: Table, rest: str) -> str:
    erased = f"{runs.column('token_snapshot_write_disabled')} = 1"
    return f"SELECT {summary_columns(summarised)}, {erased} FROM runs {rest}"


def _timed(
    connection: sqlite3.Connection, sql: str, parameters: tuple[Any, ...]
) -> tuple[list[tuple[Any, ...]], bool]:
    """Return rows until the time is over, at least some; and whether these are all."""
    until = time.monotonic() + READ_SECONDS
    rows: list[tuple[Any, ...]] = []
    cursor = connection.execute(sql, parameters)
    try:
        while some := cursor.fetchmany(_BETWEEN_LOOKS):
            rows += some
            if time.monotonic() > until:
                return rows, False
    finally:
        cursor.close()
    return rows, True


def _decode(row: tuple[Any, ...]) -> IndexRow:
    run_id, status, updated, error = row[3], row[4], row[10], row[17]
    stamp = stamp_of(run_id, status, updated)
    return index_row(row[0], decode_summary(row[:WIDTH]), text_of(error), row[WIDTH], stamp)
