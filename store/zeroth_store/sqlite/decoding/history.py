"""Decoding a run's history: at once what a timeline shows, the entries themselves when needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json.decoder import JSONDecoder
from typing import Final

import msgspec

from zeroth_store.browse import CellProblem, Cost, HistoryEntry, Stored
from zeroth_store.history import Brief, History
from zeroth_store.sqlite.decoding.cells import JsonTime, moment, money
from zeroth_store.sqlite.decoding.entries import read_list
from zeroth_store.sqlite.decoding.jsontext import (
    NOTHING,
    Unreadable,
    raw_text,
    read_object,
    read_objects,
)

_COLUMN: Final = "execution_history"


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


class _Spent(msgspec.Struct, gc=False):
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None


_BRIEFS: Final = msgspec.json.Decoder(list[Brief])
_SPENT: Final = msgspec.json.Decoder(list[_Spent])
_JSON: Final = JSONDecoder()


def read_history(value: Stored, problems: list[CellProblem]) -> Sequence[HistoryEntry]:
    """Decode `execution_history`; entries without a node are counted as a problem."""
    text = value if isinstance(value, str) else None
    try:
        briefs = _BRIEFS.decode(text or "")
        first = read_object(_first_element(text or ""), _Step)
    except (ValueError, RecursionError):
        steps = read_list(value, _COLUMN, _Step, problems)
        return tuple(_entry(i, step) for i, step in enumerate(steps) if step is not None)
    return History(text or "", briefs, _entry(0, first), _entries)


def total_cost(history: Sequence[HistoryEntry]) -> Cost:
    """Add up what the entries say they cost; None where none says anything."""
    costs = _costs(history)
    measured = [cost.measured for cost in costs if cost.measured is not None]
    estimated = [cost.estimated for cost in costs if cost.estimated is not None]
    return Cost(sum(measured) if measured else None, sum(estimated) if estimated else None)


def _costs(history: Sequence[HistoryEntry]) -> list[Cost]:
    if isinstance(history, History):
        try:
            spent = _SPENT.decode(history.text)
        except (ValueError, RecursionError):
            pass
        else:
            return [money(one.cost_usd, one.estimated_cost_usd) for one in spent]
    return [entry.cost for entry in history]


def _entries(text: str) -> Callable[[int], HistoryEntry]:
    """Decode a history of which every entry can be read."""
    steps = read_objects(text, _Step)

    def entry(index: int) -> HistoryEntry:
        step = steps[index]
        if step is None:
            raise Unreadable(f"entry {index} of a history that was readable before")
        return _entry(index, step)

    return entry


def _first_element(text: str) -> str:
    """Return the first element of a JSON list; ValueError where there is none."""
    start = text.index("[") + 1
    start += len(text[start : start + 200]) - len(text[start : start + 200].lstrip())
    return text[start : _JSON.raw_decode(text, start)[1]]


def _entry(index: int, step: _Step) -> HistoryEntry:
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
