"""Decoding lists of objects in a cell, a run's branch decisions above all."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from zeroth_store.browse import CellProblem, ConditionEntry, Stored
from zeroth_store.sqlite.decoding.cells import JsonTime, json_text, moment, read_inner
from zeroth_store.sqlite.decoding.jsontext import (
    NOTHING,
    Unreadable,
    raw_text,
    read_objects,
)

S = TypeVar("S", bound=msgspec.Struct)


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


def read_conditions(value: Stored, problems: list[CellProblem]) -> tuple[ConditionEntry, ...]:
    """Decode `condition_results`; entries without a condition are counted as a problem."""
    found = read_list(value, "condition_results", _Decision, problems)
    return tuple(_condition_entry(i, one) for i, one in enumerate(found) if one is not None)


def read_list(
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


def _condition_entry(index: int, decision: _Decision) -> ConditionEntry:
    details = read_inner(decision.details, _Details)
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
