"""What only other rows tell of a run in a list: who drives it, and whether its approval exists."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.decoding.large_cells import rows_at
from zeroth_store.sqlite.finding import by_scope, chunks, scope_of
from zeroth_store.sqlite.tables import Table, find_table, is_json, is_small
from zeroth_store.status import LIVE, RunStatus
from zeroth_store.summaries import RunKey, RunSummary

OPEN = "status IN ('pending', 'escalated')"
"""SQL that is true for approvals that nobody has answered."""

_CHILDREN = ("pending_subgraph", "pending_parallel_subgraph")


def with_standing(
    connection: sqlite3.Connection, runs: Table, found: list[tuple[int, RunSummary]]
) -> list[tuple[int, RunSummary]]:
    """Return (rowid, summary) pairs with `driven` and `approval_missing` filled in."""
    orphans = [run for _, run in found if _may_be_driven(run)]
    waiting = [pair for pair in found if pair[1].status == RunStatus.WAITING_APPROVAL]
    if not orphans and not waiting:
        return found
    driven = _driven(connection, runs, orphans)
    lacking = _lacking(connection, runs, waiting)
    return [
        (
            number,
            msgspec.structs.replace(
                run, driven=run.key in driven, approval_missing=run.key in lacking
            )
            if run.key in driven or run.key in lacking
            else run,
        )
        for number, run in found
    ]


def _may_be_driven(run: RunSummary) -> bool:
    held = run.lease is not None and run.lease.worker_id is not None
    return run.status == RunStatus.RUNNING and run.parent_run_id is not None and not held


def _driven(
    connection: sqlite3.Connection, runs: Table, children: Iterable[RunSummary]
) -> set[RunKey]:
    """Return the runs whose parent is live and has a lease, so that its worker runs them."""
    parents = {child.key: child.parent_run_id or "" for child in children}
    driven: set[RunKey] = set()
    for keys in by_scope(parents):
        at_work = _at_work(connection, runs, keys[0], {parents[key] for key in keys})
        driven.update(key for key in keys if parents[key] in at_work)
    return driven


def _at_work(
    connection: sqlite3.Connection, runs: Table, scope: RunKey, run_ids: Iterable[str]
) -> set[str]:
    """Return those of one scope's runs that are live and have a lease."""
    live = ", ".join(f"'{status}'" for status in sorted(LIVE))
    held = f"{runs.column('status')} IN ({live}) AND {runs.column('lease_worker_id')} IS NOT NULL"
    found: set[str] = set()
    for chunk in chunks([bound for text in run_ids if (bound := bind(text)) is not None]):
        marks = ", ".join(["CAST(? AS TEXT)"] * len(chunk))
        sql = f"SELECT run_id FROM runs WHERE {runs.in_scope()} AND run_id IN ({marks}) AND {held}"
        rows = connection.execute(sql, (*scope_of(scope), *chunk))
        found.update(row[0] for row in rows.fetchall())
    return found


def _lacking(
    connection: sqlite3.Connection, runs: Table, waiting: list[tuple[int, RunSummary]]
) -> set[RunKey]:
    """Return the runs that wait for an approval of which there is no open row.

    Where looking would mean to read a large table, none is said to lack one.
    """
    table = find_table(connection, "approvals")
    if not waiting or table is None or not table.has("run_id", "status"):
        return set()
    if "run_id" not in table.leading and not is_small(connection, table):
        return set()
    scopes = by_scope(run.key for _, run in waiting)
    present = {key for keys in scopes for key in _with_approval(connection, table, keys)}
    lacking = {number: run.key for number, run in waiting if run.key not in present}
    for number in _waiting_for_child(connection, runs, lacking):
        del lacking[number]
    return set(lacking.values())


def _with_approval(connection: sqlite3.Connection, table: Table, keys: list[RunKey]) -> set[RunKey]:
    """Return those of one scope's runs that have an open approval."""
    present: set[str] = set()
    for chunk in chunks([bound for key in keys if (bound := bind(key.run_id)) is not None]):
        marks = ", ".join(["CAST(? AS TEXT)"] * len(chunk))
        sql = f"SELECT run_id FROM approvals WHERE {table.in_scope()} AND {OPEN}"
        rows = connection.execute(f"{sql} AND run_id IN ({marks})", (*scope_of(keys[0]), *chunk))
        present.update(row[0] for row in rows.fetchall())
    return {key for key in keys if key.run_id in present}


def _waiting_for_child(
    connection: sqlite3.Connection, runs: Table, numbers: Iterable[int]
) -> list[int]:
    """Return those of the rows where a child run waits for the approval, or may: some are large."""
    metadata = runs.column("metadata")
    named = " OR ".join(f"json_type({metadata}, '$.{key}') = 'object'" for key in _CHILDREN)
    waits = f"CASE WHEN {is_json(metadata)} THEN {named} END"
    rows, large = rows_at(connection, f"SELECT rowid, {waits} FROM runs", numbers)
    return [number for number, is_waiting in rows if is_waiting] + large
