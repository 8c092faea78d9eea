"""Splitting a filter's text into terms and values with their places; anything can be split."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

Fault = Literal["unclosed", "joined"]
"""A quote that is never closed; text that touches a closing quote."""

_SPACE: Final = re.compile(r"\s*")
_KEY: Final = re.compile(r"([A-Za-z][A-Za-z_-]*):")
_PLACE: Final = re.compile(r"[^\s:,]*")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*+)(")?', re.DOTALL)
_BARE: Final = re.compile(r"[^\s,]*")
_ESCAPE: Final = re.compile(r'\\(["\\])')


class Scanned(NamedTuple):
    """A stretch of the text and what it says."""

    text: str
    start: int
    end: int


class Value(NamedTuple):
    """One of a term's values."""

    text: str
    """What it says, without `=`, quotes and escapes."""
    start: int
    end: int
    quoted: bool = False
    exact: bool = False
    """It is written with `=` before it."""
    fault: Fault | None = None


class RawTerm(NamedTuple):
    """One term as written, not yet understood."""

    start: int
    end: int
    negated: bool
    key: Scanned | None
    """The word before the colon, in lower case; the stretch includes the colon."""
    place: Scanned | None
    """What follows `in:`; None for other keys."""
    values: tuple[Value, ...]
    """At least one, which may be empty."""


def scan(text: str) -> Iterator[RawTerm]:
    """Split a text into its terms, one when it is asked for."""
    at = _skip(text, 0)
    while at < len(text):
        term = _term(text, at)
        yield term
        at = _skip(text, term.end)


def _term(text: str, start: int) -> RawTerm:
    negated = text[start] == "-"
    at = start + negated
    key = place = None
    if (match := _KEY.match(text, at)) is not None:
        key = Scanned(match[1].lower(), at, match.end())
        at = match.end()
    if key is not None and key.text == "in":
        place = _place(text, at)
        at = _payload_start(text, place.end)
    values = [read_value(text, at)]
    while text[values[-1].end : values[-1].end + 1] == ",":
        values.append(read_value(text, values[-1].end + 1))
    return RawTerm(start, values[-1].end, negated, key, place, tuple(values))


def _place(text: str, at: int) -> Scanned:
    match = _PLACE.match(text, at)
    end = match.end() if match else at
    return Scanned(text[at:end].lower(), at, end)


def _payload_start(text: str, at: int) -> int:
    """Return where the text to look for begins: behind a colon, or the next word that is bare."""
    if text[at : at + 1] == ":":
        return at + 1
    following = _skip(text, at)
    if text[following : following + 1] in {"", "-"} or _KEY.match(text, following):
        return at
    return following


def read_value(text: str, start: int) -> Value:
    """Return the value that starts here, which may be empty."""
    exact = text[start : start + 1] == "="
    at = start + exact
    match = _QUOTED.match(text, at)
    if match is None:
        end = _bare_end(text, at)
        return Value(text[at:end], start, end, exact=exact)
    said = _ESCAPE.sub(r"\1", match[1])
    if match[2] is None:
        return Value(said, start, len(text), True, exact, "unclosed")
    end = _bare_end(text, match.end())
    return Value(said, start, end, True, exact, "joined" if end > match.end() else None)


def _bare_end(text: str, at: int) -> int:
    match = _BARE.match(text, at)
    return match.end() if match else at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
