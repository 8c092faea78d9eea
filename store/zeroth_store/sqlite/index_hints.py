"""Cheap conditions that hold for every run a filter means, so that few are looked at closely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.sqlite.cells import bind
from zeroth_store.sqlite.index_order import sorting
from zeroth_store.sqlite.index_table import lowered, microseconds

if TYPE_CHECKING:
    from zeroth_store.filters import RangeTerm

_Hint = tuple[str, tuple[object, ...]]


def likely(query: RunQuery, now: datetime) -> _Hint:
    """Return what holds in the index for all runs that a query means, and for some others."""
    hints = [_words([query.text])] if query.text else []
    if query.filter is not None:
        from zeroth_store.filters import RangeTerm, TextTerm

        for term in query.filter.row_terms:
            if term.negated:
                continue
            if isinstance(term, RangeTerm):
                hints.append(_ranges(term, now))
            elif isinstance(term, TextTerm) and term.key == "word":
                texts = [value.text for value in term.values if value.text is not None]
                hints += [_words(texts)] if len(texts) == len(term.values) else []
    return " AND ".join(sql for sql, _ in hints) or "1", _joined(params for _, params in hints)


def ages(query: RunQuery, order: RunOrder) -> bool:
    """Say whether what a query means, or its order, may change although no run does."""
    if order.by == "duration":
        return True
    if query.filter is None:
        return False
    from zeroth_store.filters import TextTerm

    return any(not isinstance(term, TextTerm) for term in query.filter.row_terms)


def _words(texts: Sequence[str]) -> _Hint:
    looks = " OR ".join(["instr(words, CAST(? AS TEXT)) > 0"] * len(texts))
    return f"({looks})", tuple(bind(lowered(text)) for text in texts)


def _ranges(term: RangeTerm, now: datetime) -> _Hint:
    by = sorting(RunOrder(term.key), microseconds(now) or 0)
    parts: list[str] = []
    params: list[object] = []
    for wanted in term.values:
        limits = [(sign, at) for sign, at in ((">=", wanted.low), ("<=", wanted.high))]
        known = [(sign, at) for sign, at in limits if at is not None]
        parts.append(" AND ".join(f"{by.sql} {sign} ?" for sign, _ in known) or "1")
        params += [value for _, at in known for value in (*by.params, at)]
    return f"({' OR '.join(f'({part})' for part in parts)})", tuple(params)


def _joined(params: Iterable[tuple[object, ...]]) -> tuple[object, ...]:
    return tuple(value for values in params for value in values)
