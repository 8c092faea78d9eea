"""What is written to the side index, and how it is compared with the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from zeroth_store.browse import Stored
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.source import Stamps, Stretch
from zeroth_store.sqlite.index.table import (
    COLUMNS,
    INDEXES,
    STATUS,
    Cells,
    drop_rows,
    put_rows,
)
from zeroth_store.status import LIVE

_MOST_LIVE: Final = 2_000
_CELLS: Final = f"SELECT {', '.join(COLUMNS)} FROM kept"


def loaded_upto(connection: IndexConnection) -> int | None:
    """Return the rowid up to which the first load has come; None before it has begun."""
    found = connection.execute("SELECT value FROM about WHERE name = 'upto'").fetchall()
    return found[0][0] if found else None


def count_rows(connection: IndexConnection) -> int:
    """Return how many runs the index holds."""
    return sum(_tally(connection).values())


def is_sorted(connection: IndexConnection) -> bool:
    """Say whether the first load is over and all of its indexes are made."""
    return {definition.split()[0] for definition in INDEXES} <= _made(connection)


def load(connection: IndexConnection, stretch: Stretch) -> None:
    """Add a stretch of rows, the first one or the one behind the last."""
    put_rows(connection, stretch.rows)
    connection.tally = None
    connection.execute("INSERT OR REPLACE INTO about VALUES ('upto', ?)", (stretch.upto,))


def make_index(connection: IndexConnection, definition: str) -> None:
    """Make one of the indexes, unless it is there."""
    connection.execute(f"CREATE INDEX IF NOT EXISTS {definition}")


def has_index(connection: IndexConnection, definition: str) -> bool:
    """Say whether an index has been made."""
    return definition.split(maxsplit=1)[0] in _made(connection)


def highest_kept(connection: IndexConnection) -> int | None:
    """Return the largest rowid that the index holds."""
    top: int | None = connection.execute("SELECT max(number) FROM kept").fetchall()[0][0]
    return top


def live_rows(connection: IndexConnection) -> list[int]:
    """Return the newest runs that are not over: those that a writer is likely to change."""
    marks = ", ".join("?" * len(LIVE))
    sql = f"SELECT number FROM kept WHERE status IN ({marks}) ORDER BY number DESC LIMIT ?"
    return [row[0] for row in connection.execute(sql, (*LIVE, _MOST_LIVE)).fetchall()]


def differing(connection: IndexConnection, start: int, stamps: Stamps) -> list[int]:
    """Return the rowids of a stretch that the index lacks, has too many, or has otherwise."""
    sql = "SELECT number, stamp FROM kept WHERE number BETWEEN ? AND ?"
    kept = connection.execute(f"{sql} ORDER BY number", (start, stamps.upto)).fetchall()
    if kept == stamps.seen:
        return []
    return sorted({number for number, _ in set(kept) ^ set(stamps.seen)})


def outdated(
    connection: IndexConnection, numbers: Iterable[int], seen: Mapping[int, int]
) -> list[int]:
    """Return those of these rowids that the index lacks, has too many, or has otherwise."""
    found: list[int] = []
    for chunk in chunks(numbers):
        marks = ", ".join("?" * len(chunk))
        sql = f"SELECT number, stamp FROM kept WHERE number IN ({marks})"
        kept = dict(connection.execute(sql, chunk).fetchall())
        found += [number for number in chunk if kept.get(number) != seen.get(number)]
    return found


def refresh(connection: IndexConnection, looked_at: Iterable[int], rows: list[Cells]) -> None:
    """Bring the rows that were looked at to what was read; those not read are gone."""
    kept: dict[int, Cells] = {}
    for chunk in chunks(looked_at):
        marks = ", ".join("?" * len(chunk))
        found = connection.execute(f"{_CELLS} WHERE number IN ({marks})", chunk).fetchall()
        kept.update((row[0], row) for row in found)
    changed = {row[0]: row for row in rows if kept.get(row[0]) != row}
    gone = kept.keys() - {row[0] for row in rows}
    put_rows(connection, changed.values())
    drop_rows(connection, gone)
    if connection.tally is not None:
        replaced = (kept[number] for number in kept.keys() & (gone | changed.keys()))
        connection.tally.subtract(_status(row) for row in replaced)
        connection.tally.update(_status(row) for row in changed.values())


def count_statuses(connection: IndexConnection) -> list[tuple[str | None, int]]:
    """Count the runs of each status."""
    return [(text_of(status), count) for status, count in _tally(connection).items() if count]


def _made(connection: IndexConnection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
    return {row[0] for row in rows}


def _tally(connection: IndexConnection) -> Counter[Stored]:
    """Return how many runs have each status; only the first time by looking at all of them."""
    if connection.tally is None:
        rows = connection.execute("SELECT status, count(*) FROM kept GROUP BY 1").fetchall()
        connection.tally = Counter(dict(rows))
    return connection.tally


def _status(row: Cells) -> Stored:
    """Return a row's status as the index gives it back."""
    status = row[STATUS]
    return status.decode("utf-8", "surrogateescape") if isinstance(status, bytes) else status
