"""What a filter is made of: frozen terms, each with values of which one must hold."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, Literal, get_args

import msgspec

TextKey = Literal[
    "word", "status", "graph", "node", "thread", "tenant", "workspace", "reason", "id", "parent"
]
"""What a text is compared with; `word` is text without a key, which may be in several places."""

TimeKey = Literal["since", "until"]
"""Started at or after a time; started before it."""

RangeKey = Literal["duration", "cost"]
"""Numbers of a run: microseconds from start to end (or to now), and US dollars."""

State = Literal["live", "stuck", "waiting", "dead-letter", "failed", "child", "parent", "erased"]
"""Conditions of a run that have a name of their own."""

Place = Literal["input", "output", "any"]
"""Where a payload is looked for: what the run and its nodes were given, what they gave, or both."""

Unit = Literal["us", "ms", "s", "m", "h", "d", "w"]
"""A unit of time."""

MICROSECONDS: Final[dict[Unit, int]] = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
    "w": 604_800_000_000,
}
"""How long each unit is; the shortest first."""

STATES: Final[tuple[State, ...]] = get_args(State)
PLACES: Final[tuple[Place, ...]] = get_args(Place)
TEXT_KEYS: Final[tuple[TextKey, ...]] = get_args(TextKey)[1:]
TIME_KEYS: Final[tuple[TimeKey, ...]] = get_args(TimeKey)
RANGE_KEYS: Final[tuple[RangeKey, ...]] = get_args(RangeKey)

KEYS: Final[tuple[str, ...]] = (*TEXT_KEYS, *TIME_KEYS, *RANGE_KEYS, "is", "in")
"""Every key there is, in the order in which they are offered."""

NULL: Final = "(null)"
"""How SQL NULL is written as a value; in quotes it is just text."""


class TextValue(msgspec.Struct, frozen=True):
    """A text to compare with, or None for SQL NULL."""

    text: str | None
    exact: bool = False
    """The whole stored text, case and blanks included; else any part of it, in any ASCII case."""


class TextTerm(msgspec.Struct, frozen=True):
    """One of these texts is there. Of `status` all values are exact: the parser resolves them."""

    key: TextKey
    values: tuple[TextValue, ...]
    negated: bool = False


class Ago(msgspec.Struct, frozen=True):
    """A time so long before now; it moves with now."""

    count: int
    unit: Unit


class Today(msgspec.Struct, frozen=True):
    """The day that is now, in now's time zone."""


class Day(msgspec.Struct, frozen=True):
    """A date, in now's time zone."""

    day: date


class Clock(msgspec.Struct, frozen=True):
    """A date with a time of day; without an offset it is in now's time zone."""

    moment: datetime


TimeValue = Ago | Today | Day | Clock
"""How a time may be written. It is resolved when it is used, so that a saved filter stays true."""


class TimeTerm(msgspec.Struct, frozen=True):
    """The run started in one of these stretches of time."""

    key: TimeKey
    values: tuple[TimeValue, ...]
    negated: bool = False


class Range(msgspec.Struct, frozen=True):
    """Numbers between two limits; None where there is no limit."""

    low: float | None = None
    high: float | None = None
    above_low: bool = False
    """The lower limit itself is outside."""
    below_high: bool = False
    """The upper limit itself is outside."""


class RangeTerm(msgspec.Struct, frozen=True):
    """The number is known and in one of these ranges."""

    key: RangeKey
    values: tuple[Range, ...]
    negated: bool = False


class StateTerm(msgspec.Struct, frozen=True):
    """The run is in one of these conditions."""

    values: tuple[State, ...]
    negated: bool = False


class PayloadTerm(msgspec.Struct, frozen=True):
    """One of these texts is in a payload: too large for a list, so it is looked for apart."""

    place: Place
    values: tuple[str, ...]
    negated: bool = False


RowTerm = TextTerm | TimeTerm | RangeTerm | StateTerm
"""A term that a run's row decides without its payloads."""

Term = RowTerm | PayloadTerm
"""One condition of a filter."""


class Filter(msgspec.Struct, frozen=True):
    """A run is wanted when every term holds; all runs are where there is none."""

    terms: tuple[Term, ...] = ()

    @property
    def row_terms(self) -> tuple[RowTerm, ...]:
        """The terms that SQL over a row, or a summary, decides."""
        return tuple(term for term in self.terms if not isinstance(term, PayloadTerm))

    @property
    def payload_terms(self) -> tuple[PayloadTerm, ...]:
        """The terms for which payloads must be searched."""
        return tuple(term for term in self.terms if isinstance(term, PayloadTerm))

    def __str__(self) -> str:
        from zeroth_store.filters.render import render

        return render(self)


EVERYTHING: Final = Filter()
"""The filter that leaves nothing out."""


class FilterError(msgspec.Struct, frozen=True):
    """Why a text is no filter: the first thing in it that is wrong."""

    start: int
    """Where the wrong part begins, in characters from 0."""
    end: int
    """Where it ends, exclusive; equal to `start` where something is missing."""
    message: str
    """A sentence with what was expected. It may quote what was typed: show it as stored text."""

    def __str__(self) -> str:
        return self.message
