"""Pages of the flat run list, newest created first, and how many runs have each status."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from zeroth_store.browse import Page, RunQuery
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.finding import stretches
from zeroth_store.sqlite.giving_way import spaced
from zeroth_store.sqlite.index.hits import condition, fits
from zeroth_store.sqlite.index.source import rowid_range
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.tables import is_small, runs_table

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
    runs = runs_table(connection)
    every = f"SELECT {runs.column('status')}, count(*) FROM runs"
    if is_small(connection, runs):
        sql = f"{every} WHERE rowid BETWEEN ? AND ? GROUP BY 1"
        cut = spaced(connection, stretches(*rowid_range(connection)))
        rows = [row for stretch in cut for row in connection.execute(sql, stretch).fetchall()]
    else:  # an index has them all at once, many times faster than the rows themselves
        rows = connection.execute(f"{every} GROUP BY 1").fetchall()
    return tally((text_of(stored), count) for stored, count in rows)


def tally(counted: Iterable[tuple[str | None, int]]) -> StatusCounts:
    """Add up counts by status, most frequent first."""
    totals: Counter[str | None] = Counter()
    for status, count in counted:
        totals[status] += count
    return tuple(totals.most_common())
