"""Runs by their place in an order, from the side index: which are there, and which place is theirs.

Runs without the value that sorts are a list of their own behind the others. Each list is walked
from whichever end is nearer.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from zeroth_store.browse import RunOrder
from zeroth_store.sqlite.index.changes import count_rows
from zeroth_store.sqlite.index.file import IndexConnection

_COLUMNS: Final = {
    "started": "started",
    "updated": "updated",
    "status": "status",
    "graph": "graph_version_ref",
    "cost": "cost",
}

_Params = tuple[object, ...]


class Sorting(NamedTuple):
    """What an order sorts by, as SQL over one run; NULL where it has no value."""

    sql: str
    params: _Params = ()


def sorting(order: RunOrder, now: int) -> Sorting:
    """Return what sorts the runs; `now` is in microseconds since 1970."""
    if order.by == "created":
        return Sorting("number")
    if order.by == "duration":
        return Sorting("coalesce(spent, ? - since)", (now,))
    return Sorting(_COLUMNS[order.by])


def direction(order: RunOrder) -> str:
    """Return the SQL word for the order's direction."""
    return "DESC" if order.descending else "ASC"


def rows_at(
    connection: IndexConnection, order: RunOrder, now: int, start: int, limit: int
) -> list[int]:
    """Return the rowids of the runs at these positions."""
    found: list[int] = []
    for part in _parts(connection, order, now):
        if start < part.size and limit > len(found):
            found += _walk(connection, part, order.descending, start, limit - len(found))
        start = max(start - part.size, 0)
    return found


def place_of(connection: IndexConnection, order: RunOrder, now: int, number: int) -> int | None:
    """Return the position of a run; None when the index does not hold it."""
    by = sorting(order, now)
    found = connection.execute(f"SELECT {by.sql} FROM kept WHERE number = ?", (*by.params, number))
    values = found.fetchall()
    if not values:
        return None
    value = values[0][0]
    known, unknown = _parts(connection, order, now)
    before = ">" if order.descending else "<"
    if value is None:
        return known.size + _count(connection, unknown, f"number {before} ?", (number,))
    ahead = _count(connection, known, f"value {before} ?", (value,))
    return ahead + _count(connection, known, f"value = ? AND number {before} ?", (value, number))


class _Part(NamedTuple):
    """Runs that are sorted alike: those with a value, or those without."""

    selects: tuple[tuple[str, _Params], ...]
    """Statements whose rows, taken together, are the part: value and number, each sortable."""
    size: int


def _parts(connection: IndexConnection, order: RunOrder, now: int) -> tuple[_Part, _Part]:
    total = count_rows(connection)
    if order.by == "created":
        none = (("SELECT NULL AS value, number FROM kept WHERE 0", ()),)
        return _Part((("SELECT number AS value, number FROM kept", ()),), total), _Part(none, 0)
    if order.by == "duration":
        over = ("SELECT spent AS value, number FROM kept WHERE spent IS NOT NULL", ())
        live = ("SELECT ? - since AS value, number FROM kept WHERE since IS NOT NULL", (now,))
        neither = "spent IS NULL AND since IS NULL"
        known: tuple[tuple[str, _Params], ...] = (over, live)
    else:
        column = _COLUMNS[order.by]
        known = ((f"SELECT {column} AS value, number FROM kept WHERE {column} IS NOT NULL", ()),)
        neither = f"{column} IS NULL"
    size = connection.number(f"SELECT count(*) FROM kept WHERE {neither}")
    unknown = ((f"SELECT NULL AS value, number FROM kept WHERE {neither}", ()),)
    return _Part(known, total - size), _Part(unknown, size)


def _walk(
    connection: IndexConnection, part: _Part, descending: bool, start: int, limit: int
) -> list[int]:
    limit = min(limit, part.size - start)
    skipped = part.size - start - limit
    from_end = skipped < start
    word = "DESC" if descending != from_end else "ASC"
    sql = " UNION ALL ".join(select for select, _ in part.selects)
    params = [value for _, values in part.selects for value in values]
    rows = connection.execute(
        f"{sql} ORDER BY value {word}, number {word} LIMIT ? OFFSET ?",
        (*params, limit, skipped if from_end else start),
    ).fetchall()
    found = [row[1] for row in rows]
    return found[::-1] if from_end else found


def _count(connection: IndexConnection, part: _Part, condition: str, values: _Params) -> int:
    counts = (
        connection.execute(
            f"SELECT count(*) FROM ({select}) WHERE {condition}", (*params, *values)
        ).fetchall()[0][0]
        for select, params in part.selects
    )
    return sum(counts)
