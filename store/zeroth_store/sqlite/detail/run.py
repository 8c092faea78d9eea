"""One run whole: every cell read as far as it can be, and a note for each that cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from zeroth_store.browse import (
    CellProblem,
    Cost,
    FailureInfo,
    HistoryEntry,
    JsonText,
    RunDetail,
    RunKey,
    RunSummary,
    Stored,
)
from zeroth_store.sqlite.decoding.cells import json_text, read_cell, read_inner, strings, text_of
from zeroth_store.sqlite.decoding.entries import read_conditions
from zeroth_store.sqlite.decoding.fetching import fetch
from zeroth_store.sqlite.decoding.history import read_history, total_cost
from zeroth_store.sqlite.decoding.jsontext import (
    NOTHING,
    Unreadable,
    check_json,
    load_json,
    members,
    raw_text,
)
from zeroth_store.sqlite.decoding.large_cells import TOO_LARGE
from zeroth_store.sqlite.finding import find_run
from zeroth_store.sqlite.lists.summaries import (
    WIDTH,
    decode_summary,
    summary_columns,
    without_payloads,
)
from zeroth_store.sqlite.tables import Table, quote, runs_table

Cells = dict[str, Stored]
"""A row's values by column name."""


class _Metadata(msgspec.Struct):
    initial_input: msgspec.Raw = NOTHING
    node_payloads: msgspec.Raw = NOTHING
    in_flight_dispatch: msgspec.Raw = NOTHING
    pending_approval: msgspec.Raw = NOTHING
    pending_subgraph: msgspec.Raw = NOTHING
    terminal_reason: str | None = None
    termination_reason: str | None = None


class _Part(msgspec.Struct):
    """The members wanted of the objects inside metadata, whichever of them has which."""

    node_id: str | None = None
    input_payload: msgspec.Raw = NOTHING
    approval_id: str | None = None
    child_run_id: str | None = None


class _Request(msgspec.Struct):
    request_id: str | None = None
    step_name: str | None = None


class _Failure(msgspec.Struct):
    reason: str | None = None
    message: str | None = None
    details: msgspec.Raw = NOTHING


class _Actor(msgspec.Struct):
    subject: str | None = None


def read_run(connection: sqlite3.Connection, key: RunKey) -> RunDetail | None:
    """Return one run whole; None when it is gone."""
    runs = runs_table(connection)
    rowid = find_run(connection, runs, key)
    if rowid is None:
        return None
    problems: list[CellProblem] = []
    row = _fetch(connection, runs, rowid, problems)
    if row is None:
        return None
    columns = tuple(zip(runs.columns, row[WIDTH:], strict=True))
    return detail_of(decode_summary(row), columns, problems)


def _fetch(
    connection: sqlite3.Connection, runs: Table, rowid: int, problems: list[CellProblem]
) -> tuple[Any, ...] | None:
    """Read the row, or cell by cell when one of them is beyond what a connection takes."""
    columns = [quote(name) for name in runs.columns]
    try:
        sql = f"SELECT {summary_columns(runs)}, {', '.join(columns)} FROM runs WHERE rowid = ?"
        rows = fetch(connection, sql, (rowid,))
    except sqlite3.DataError:
        sql = f"SELECT {summary_columns(without_payloads(runs))} FROM runs WHERE rowid = ?"
        rows = connection.execute(sql, (rowid,)).fetchall()
        cells = tuple(_cell(connection, name, rowid, problems) for name in runs.columns)
        return (*rows[0], *cells) if rows else None
    return rows[0] if rows else None


def _cell(
    connection: sqlite3.Connection, column: str, rowid: int, problems: list[CellProblem]
) -> Stored:
    sql = f"SELECT {quote(column)} FROM runs WHERE rowid = ?"
    try:
        rows = connection.execute(sql, (rowid,)).fetchall()
    except sqlite3.DataError:
        problems.append(CellProblem(column, TOO_LARGE))
        return None
    cell: Stored = rows[0][0] if rows else None
    return cell


