"""Decoding a run's history and its branch decisions, ten thousand entries at a time."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from zeroth_store.browse import CellProblem, ConditionEntry, Cost, HistoryEntry, Stored
from zeroth_store.sqlite.cells import JsonTime, json_text, moment, money
from zeroth_store.sqlite.jsontext import (
    NOTHING,
    Unreadable,
    raw_text,
    read_object,
    read_objects,
)

S = TypeVar("S", bound=msgspec.Struct)


class _Step(msgspec.Struct, gc=False):
    node_id: str
    status: str | None = None
    attempt: int | None = None
    started_at: JsonTime = None
    completed_at: JsonTime = None
    audit_ref: str | None = None
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None
    cost_measurement: str | None = None
    input_snapshot: msgspec.Raw = NOTHING
    output_snapshot: msgspec.Raw = NOTHING


class _Decision(msgspec.Struct, gc=False):
    condition_id: str
    selected_edge_id: str | None = None
    matched: bool | None = None
    evaluated_at: JsonTime = None
    details: msgspec.Raw = NOTHING


class _Details(msgspec.Struct):
    edge_id: str | None = None
    source_node_id: str | None = None
    target_node_id: str | None = None
    branch_rule: str | None = None
    expression: str | None = None
    value: msgspec.Raw = NOTHING
    operand_refs: msgspec.Raw = NOTHING
    suppression_reason: str | None = None


def read_history(value: Stored, problems: list[CellProblem]) -> tuple[HistoryEntry, ...]:
    """Decode `execution_history`; entries without a node are counted as a problem."""
    steps = _read_list(value, "execution_history", _Step, problems)
    return tuple(_history_entry(i, step) for i, step in enumerate(steps) if step is not None)


def read_conditions(value: Stored, problems: list[CellProblem]) -> tuple[ConditionEntry, ...]:
    """Decode `condition_results`; entries without a condition are counted as a problem."""
    found = _read_list(value, "condition_results", _Decision, problems)
    return tuple(_condition_entry(i, one) for i, one in enumerate(found) if one is not None)


def total_cost(history: tuple[HistoryEntry, ...]) -> Cost:
    """Add up what the entries say they cost; None where none says anything."""
    measured = [e.cost.measured for e in history if e.cost.measured is not None]
    estimated = [e.cost.estimated for e in history if e.cost.estimated is not None]
    return Cost(sum(measured) if measured else None, sum(estimated) if estimated else None)


def _history_entry(index: int, step: _Step) -> HistoryEntry:
    return HistoryEntry(
        index=index,
        node_id=step.node_id,
        status=step.status,
        attempt=step.attempt,
        started=moment(step.started_at),
        completed=moment(step.completed_at),
        audit_ref=step.audit_ref,
        cost=money(step.cost_usd, step.estimated_cost_usd),
        cost_measurement=step.cost_measurement,
        input=raw_text(step.input_snapshot),
        output=raw_text(step.output_snapshot),
    )


def _condition_entry(index: int, decision: _Decision) -> ConditionEntry:
    details = _details(decision.details)
    return ConditionEntry(
        index=index,
        condition_id=decision.condition_id,
        edge_id=details.edge_id,
        source=details.source_node_id,
        target=details.target_node_id,
        rule=details.branch_rule,
        expression=details.expression,
        value=raw_text(details.value),
        operands=raw_text(details.operand_refs),
        matched=decision.matched,
        selected_edge_id=decision.selected_edge_id,
        suppression_reason=details.suppression_reason,
        evaluated=moment(decision.evaluated_at),
    )


def _details(raw: msgspec.Raw) -> _Details:
    try:
        return read_object(raw_text(raw) or "{}", _Details)
    except Unreadable:
        return _Details()


def _read_list(
    value: Stored, column: str, shape: type[S], problems: list[CellProblem]
) -> list[S | None]:
    """Decode a cell that holds a list of objects, saying how many of them are none."""
    if value is None:
        return []
    try:
        items = read_objects(json_text(value), shape)
    except Unreadable as error:
        problems.append(CellProblem(column, str(error)))
        return []
    if lost := items.count(None):
        problems.append(CellProblem(column, f"{lost} of {len(items)} entries not readable"))
    return items
