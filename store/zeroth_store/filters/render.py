"""Writing a filter as text that parses to the same filter."""

from __future__ import annotations

import re
from typing import Final

from zeroth_store.filters.moments import write_time
from zeroth_store.filters.ranges import write_range
from zeroth_store.filters.terms import (
    NULL,
    Filter,
    PayloadTerm,
    RangeTerm,
    StateTerm,
    Term,
    TextKey,
    TextTerm,
    TextValue,
    TimeTerm,
)
from zeroth_store.status import RunStatus

_BARE: Final = re.compile(r"[\w./@#+][\w./@#+:-]*")
_SPECIAL: Final = re.compile(r'(["\\])')


def render(wanted: Filter) -> str:
    """Return the filter as text: `parse(render(f))` is `f` for everything that `parse` returns."""
    return " ".join(map(_term, wanted.terms))


def spell(key: TextKey, value: TextValue) -> str:
    """Return one value as it is written after a key; for completing and for building filters."""
    if value.text is None:
        return NULL
    if key == "status":
        known = value.text in RunStatus.__members__
        return value.text if known else f"={_quoted(value.text)}"
    plain = _bare_or_quoted(value.text, colon=key != "word")
    return f"={plain}" if value.exact else plain


def _term(term: Term) -> str:
    sign = "-" if term.negated else ""
    return f"{sign}{_key(term)}{','.join(_values(term))}"


def _key(term: Term) -> str:
    match term:
        case TextTerm(key="word"):
            return ""
        case StateTerm():
            return "is:"
        case PayloadTerm():
            return f"in:{term.place}:"
        case _:
            return f"{term.key}:"


def _values(term: Term) -> list[str]:
    match term:
        case TextTerm():
            return [spell(term.key, value) for value in term.values]
        case TimeTerm():
            return [write_time(value) for value in term.values]
        case RangeTerm():
            return [write_range(term.key, value) for value in term.values]
        case StateTerm():
            return list(term.values)
        case PayloadTerm():
            return [_bare_or_quoted(text, colon=True) for text in term.values]


def _bare_or_quoted(text: str, *, colon: bool) -> str:
    """Return a text without quotes where it says the same; a word with a colon would be a key."""
    bare = _BARE.fullmatch(text) is not None and (colon or ":" not in text)
    return text if bare else _quoted(text)


def _quoted(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\1", text)
    return f'"{escaped}"'
