"""Executions of nodes from the audits, which alone hold true durations; the newest ones first."""

from __future__ import annotations

import sqlite3
from typing import Any, Final, NamedTuple

import msgspec

from zeroth_store.overview import Stretch, Visit
from zeroth_store.overview_figures import VisitFact
from zeroth_store.overview_stretch import micros
from zeroth_store.sqlite.decoding.cells import JsonTime, moment, money, read_cell, text_of
from zeroth_store.sqlite.decoding.large_cells import rows_at
from zeroth_store.sqlite.finding import chunks
from zeroth_store.sqlite.index.table import total
from zeroth_store.sqlite.search.filter_parts import LARGE
from zeroth_store.sqlite.tables import Table, find_table, is_json
from zeroth_store.summaries import RunKey

MOST_VISITS: Final = 2_000
"""So many of the newest audits are read."""

_WORKER: Final = "__worker__"
"""The node of audits about leases, which is none."""

_ANSWERED: Final = "approval_api"
"""The status of audits about answers to approvals: the node's own audit follows."""

_READ: Final = ("status", "started_at", "completed_at", "cost_usd", "estimated_cost_usd")


class _Audit(msgspec.Struct):
    status: str | None = None
    started_at: JsonTime = None
    completed_at: JsonTime = None
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None


class Visits(NamedTuple):
    """The executions that ended in a stretch of time."""

    known: bool
    """False where there is no table of audits."""
    facts: list[VisitFact]
    most: int | None = None
    """So many audits were read, and the stretch may hold more; None when it does not."""


def read_visits(connection: sqlite3.Connection, stretch: Stretch) -> Visits:
    """Return what ended in the stretch, as far as the newest audits tell."""
    table = find_table(connection, "node_audits")
    if table is None or not table.has("run_id", "node_id", "record_json"):
        return Visits(False, [])
    select = _select(table)
    newest = "SELECT rowid FROM node_audits ORDER BY rowid DESC LIMIT ?"
    numbers = [row[0] for row in connection.execute(newest, (MOST_VISITS + 1,)).fetchall()]
    since = micros(stretch.since)
    until = None if stretch.until is None else micros(stretch.until)
    facts: list[VisitFact] = []
    for chunk in chunks(numbers[:MOST_VISITS]):
        rows, _ = rows_at(connection, select, chunk)
        found = [fact for row in rows if (fact := _fact(row)) is not None]
        facts += [
            one for one in found if one.ended >= since and (until is None or one.ended < until)
        ]
        if found and all(one.ended < since for one in found):
            return Visits(True, facts)  # audits are written one after the other
    return Visits(True, facts, MOST_VISITS if len(numbers) > MOST_VISITS else None)


def _select(table: Table) -> str:
    """Return the SELECT of an audit; of a large record only what is read of it."""
    record = "record_json"
    parts = ", ".join(f"'{name}', json_extract({record}, '$.{name}')" for name in _READ)
    large = f"CASE WHEN {is_json(record)} THEN json_object({parts}) END"
    columns = (
        *(table.tenant(), table.scope(), "run_id", "node_id", table.column("created_at")),
        f"CASE WHEN length({record}) <= {LARGE} THEN {record} ELSE {large} END",
    )
    return f"SELECT {', '.join(columns)} FROM node_audits"


def _fact(row: tuple[Any, ...]) -> VisitFact | None:
    """Return an execution; None of an audit that is about none, or has no time."""
    tenant, scope, run_id, node_id, created, record = row
    audit = read_cell(record, "record_json", _Audit)
    started, completed = moment(audit.started_at).instant, moment(audit.completed_at).instant
    node, ended = text_of(node_id) or "", completed or moment(created).instant
    if ended is None or node == _WORKER or audit.status == _ANSWERED:
        return None
    took = None
    # Audits of parallel branches and of approvals have no length: they hold one time twice.
    if started is not None and completed is not None and started < completed:
        took = micros(completed) - micros(started)
    cost = money(audit.cost_usd, audit.estimated_cost_usd)
    key = RunKey(text_of(tenant) or "", text_of(scope) or "", text_of(run_id) or "")
    return VisitFact(node, micros(ended), Visit(key, took, total(cost.measured, cost.estimated)))
