"""The runs that a run started as children."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Final

import msgspec

from zeroth_store.browse import RunKey, RunSummary
from zeroth_store.sqlite.decoding.cells import bind, read_cell, read_inner
from zeroth_store.sqlite.decoding.jsontext import NOTHING
from zeroth_store.sqlite.decoding.large_cells import large_rows, rows_at
from zeroth_store.sqlite.finding import find_run, scope_of, stretches
from zeroth_store.sqlite.giving_way import spaced
from zeroth_store.sqlite.index.source import rowid_range, summaries_at
from zeroth_store.sqlite.tables import Table, is_small

_SOON: Final = 20_000
"""How many rows behind a run are looked through for its children."""


class _Links(msgspec.Struct):
    pending_subgraph: msgspec.Raw = NOTHING


class _Subgraph(msgspec.Struct):
    child_run_id: str | None = None


def children_of(
    connection: sqlite3.Connection,
    runs: Table,
    key: RunKey,
    known: Iterable[int],
    above: int | None,
) -> tuple[RunSummary, ...]:
    """Return the runs whose metadata names this one as parent, oldest first, in any thread.

    Where those with rowids up to `above` are `known`, only what is above them is looked through.
    Where nothing is known of a large table, only the runs created soon after this one are: that
    is when children are. The text search sees metadata that SQLite's JSON functions refuse; the
    decoded summary decides.
    """
    if not runs.has("metadata"):
        return ()
    found = summaries_at(connection, known)
    first, last = rowid_range(connection)
    if above is not None:
        first = above + 1
    elif not is_small(connection, runs):
        first = find_run(connection, runs, key) or first
        last = min(last, first + _SOON)
    spellings = {key.run_id, json.dumps(key.run_id)[1:-1]}
    for spelling in spellings:
        for stretch in spaced(connection, stretches(first, last)):
            parameters = (*stretch, *scope_of(key), bind(spelling))
            try:
                numbers = _naming_parents(connection, runs, parameters)
            except sqlite3.DataError:
                large = large_rows(connection, runs, ("metadata",), *stretch)
                numbers = _naming_parents(connection, runs, parameters, large)
            found.update(summaries_at(connection, numbers))
    found = {rowid: row for rowid, row in found.items() if row.parent_run_id == key.run_id}
    if (pending := _pending_child(connection, runs, key)) is not None:
        found.update(summaries_at(connection, (pending,)))
    return tuple(found[rowid] for rowid in sorted(found))


def _naming_parents(
    connection: sqlite3.Connection,
    runs: Table,
    parameters: tuple[object, ...],
    large: Iterable[int] = (),
) -> list[int]:
    """Return the rows of a stretch that name a parent and somewhere a text; no `large` ones."""
    named = "instr(metadata, 'parent_run_id') > 0 AND instr(metadata, CAST(? AS TEXT)) > 0"
    rows = connection.execute(
        # An index on the scope would lead SQLite through all of its runs.
        "SELECT rowid FROM runs NOT INDEXED"
        f" WHERE rowid BETWEEN ? AND ? AND {runs.in_scope()}"
        f" AND CASE WHEN rowid IN ({', '.join(map(str, large))}) THEN 0 ELSE {named} END",
        parameters,
    )
    return [row[0] for row in rows.fetchall()]


def _pending_child(connection: sqlite3.Connection, runs: Table, key: RunKey) -> int | None:
    """Return the rowid of the child that a waiting parent waits for."""
    rowid = find_run(connection, runs, key)
    rows, _ = rows_at(connection, "SELECT metadata FROM runs", () if rowid is None else (rowid,))
    for (metadata,) in rows:
        links = read_cell(metadata, "metadata", _Links)
        child = read_inner(links.pending_subgraph, _Subgraph).child_run_id
        if child is not None:
            return find_run(connection, runs, key._replace(run_id=child))
    return None
