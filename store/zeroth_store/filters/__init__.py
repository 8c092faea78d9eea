"""The filter language: text becomes a Filter, which is matched, rendered and completed."""

from __future__ import annotations

from zeroth_store.filters.complete import Completion, complete
from zeroth_store.filters.match import judge, matches
from zeroth_store.filters.parse import parse
from zeroth_store.filters.payload import payload_needles
from zeroth_store.filters.render import render, spell
from zeroth_store.filters.terms import (
    EVERYTHING,
    Filter,
    FilterError,
    PayloadTerm,
    RangeTerm,
    StateTerm,
    Term,
    TextTerm,
    TextValue,
    TimeTerm,
)

__all__ = [
    "EVERYTHING",
    "Completion",
    "Filter",
    "FilterError",
    "PayloadTerm",
    "RangeTerm",
    "StateTerm",
    "Term",
    "TextTerm",
    "TextValue",
    "TimeTerm",
    "complete",
    "judge",
    "matches",
    "parse",
    "payload_needles",
    "render",
    "spell",
]
