"""What could stand at the cursor of a filter: keys, or values of one key."""

from __future__ import annotations

from typing import Final, Literal, cast

import msgspec

from zeroth_store.ascii_case import lower
from zeroth_store.filters.scan import RawTerm, Value, read_value, scan
from zeroth_store.filters.terms import (
    KEYS,
    PLACES,
    STATES,
    TIME_KEYS,
    RangeKey,
    TextKey,
    TimeKey,
)
from zeroth_store.status import RunStatus

Kind = Literal["key", "is", "in", "nothing"] | TextKey | TimeKey | RangeKey
"""What is being typed: a key, a value of this key, or what nobody can complete."""

_KEYS: Final = tuple(f"{key}:" for key in KEYS)
_PLACES: Final = tuple(f"{place}:" for place in PLACES)
_FIXED: Final[dict[str, tuple[str, ...]]] = {
    "status": tuple(status.value for status in RunStatus),
    "is": STATES,
    **dict.fromkeys(TIME_KEYS, ("10m", "1h", "1d", "1w", "today")),
}


class Completion(msgspec.Struct, frozen=True):
    """What the cursor is in. A choice replaces the text from `start` to `end`."""

    start: int
    end: int
    kind: Kind
    typed: str
    """What was typed of it before the cursor, without quotes and `=`."""
    candidates: tuple[str, ...] = ()
    """What is known to fit without a database, ready to be put in. Values that a database holds
    are put in as `spell` writes them."""


def complete(text: str, cursor: int) -> Completion:
    """Return what could stand at the cursor; never raises, whatever the text is."""
    cursor = max(0, min(cursor, len(text)))
    around = next((raw for raw in scan(text) if raw.end >= cursor), None)
    if around is None or around.start > cursor:
        return Completion(cursor, cursor, "key", "", _KEYS)
    return _in_term(text, cursor, around)


def _in_term(text: str, cursor: int, raw: RawTerm) -> Completion:
    key = raw.key
    if key is not None and cursor < key.end:
        return _known(text, key.start, key.end, cursor, "key", _KEYS)
    if raw.place is not None and cursor <= raw.place.end:
        end = raw.place.end + text.startswith(":", raw.place.end)
        return _known(text, raw.place.start, end, cursor, "in", _PLACES)
    value = next((one for one in raw.values if one.start <= cursor <= one.end), raw.values[0])
    if key is None:
        if value.quoted or value.exact or len(raw.values) > 1:
            return Completion(value.start, value.end, "word", _typed(value, cursor, text))
        return _known(text, value.start, value.end, max(cursor, value.start), "key", _KEYS)
    if key.text not in KEYS or key.text == "in":
        return Completion(value.start, value.end, "nothing", _typed(value, cursor, text))
    typed = _typed(value, cursor, text)
    known = _beginning(typed, _FIXED.get(key.text, ()))
    return Completion(value.start, value.end, cast("Kind", key.text), typed, known)


def _known(
    text: str, start: int, end: int, cursor: int, kind: Kind, known: tuple[str, ...]
) -> Completion:
    typed = text[start:cursor]
    return Completion(start, end, kind, typed, _beginning(typed, known))


def _beginning(typed: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in known if lower(one).startswith(lower(typed)))


def _typed(value: Value, cursor: int, text: str) -> str:
    """Return what a value says up to the cursor."""
    return read_value(text[:cursor], value.start).text
