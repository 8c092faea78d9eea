"""What the side index reads of the database: short stretches of rows, each one short statement."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, NamedTuple

from zeroth_store.browse import RunSummary
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.decoding.large_cells import read_again
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.giving_way import spaced
from zeroth_store.sqlite.index.cells import (
    erased_column,
    plain_cells,
    plain_columns,
    stamp_column,
)
from zeroth_store.sqlite.index.table import Cells, cells_of, stamp_of
from zeroth_store.sqlite.lists.summaries import (
    WIDTH,
    decode_summary,
    fetch_summaries,
    summary_columns,
    without_payloads,
)
from zeroth_store.sqlite.tables import LAST, runs_table

READ_SECONDS: Final = 0.02
"""How long one statement may hold a read transaction open; a row or two more at the end."""

_ROWS: Final = 1_000
_BETWEEN_LOOKS: Final = 20
_STAMPS: Final = 10_000


class Stretch(NamedTuple):
    """Consecutive rows of the table."""

    rows: list[Cells]
    upto: int
    """The last rowid that was looked at; LAST at the end of the table."""


class Stamps(NamedTuple):
    """What consecutive rows look like, just enough to see that one has changed."""

    seen: list[tuple[int, int]]
    """Rowid and `stamp_of`, in the order of the rowids."""
    upto: int
    """See Stretch."""


def rowid_range(
    connection: sqlite3.Connection, table: Literal["runs", "threads"] = "runs"
) -> tuple[int, int]:
    """Return the smallest and the largest rowid; (1, 0) when there are no rows."""
    low = connection.execute(f"SELECT min(rowid) FROM {table}").fetchall()[0][0]
    top = connection.execute(f"SELECT max(rowid) FROM {table}").fetchall()[0][0]
    return (1, 0) if low is None else (low, top)


def read_stretch(connection: sqlite3.Connection, start: int) -> Stretch:
    """Return the rows from a rowid on, as many as fit in the time."""
    rest = "WHERE rowid >= ? ORDER BY rowid LIMIT ?"
    found = _read(connection, rest, (start, _ROWS))
    at_end = found.whole and found.looked_at < _ROWS
    return Stretch(found.rows, LAST if at_end else found.last)


def read_rows(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[Cells]:
    """Return those of the rows that exist."""
    return _read_each(connection, numbers, _read)


def read_stamps(connection: sqlite3.Connection, start: int) -> Stamps:
    """Return what the rows from a rowid on look like, as many as fit in the time."""
    rest = "WHERE rowid >= ? ORDER BY rowid LIMIT ?"
    found, whole = _timed(connection, _stamps_sql(connection, rest), (start, _STAMPS))
    at_end = whole and len(found) < _STAMPS
    seen = [(number, stamp_of(written)) for number, written in found]
    return Stamps(seen, LAST if at_end else found[-1][0])


def stamps_at(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Return rowid -> `stamp_of` of those of the rows that exist."""
    found: dict[int, int] = {}
    for chunk in spaced(connection, chunks(numbers)):
        marks = ", ".join("?" * len(chunk))
        sql = _stamps_sql(connection, f"WHERE rowid IN ({marks})")
        rows = connection.execute(sql, chunk).fetchall()
        found.update((number, stamp_of(written)) for number, written in rows)
    return found


def summaries_at(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, RunSummary]:
    """Return rowid -> summary of those of the rows that exist."""
    runs = runs_table(connection)
    found: dict[int, RunSummary] = {}
    for chunk in spaced(connection, chunks(numbers)):
        marks = ", ".join("?" * len(chunk))
        found.update(fetch_summaries(connection, runs, f"WHERE rowid IN ({marks})", tuple(chunk)))
    return found


class _Read(NamedTuple):
    """What a statement gave in the time it had."""

    rows: list[Cells]
    looked_at: int
    """How many rows it gave; one that was deleted meanwhile may not be among `rows`."""
    last: int
    """The last rowid it gave; LAST when it gave none."""
    whole: bool
    """Whether it gave all it had."""


def _read(connection: sqlite3.Connection, rest: str, parameters: tuple[Any, ...]) -> _Read:
    """Return the rows that the `rest` of a statement names."""
    sql = f"SELECT {plain_columns(runs_table(connection))} FROM runs {rest}"
    factory, connection.text_factory = connection.text_factory, str
    try:
        stored, whole = _timed(connection, sql, parameters)
    except (sqlite3.DataError, sqlite3.OperationalError):
        # A cell is too large, or text is no UTF-8. Anything else that is wrong will be so again.
        connection.text_factory = factory
        return _read_closely(connection, rest, parameters)
    finally:
        connection.text_factory = factory
    rows = [cells for row in stored if (cells := plain_cells(row)) is not None]
    if len(rows) < len(stored):
        plain = {cells[0] for cells in rows}
        others = [row[0] for row in stored if row[0] not in plain]
        rows += _read_each(connection, others, _read_closely)
    return _Read(rows, len(stored), stored[-1][0] if stored else LAST, whole)


def _read_closely(connection: sqlite3.Connection, rest: str, parameters: tuple[Any, ...]) -> _Read:
    """Return the same by way of the runs' summaries, which show whatever is stored."""
    runs = runs_table(connection)
    more = f"{erased_column(runs)}, {stamp_column(runs)}"
    select = f"SELECT {summary_columns(runs)}, {more} FROM runs"
    try:
        stored, whole = _timed(connection, f"{select} {rest}", parameters)
    except sqlite3.DataError:
        sql = f"SELECT {summary_columns(without_payloads(runs))}, {more} FROM runs {rest}"
        stored, whole = _timed(connection, sql, parameters)
        stored = read_again(connection, select, stored)
    rows = [_decode(row) for row in stored]
    return _Read(rows, len(stored), stored[-1][0] if stored else LAST, whole)


def _read_each(
    connection: sqlite3.Connection,
    numbers: Iterable[int],
    read: Callable[[sqlite3.Connection, str, tuple[Any, ...]], _Read],
) -> list[Cells]:
    """Read rows one by one, in as many statements as the time asks for."""
    found: list[Cells] = []
    for chunk in spaced(connection, chunks(numbers)):
        marks = ", ".join("?" * len(chunk))
        rest = f"WHERE rowid IN ({marks}) AND rowid >= ? ORDER BY rowid"
        left = set(chunk)
        while left:
            some = read(connection, rest, (*chunk, min(left)))
            found += some.rows
            left = set() if some.whole else {each for each in chunk if each > some.last}
    return found


def _stamps_sql(connection: sqlite3.Connection, rest: str) -> str:
    return f"SELECT rowid, {stamp_column(runs_table(connection))} FROM runs {rest}"


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


def _decode(row: tuple[Any, ...]) -> Cells:
    erased, written = row[WIDTH:]
    summary = decode_summary(row[:WIDTH])
    return cells_of(row[0], summary, text_of(row[17]), erased, stamp_of(written))