def detail_of(
    summary: RunSummary, columns: tuple[tuple[str, Stored], ...], problems: list[CellProblem]
) -> RunDetail:
    """Read a run from its cells; `problems` are those met before."""
    cells: Cells = dict(columns)
    history = read_history(cells.get("execution_history"), problems)
    metadata = read_cell(cells.get("metadata"), "metadata", _Metadata, problems)
    in_flight = read_inner(metadata.in_flight_dispatch, _Part)
    approval_id, approval_node = _approval(cells, metadata, problems)
    pending = strings(cells.get("pending_node_ids"), "pending_node_ids", problems)
    if summary.cost == Cost():
        summary = msgspec.structs.replace(summary, cost=total_cost(history))
    return RunDetail(
        summary=summary,
        columns=columns,
        history=history,
        conditions=read_conditions(cells.get("condition_results"), problems),
        failure=_failure(cells, problems),
        metadata=_json(cells.get("metadata")),
        output=_output(cells.get("final_output"), problems),
        initial_input=_initial_input(metadata, history, pending),
        in_flight_node=in_flight.node_id,
        in_flight_input=raw_text(in_flight.input_payload),
        submitted_by=read_cell(cells.get("submitted_by"), "submitted_by", _Actor, problems).subject,
        pending_approval_id=approval_id,
        pending_approval_node=approval_node,
        pending_child_run_id=read_inner(metadata.pending_subgraph, _Part).child_run_id,
        terminal_reason=metadata.terminal_reason or metadata.termination_reason,
        visit_counts=_visit_counts(cells.get("node_visit_counts"), problems),
        audit_refs=strings(cells.get("audit_refs"), "audit_refs", problems),
        pending_nodes=pending,
        erased=cells.get("token_snapshot_write_disabled") == 1,
        problems=tuple(problems),
    )


def _approval(
    cells: Cells, metadata: _Metadata, problems: list[CellProblem]
) -> tuple[str | None, str | None]:
    """Return the approval a run waits for: the runtime's in metadata, else a library caller's."""
    part = read_inner(metadata.pending_approval, _Part)
    if part.approval_id is not None or part.node_id is not None:
        return part.approval_id, part.node_id
    request = read_cell(cells.get("pending_approval"), "pending_approval", _Request, problems)
    return request.request_id, request.step_name


def _failure(cells: Cells, problems: list[CellProblem]) -> FailureInfo | None:
    stored, error = cells.get("failure_state"), text_of(cells.get("error"))
    if stored == "null":
        stored = None
    if stored is None and error is None:
        return None
    state = read_cell(stored, "failure_state", _Failure, problems)
    return FailureInfo(state.reason, state.message, raw_text(state.details), error)


def _json(stored: Stored) -> JsonText | None:
    """Return a JSON cell as stored, whatever it holds; a blob has no text to show."""
    return None if isinstance(stored, bytes) else text_of(stored)


def _output(stored: Stored, problems: list[CellProblem]) -> JsonText | None:
    if stored is not None:
        try:
            check_json(json_text(stored))
        except Unreadable as error:
            problems.append(CellProblem("final_output", str(error)))
    return _json(stored)


def _initial_input(
    metadata: _Metadata, history: Sequence[HistoryEntry], pending: tuple[str, ...]
) -> JsonText | None:
    """Return what the run was started with: as recorded, else what its first node got."""
    if recorded := raw_text(metadata.initial_input):
        return recorded
    if history:
        return history[0].input
    return waiting_input(metadata.node_payloads, pending)


def waiting_input(node_payloads: msgspec.Raw, pending: tuple[str, ...]) -> JsonText | None:
    """Return what the first node will get that waits for its turn, as `metadata` has it."""
    try:
        payloads = members(raw_text(node_payloads) or "{}")
    except Unreadable:
        return None
    waiting = [payloads[node] for node in pending if node in payloads]
    return next(iter(waiting or payloads.values()), None)


def _visit_counts(stored: Stored, problems: list[CellProblem]) -> tuple[tuple[str, int], ...]:
    if stored is None:
        return ()
    try:
        counts = {node: load_json(count) for node, count in members(json_text(stored)).items()}
    except Unreadable as error:
        problems.append(CellProblem("node_visit_counts", str(error)))
        return ()
    return tuple((node, n) for node, n in counts.items() if isinstance(n, int))
