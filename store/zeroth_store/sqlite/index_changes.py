"""What is written to the side index, and how it is compared with the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from zeroth_store.browse import Stored
from zeroth_store.sqlite.cells import text_of
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.index_file import IndexConnection
from zeroth_store.sqlite.index_source import Stamps, Stretch
from zeroth_store.sqlite.index_table import INDEXES, LIVE, IndexRow, drop_rows, put_rows

COUNT: Final = "SELECT count(*) FROM runs"
"""How many runs the index holds."""

_MOST_LIVE: Final = 2_000
_STATUS: Final = 4


def loaded_upto(connection: IndexConnection) -> int | None:
    """Return the rowid up to which the first load has come; None before it has begun."""
    found = connection.execute("SELECT value FROM about WHERE name = 'upto'").fetchall()
    return found[0][0] if found else None


def count_rows(connection: IndexConnection) -> int:
    """Return how many runs the index holds."""
    return connection.number(COUNT)


def is_sorted(connection: IndexConnection) -> bool:
    """Say whether the first load is over and all of its indexes are made."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall()
    return {definition.split()[0] for definition in INDEXES} <= {row[0] for row in rows}


def load(connection: IndexConnection, stretch: Stretch) -> None:
    """Add a stretch of rows, the first one or the one behind the last."""
    put_rows(connection, stretch.rows)
    connection.tally = None
    connection.execute("INSERT OR REPLACE INTO about VALUES ('upto', ?)", (stretch.upto,))


def make_index(connection: IndexConnection, definition: str) -> None:
    """Make one of the indexes, unless it is there."""
    connection.execute(f"CREATE INDEX IF NOT EXISTS {definition}")


def highest_kept(connection: IndexConnection) -> int | None:
    """Return the largest rowid that the index holds."""
    top: int | None = connection.execute("SELECT max(number) FROM runs").fetchall()[0][0]
    return top


def live_rows(connection: IndexConnection) -> list[int]:
    """Return the newest runs that are not over: those that a writer is likely to change."""
    marks = ", ".join("?" * len(LIVE))
    sql = f"SELECT number FROM runs WHERE status IN ({marks}) ORDER BY number DESC LIMIT ?"
    return [row[0] for row in connection.execute(sql, (*LIVE, _MOST_LIVE)).fetchall()]


def differing(connection: IndexConnection, start: int, stamps: Stamps) -> list[int]:
    """Return the rowids of a stretch that the index lacks, has too many, or has otherwise."""
    sql = "SELECT number, stamp FROM runs WHERE number BETWEEN ? AND ?"
    kept = dict(connection.execute(sql, (start, stamps.upto)).fetchall())
    if kept == stamps.seen:
        return []
    return sorted({number for number, _ in kept.items() ^ stamps.seen.items()})


def refresh(connection: IndexConnection, looked_at: Sequence[int], rows: list[IndexRow]) -> None:
    """Bring the rows that were looked at to what was read; those not read are gone."""
    kept: dict[int, tuple[Stored, ...]] = {}
    for chunk in chunks(looked_at):
        marks = ", ".join("?" * len(chunk))
        sql = f"SELECT * FROM runs WHERE number IN ({marks})"
        kept.update((row[0], row) for row in connection.execute(sql, chunk).fetchall())
    changed = [row for row in rows if kept.get(row.number) != row.cells]
    gone = kept.keys() - {row.number for row in rows}
    put_rows(connection, changed)
    drop_rows(connection, gone)
    if connection.tally is not None:
        replaced = [row.number for row in changed if row.number in kept]
        connection.tally.subtract(kept[number][_STATUS] for number in (*gone, *replaced))
        connection.tally.update(_status(row) for row in changed)


def count_statuses(connection: IndexConnection) -> list[tuple[str | None, int]]:
    """Count the runs of each status; only the first time by looking at all of them."""
    if connection.tally is None:
        rows = connection.execute("SELECT status, count(*) FROM runs GROUP BY 1").fetchall()
        connection.tally = Counter(dict(rows))
    return [(text_of(status), count) for status, count in connection.tally.items() if count]


def _status(row: IndexRow) -> Stored:
    """Return a row's status as the index gives it back."""
    status = row.cells[_STATUS]
    return status.decode("utf-8", "surrogateescape") if isinstance(status, bytes) else status
