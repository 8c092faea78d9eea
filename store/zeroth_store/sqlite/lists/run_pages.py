"""Pages of the flat run list, newest created first, and how many runs have each status."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from zeroth_store.browse import Page, RunQuery
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.index.hits import condition, fits
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.tables import runs_table

StatusCounts = tuple[tuple[str | None, int], ...]
"""Stored statuses with how many runs have each, most frequent first."""


def run_page(
    connection: sqlite3.Connection, query: RunQuery, after: int | None, limit: int, now: datetime
) -> Page:
    """Return the runs that match, from behind the row `after` on."""
    runs = runs_table(connection)
    where = condition(query, frozenset(runs.columns), now)
    behind, parameters = ("", ()) if after is None else ("AND rowid < ?", (after,))
    found = fetch_summaries(
        connection,
        runs,
        f"WHERE {where.sql} {behind} ORDER BY rowid DESC LIMIT ?",
        (*where.params, *parameters, limit + 1),
    )
    rows = tuple(summary for _, summary in found[:limit] if fits(query, summary, now))
    return Page(rows, found[limit - 1][0] if len(found) > limit else None)


def count_statuses(connection: sqlite3.Connection) -> StatusCounts:
    """Count the runs of each stored status."""
    status = runs_table(connection).column("status")
    rows = connection.execute(f"SELECT {status}, count(*) FROM runs GROUP BY 1").fetchall()
    return tally((text_of(stored), count) for stored, count in rows)


def tally(counted: Iterable[tuple[str | None, int]]) -> StatusCounts:
    """Add up counts by status, most frequent first."""
    totals: Counter[str | None] = Counter()
    for status, count in counted:
        totals[status] += count
    return tuple(totals.most_common())
