"""Cells larger than a connection reads: SQL that looks into one raises DataError, for all rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, Final

from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.giving_way import spaced
from zeroth_store.sqlite.tables import FIRST, LAST, Table, quote

TOO_LARGE: Final = "larger than 64 MB, which is more than is read"
"""What is said of such a cell."""

PAYLOADS: Final = ("metadata", "failure_state", "current_node_ids", "error")
"""The columns of runs that lists and filters look into and that can be of any size."""


def rows_at(
    connection: sqlite3.Connection, select: str, numbers: Iterable[int]
) -> tuple[list[tuple[Any, ...]], list[int]]:
    """Return what a SELECT without a WHERE gives for these rows, and which are too large for it."""
    rows: list[tuple[Any, ...]] = []
    large: list[int] = []
    for chunk in spaced(connection, chunks(numbers)):
        try:
            rows += _at(connection, select, chunk)
        except sqlite3.DataError:
            for number in chunk:
                try:
                    rows += _at(connection, select, [number])
                except sqlite3.DataError:
                    large.append(number)
    return rows, large


def read_again(
    connection: sqlite3.Connection, select: str, rows: Iterable[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Return rows, which begin with their rowids, as a SELECT without a WHERE gives them.

    Those that are too large for it stay as they are.
    """
    before = {row[0]: row for row in rows}
    whole, _ = rows_at(connection, select, before)
    return list({**before, **{row[0]: row for row in whole}}.values())


def large_rows(
    connection: sqlite3.Connection,
    runs: Table,
    columns: Iterable[str],
    first: int = FIRST,
    last: int = LAST,
) -> list[int]:
    """Return the runs, from one rowid up to another, in which a cell of these is too large.

    This reads the cells of every run there: only to be asked for after a DataError.
    """
    lengths = ", ".join(f"length({runs.column(name)})" for name in columns)
    select = f"SELECT rowid, {lengths} FROM runs"
    large: list[int] = []
    while first <= last:
        try:
            with closing(_from(connection, select, first, last)) as cursor:
                for row in cursor:
                    first = row[0] + 1
            return large
        except sqlite3.DataError:
            # The driver reads a row ahead: either the next one is too large or the one after.
            following = "SELECT min(rowid) FROM runs WHERE rowid BETWEEN ? AND ?"
            at: int | None = connection.execute(following, (first, last)).fetchall()[0][0]
        if at is None:  # it was deleted meanwhile
            return large
        large += rows_at(connection, select, [at])[1]
        first = at + 1
    return large


def without_large(connection: sqlite3.Connection, runs: Table) -> str:
    """Return a WITH clause behind which `runs` reads as if no run had a payload that is too large.

    Such a run has no payloads at all, as in its summary.
    """
    numbers = ", ".join(map(str, large_rows(connection, runs, PAYLOADS)))
    columns = (
        f"CASE WHEN rowid IN ({numbers}) THEN NULL ELSE {name} END AS {name}"
        if name in PAYLOADS
        else quote(name)
        for name in runs.columns
    )
    return (
        "WITH runs AS NOT MATERIALIZED"
        f" (SELECT rowid AS rowid, {', '.join(columns)} FROM main.runs)"
    )


def _at(
    connection: sqlite3.Connection, select: str, numbers: Sequence[int]
) -> list[tuple[Any, ...]]:
    marks = ", ".join("?" * len(numbers))
    return connection.execute(f"{select} WHERE rowid IN ({marks})", numbers).fetchall()


def _from(connection: sqlite3.Connection, select: str, first: int, last: int) -> sqlite3.Cursor:
    sql = f"{select} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
    return connection.execute(sql, (first, last))
