"""Whole rows of an own database, read and written many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from zeroth_store.sqlite.repositories.database import Row, Session
from zeroth_store.sqlite.tables import quote

_MOST_VALUES: Final = 30_000
"""SQLite binds 32,766 values in a statement, and no more."""

_CACHE_KIB: Final = 100_000
_USUAL_KIB: Final = 2_000


async def enlarge_cache(session: Session, *, back: bool = False) -> None:
    """Keep more of the indexes in memory: many rows meet all of their pages; `back`: no longer."""
    await session.execute(f"PRAGMA cache_size = -{_USUAL_KIB if back else _CACHE_KIB}")


async def read_rows(session: Session, table: str) -> list[Row]:
    """Return every row of a table, oldest first."""
    return await session.fetch_all(f"SELECT * FROM {quote(table)} ORDER BY rowid")


async def count_rows(session: Session, table: str) -> int:
    """Count the rows of a table."""
    row = await session.fetch_one(f"SELECT count(*) AS many FROM {quote(table)}")
    return 0 if row is None else int(row["many"])


async def insert_rows(session: Session, table: str, rows: Sequence[Row]) -> None:
    """Insert rows that have the same columns; none may be there already."""
    if not rows:
        return
    names = list(rows[0])
    at_once = _MOST_VALUES // len(names)
    row = f"({', '.join('?' * len(names))})"
    into = f"INSERT INTO {quote(table)} ({', '.join(map(quote, names))}) VALUES "
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        values = chain.from_iterable([one[name] for name in names] for one in some)
        await session.execute(into + ", ".join([row] * len(some)), tuple(values))
