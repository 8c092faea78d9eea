"""Understanding a filter's text: a Filter, or what is wrong with it and what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, TypeVar, cast

from zeroth_store.ascii_case import lower
from zeroth_store.filters.moments import limit, read_time
from zeroth_store.filters.ranges import read_range
from zeroth_store.filters.scan import RawTerm, Value, scan
from zeroth_store.filters.terms import (
    KEYS,
    NULL,
    PLACES,
    RANGE_KEYS,
    STATES,
    TIME_KEYS,
    Filter,
    FilterError,
    PayloadTerm,
    Range,
    RangeKey,
    RangeTerm,
    State,
    StateTerm,
    Term,
    TextKey,
    TextTerm,
    TextValue,
    TimeKey,
    TimeTerm,
    TimeValue,
)
from zeroth_store.status import RunStatus

T = TypeVar("T")

MOST_VALUES: Final = 100
"""How many words and values a filter may have: databases limit the depth of a condition."""

_A_TIME: Final = "a time such as 10m, 2h, 1d, 1w, today, 2026-03-01 or 2026-03-01T10:00"
_A_RANGE: Final = {
    "duration": "a length such as >10s, <=500ms or 1s..5m (us ms s m h d w)",
    "cost": "an amount of dollars such as >0.1, <=2 or 0.5..3",
}


class _Wrong(Exception):  # never leaves this module
    def __init__(self, start: int, end: int, message: str) -> None:
        self.error = FilterError(start, end, message)


def parse(text: str, *, now: datetime) -> Filter | FilterError:
    """Return the filter that a text means, or the first thing in it that is wrong.

    Never raises. `now` (aware) only says which times are within the calendar: relative times and
    dates stay as written, and are resolved when the filter is used.
    """
    try:
        return Filter(tuple(_terms(text, now)))
    except _Wrong as wrong:
        return wrong.error


def _terms(text: str, now: datetime) -> Iterator[Term]:
    values = 0
    for raw in scan(text):
        term = _term(raw, now)
        values += len(term.values)
        if values > MOST_VALUES:
            message = f"Expected no more than {MOST_VALUES} words and values in a filter."
            raise _Wrong(raw.start, raw.end, message)
        yield term


def _term(raw: RawTerm, now: datetime) -> Term:
    key = "word" if raw.key is None else raw.key.text
    if key not in KEYS and raw.key is not None:
        raise _Wrong(raw.key.start, raw.key.end, _unknown_key(key))
    if key == "in":
        return _payload_term(raw)
    for value in raw.values:
        _check(value, raw)
    if key in TIME_KEYS:
        return _time_term(key, raw, now)
    if key in RANGE_KEYS:
        return _range_term(key, raw)
    if key == "is":
        return StateTerm(_distinct(_state(value) for value in raw.values), raw.negated)
    return _text_term(cast("TextKey", key), raw)


def _unknown_key(key: str) -> str:
    return (
        f"There is no key {key}: - did you mean {_nearest(key, KEYS)}: ?"
        f' To find a text with a colon in it, put it in quotes, as in "{key}:...".'
    )


def _nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like another."""
    from difflib import SequenceMatcher

    begun = [one for one in known if word and one.startswith(word)]
    short = word[:40]
    return max(begun or known, key=lambda one: SequenceMatcher(None, short, one).ratio())


def _check(value: Value, raw: RawTerm) -> None:
    """Raise for what is wrong with a value whatever its key is."""
    if value.fault == "unclosed":
        raise _expected(value, 'a " that closes this quote')
    if value.fault == "joined":
        raise _expected(value, "a blank or a comma after the closing quote")
    if value.text or (value.quoted and (value.exact or _is(raw, "status"))):
        return
    if value.quoted:
        raise _expected(value, "a text between the quotes")
    if raw.key is not None:
        raise _expected(value, f"a value after {raw.key.text}: and after every comma")
    if raw.negated and len(raw.values) == 1:
        raise _expected(value, "a term to leave out after -, as in -status:completed")
    raise _expected(value, "a word on both sides of a comma")


def _expected(value: Value, what: str) -> _Wrong:
    return _Wrong(value.start, value.end, f"Expected {what}.")


def _is(raw: RawTerm, key: str) -> bool:
    return raw.key is not None and raw.key.text == key


def _text_term(key: TextKey, raw: RawTerm) -> TextTerm:
    if key == "status":
        values = [one for value in raw.values for one in _statuses(value)]
    else:
        values = [_text(key, value) for value in raw.values]
    return TextTerm(key, _distinct(values), raw.negated)


def _text(key: TextKey, value: Value) -> TextValue:
    if key != "word" and _is_null(value):
        return TextValue(None, exact=True)
    return TextValue(value.text, value.exact)


def _statuses(value: Value) -> list[TextValue]:
    """Return the stored statuses that a value stands for: known ones by their beginning."""
    if _is_null(value):
        return [TextValue(None, exact=True)]
    begun = value.text.upper() if value.text.isascii() else value.text
    known = [status.value for status in RunStatus if begun and status.startswith(begun)]
    texts = [value.text] if value.exact or not known else known
    return [TextValue(text, exact=True) for text in texts]


def _is_null(value: Value) -> bool:
    return value.text == NULL and not value.quoted and not value.exact


def _time_term(key: TimeKey, raw: RawTerm, now: datetime) -> TimeTerm:
    values: list[TimeValue] = []
    for value in raw.values:
        found = None if value.exact else read_time(value.text)
        if found is None:
            raise _expected(value, _A_TIME)
        if limit(key, found, now) is None:
            raise _expected(value, "a time between the years 1 and 9999")
        values.append(found)
    return TimeTerm(key, _distinct(values), raw.negated)


def _range_term(key: RangeKey, raw: RawTerm) -> RangeTerm:
    values: list[Range] = []
    for value in raw.values:
        found = None if value.exact else read_range(key, value.text)
        if found is None:
            raise _expected(value, _A_RANGE[key])
        values.append(found)
    return RangeTerm(key, _distinct(values), raw.negated)


def _state(value: Value) -> State:
    word = lower(value.text)
    if word in STATES and not value.exact:
        return word
    near = _nearest(word, STATES)
    raise _expected(value, f"one of {', '.join(STATES)} after is: (the nearest is {near})")


def _payload_term(raw: RawTerm) -> PayloadTerm:
    place = raw.place
    if place is None or place.text not in PLACES:
        start, end = (place.start, place.end) if place else (raw.start, raw.end)
        message = f"Expected one of {', '.join(PLACES)} after in:, as in in:output:refund."
        raise _Wrong(start, end, message)
    for value in raw.values:
        if not value.text and not value.quoted:
            what = f'a text to look for, as in in:{place.text}:refund or in:{place.text} "a text"'
            raise _expected(value, what)
        _check(value, raw)
    texts = _distinct(_literal(value) for value in raw.values)
    return PayloadTerm(place.text, texts, raw.negated)


def _literal(value: Value) -> str:
    """Return a text to look for: in a payload a `=` is nothing special."""
    return f"={value.text}" if value.exact else value.text


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
