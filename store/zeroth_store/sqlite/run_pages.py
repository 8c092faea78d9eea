"""Pages of the flat run list, newest created first, and how many runs have each status."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable

from zeroth_store.browse import Page, RunQuery
from zeroth_store.sqlite.cells import bind, text_of
from zeroth_store.sqlite.summaries import fetch_summaries
from zeroth_store.sqlite.tables import runs_table

StatusCounts = tuple[tuple[str | None, int], ...]
"""Stored statuses with how many runs have each, most frequent first."""

_SEARCHED = ("run_id", "thread_id", "graph_version_ref", "status", "error")


def run_page(
    connection: sqlite3.Connection, query: RunQuery, after: int | None, limit: int
) -> Page:
    """Return the runs that match, from behind the row `after` on."""
    runs = runs_table(connection)
    terms: list[str] = []
    parameters: list[object] = []
    if after is not None:
        terms.append("rowid < ?")
        parameters.append(after)
    if query.statuses:
        terms.append(_status_term(query.statuses))
        parameters += [bind(status) for status in query.statuses if status is not None]
    if query.text:
        searched = [column for column in _SEARCHED if runs.has(column)]
        # SQLite's lower() changes ASCII letters only, and unlike LIKE it sees what follows a NUL.
        terms.append(_any_of(f"instr(lower({c}), lower(CAST(? AS TEXT))) > 0" for c in searched))
        parameters += [bind(query.text)] * len(searched)
    where = f"WHERE {' AND '.join(terms)}" if terms else ""
    found = fetch_summaries(
        connection, runs, f"{where} ORDER BY rowid DESC LIMIT ?", (*parameters, limit + 1)
    )
    rows = tuple(summary for _, summary in found[:limit])
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


def _status_term(statuses: tuple[str | None, ...]) -> str:
    named = sum(status is not None for status in statuses)
    marks = ", ".join(["CAST(? AS TEXT)"] * named)
    terms = [f"status IN ({marks})"] if named else []
    return _any_of(terms if named == len(statuses) else [*terms, "status IS NULL"])


def _any_of(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"
