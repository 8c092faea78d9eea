"""Reading single cells: any stored value becomes text, a time or a struct, never an exception."""

from __future__ import annotations

import math
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

import msgspec

from zeroth_store.browse import CellProblem, Cost, Stored
from zeroth_store.sqlite.decoding.jsontext import Unreadable, raw_text, read_object, read_strings
from zeroth_store.times import NO_MOMENT, Moment, parse_time

S = TypeVar("S", bound=msgspec.Struct)

_NO_COST: Final = Cost()

ANY_TEXT: Final = partial(str, encoding="utf-8", errors="surrogateescape")
"""Decodes any text that a database may hold; bytes that are no UTF-8 become lone surrogates."""

JsonTime = str | int | float | None
"""What a time inside JSON may be."""


def text_of(value: Stored) -> str | None:
    """Return a cell as text: numbers in digits, a blob by its size, None for NULL."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return f"<blob {len(value)} bytes>"
    return str(value)


def number_of(value: Stored) -> int | None:
    """Return a cell that holds an integer, else None."""
    return value if isinstance(value, int) else None


def moment(value: Stored) -> Moment:
    """Read a time in a column or inside JSON; Zeroth's own two spellings are read at once."""
    if value is None:
        return NO_MOMENT
    if isinstance(value, str) and len(value) >= 20 and value.endswith(("Z", "+00:00")):
        try:
            return Moment(datetime.fromisoformat(value), value)
        except ValueError:
            pass
    return parse_time(text_of(value))


def money(measured: float | None, estimated: float | None) -> Cost:
    """Return an amount of dollars; what is no finite number is no amount."""
    if measured is None and estimated is None:
        return _NO_COST
    return Cost(_finite(measured), _finite(estimated))


def bind(text: str) -> str | bytes | None:
    """Return text as a parameter of `CAST(? AS TEXT)`, byte for byte as it was stored.

    None, which equals nothing, for text that no database can hold.
    """
    if text.isascii():
        return text
    try:
        stored = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    return stored if any("\udc80" <= letter <= "\udcff" for letter in text) else text


def is_exact(value: Stored) -> bool:
    """Say whether an id names its row exactly: it is text, and UTF-8."""
    return isinstance(value, str) and (value.isascii() or isinstance(bind(value), str))


def json_text(value: Stored) -> str:
    """Return the text of a cell that should hold JSON; Unreadable for a blob."""
    if isinstance(value, bytes):
        raise Unreadable(f"a blob of {len(value)} bytes where JSON text belongs")
    return text_of(value) or ""


def read_cell(
    value: Stored, column: str, shape: type[S], problems: list[CellProblem] | None = None
) -> S:
    """Decode a cell that holds a JSON object; an empty struct, and a problem, where it does not."""
    if value is None:
        return shape()
    try:
        return read_object(json_text(value), shape)
    except Unreadable as error:
        _note(problems, column, error)
        return shape()


def read_inner(raw: msgspec.Raw, shape: type[S]) -> S:
    """Decode an object inside a record; an empty struct where there is none."""
    try:
        return read_object(raw_text(raw) or "{}", shape)
    except Unreadable:
        return shape()


def strings(
    value: Stored, column: str, problems: list[CellProblem] | None = None
) -> tuple[str, ...]:
    """Decode a cell that holds a JSON list of strings, leaving out what is none."""
    if value is None:
        return ()
    try:
        return read_strings(json_text(value))
    except Unreadable as error:
        _note(problems, column, error)
        return ()


def _note(problems: list[CellProblem] | None, column: str, error: Unreadable) -> None:
    if problems is not None:
        problems.append(CellProblem(column, str(error)))


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
