"""What the side index decides by a look at one column: times, lengths, cost, children, words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from zeroth_store.ascii_case import lower
from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.index.order import sorting
from zeroth_store.sqlite.index.table import BETWEEN, microseconds

if TYPE_CHECKING:
    from zeroth_store.filters import RangeTerm, TextValue, TimeTerm
    from zeroth_store.filters.terms import RowTerm

_Hint = tuple[str, tuple[object, ...]]


def likely(query: RunQuery, now: datetime) -> _Hint:
    """Return what holds in the index for all runs that a query means, and for some others.

    For no others as far as `undecided` leaves terms out.
    """
    hints = [_text(query.text)] if query.text else []
    if query.filter is not None:
        hints += [hint for term in query.filter.row_terms if (hint := _decided(term, now))]
    return " AND ".join(sql for sql, _ in hints) or "1", _joined(params for _, params in hints)


def undecided(query: RunQuery, now: datetime) -> RunQuery:
    """Return a query without the terms that `likely` decides for good."""
    if query.filter is None:
        return query
    from zeroth_store.filters import Filter

    left = tuple(term for term in query.filter.row_terms if _decided(term, now) is None)
    return msgspec.structs.replace(query, filter=Filter(left))


def ages(query: RunQuery, order: RunOrder) -> bool:
    """Say whether what a query means, or its order, may change although no run does."""
    if order.by == "duration":
        return True
    if query.filter is None:
        return False
    from zeroth_store.filters import TextTerm

    return any(not isinstance(term, TextTerm) for term in query.filter.row_terms)


def _decided(term: RowTerm, now: datetime) -> _Hint | None:
    """Return what a term means, where one column tells."""
    from zeroth_store.filters import RangeTerm, StateTerm, TextTerm, TimeTerm

    match term:
        case RangeTerm():
            return _signed(_ranges(term, now), negated=term.negated)
        case TimeTerm():
            return _signed(_times(term, now), negated=term.negated)
        case StateTerm(values=("child",)):
            return _signed(("parent IS NOT NULL", ()), negated=term.negated)
        case TextTerm(key="word") if all(map(_is_in_one, term.values)):
            texts = [value.text or "" for value in term.values]
            return _signed(_words(texts), negated=term.negated)
        case _:
            return None


def _is_in_one(value: TextValue) -> bool:
    """Whether a text that is in `words` is in one of the texts there."""
    return value.text is not None and not value.exact and BETWEEN not in value.text


def _words(texts: Sequence[str]) -> _Hint:
    looks = " OR ".join(["instr(words, CAST(? AS TEXT)) > 0"] * len(texts))
    return f"({looks})", tuple(bind(lower(text)) for text in texts)


def _text(text: str) -> _Hint:
    sql = "instr(words || lower(coalesce(error, '')), CAST(? AS TEXT)) > 0"
    return sql, (bind(lower(text)),)


def _times(term: TimeTerm, now: datetime) -> _Hint:
    from zeroth_store.filters.moments import limit

    limits = [microseconds(limit(term.key, value, now)) for value in term.values]
    known = tuple(at for at in limits if at is not None)
    sign = ">=" if term.key == "since" else "<"
    return f"({' OR '.join([f'started {sign} ?'] * len(known)) or '0'})", known


def _ranges(term: RangeTerm, now: datetime) -> _Hint:
    by = sorting(RunOrder(term.key), microseconds(now) or 0)
    parts: list[str] = []
    params: list[object] = []
    for wanted in term.values:
        low, high = ">" if wanted.above_low else ">=", "<" if wanted.below_high else "<="
        limits = [(sign, at) for sign, at in ((low, wanted.low), (high, wanted.high))]
        known = [(sign, at) for sign, at in limits if at is not None]
        parts.append(" AND ".join(f"{by.sql} {sign} ?" for sign, _ in known) or "1")
        params += [value for _, at in known for value in (*by.params, at)]
    return f"({' OR '.join(f'({part})' for part in parts)})", tuple(params)


def _signed(hint: _Hint, *, negated: bool) -> _Hint:
    sql, params = hint
    return (f"NOT coalesce({sql}, 0)", params) if negated else hint


def _joined(params: Iterable[tuple[object, ...]]) -> tuple[object, ...]:
    return tuple(value for values in params for value in values)
