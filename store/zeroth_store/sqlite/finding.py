"""Finding rows by identity, through the primary key where the schema has one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from zeroth_store.browse import RunKey, ThreadKey
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.giving_way import spaced
from zeroth_store.sqlite.tables import Table, quote

T = TypeVar("T")
K = TypeVar("K", RunKey, ThreadKey)

BY_ROWID: Final = "rowid:"
"""What the run id in a key starts with when the stored id is no text and cannot name the row."""

_CHUNK: Final = 150
_STRETCH: Final = 500
_MOST_STRETCHES: Final = 120
_ROWID: Final = re.compile(rf"{BY_ROWID}(-?\d{{1,18}})")


def scope_of(key: RunKey | ThreadKey) -> tuple[str | bytes | None, str | bytes | None]:
    """Return the two parameters of `Table.in_scope`."""
    return bind(key[0]), bind(key[1])


def find_run(connection: sqlite3.Connection, runs: Table, key: RunKey) -> int | None:
    """Return the rowid of a run."""
    sql = f"SELECT rowid FROM runs WHERE {runs.in_scope()} AND run_id = CAST(? AS TEXT) LIMIT 1"
    found = connection.execute(sql, (*scope_of(key), bind(key.run_id))).fetchall()
    if not found and (match := _ROWID.fullmatch(key.run_id)):
        found = connection.execute(
            "SELECT rowid FROM runs WHERE rowid = ?", (int(match[1]),)
        ).fetchall()
    return found[0][0] if found else None


def find_ids(
    connection: sqlite3.Connection,
    table: Table,
    column: str,
    ids: Sequence[str],
    key: RunKey | ThreadKey,
) -> dict[str, int]:
    """Return id -> rowid of the rows whose `column` is one of `ids`, within the key's scope."""
    found: dict[str, int] = {}
    bounds = [bound for text in ids if (bound := bind(text)) is not None]
    for chunk in spaced(connection, chunks(bounds)):
        marks = ", ".join(["CAST(? AS TEXT)"] * len(chunk))
        sql = f"SELECT {column}, rowid FROM {quote(table.name)} "
        sql += f"WHERE {table.in_scope()} AND {column} IN ({marks})"
        found.update(connection.execute(sql, (*scope_of(key), *chunk)).fetchall())
    return found


def by_scope(keys: Iterable[K]) -> list[list[K]]:
    """Group keys by tenant and workspace scope, so that one statement serves for many."""
    groups: dict[tuple[str, str], list[K]] = {}
    for key in keys:
        groups.setdefault(key[:2], []).append(key)
    return list(groups.values())


def chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """Cut parameters into lists short enough for one statement."""
    every = list(values)
    for start in range(0, len(every), _CHUNK):
        yield every[start : start + _CHUNK]


def stretches(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut a stretch of rowids into ones that take a moment to look through, highest first.

    Takes and yields the first and the last rowid of a stretch. Where rowids are far apart there are
    few stretches, and long ones.
    """
    length = max(_STRETCH, (last - first + 1) // _MOST_STRETCHES)
    while last >= first:
        yield max(first, last - length + 1), last
        last -= length
