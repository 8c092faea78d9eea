"""The patterns and decoders that JSON texts are read with, all on well-formed UTF-8 JSON."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Final

import msgspec

PAGE: Final = 1000
"""How many children of a container are looked at in one go."""

STRING_START: Final = 400
"""How many characters of a string are looked at to show its beginning."""

_SPACE: Final = re.compile(rb"[ \t\n\r]*+")
NEAR: Final = 4096
"""Bytes within which the end of a value is looked for in the simple way."""

STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NESTED: Final = 6
CONTAINER: Final = re.compile(
    rb"[\[{]"
    + (rb'(?:[^\[\]{}"]++|"(?:[^"\\]++|\\.)*+"|[\[{]' * _NESTED)
    + rb'(?:[^\[\]{}"]++|"(?:[^"\\]++|\\.)*+")*+'
    + rb"[\]}])*+" * _NESTED
    + rb"[\]}]",
    re.DOTALL,
)
"""A container with up to six levels of others inside."""

_SIGNS: Final = (b"NaN", b"Infinity", b"\\ud", b"\\uD", b"\xed")
"""One of these is in every text that holds something tolerated."""

UNITS: Final = re.compile(
    rb'"(?:[^"\\\x80-\xff]|\\u[0-9a-fA-F]{4}|\\[^u]|[\xc0-\xff][\x80-\xbf]+){0,%d}+' % STRING_START
)
"""The beginning of a string, without a character or escape cut in two."""

_TOLERATED: Final = re.compile(
    rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.|\xed[\xa0-\xbf][\x80-\xbf]"
    rb"|(?<![\w.+-])(?:NaN|-?Infinity)(?![\w.+-])"
)


def skip_space(data: bytes, at: int) -> int:
    """Return where the next token begins."""
    if data[at : at + 1] > b" ":
        return at
    match = _SPACE.match(data, at)
    return match.end() if match else at


def decoded(string: bytes) -> str:
    """Return what a string in quotes says; a lone surrogate stays one."""
    text = string.decode("utf-8", "surrogatepass")
    return str(json.loads(text)) if "\\" in text else text[1:-1]


def tolerant(data: bytes) -> bytes:
    """Return a text of the same shape without what Python writes and msgspec refuses.

    That is NaN, infinities and lone surrogates; everything else keeps its place.
    """
    if any(sign in data for sign in _SIGNS):
        return _TOLERATED.sub(_same_length, data)
    return data


def _same_length(match: re.Match[bytes]) -> bytes:
    """Stand in for what the fast reader refuses, so that all offsets stay right."""
    token = match[0]
    if token.startswith(b"\\"):
        return b"\\u0041" if len(token) > 2 else token
    if token.startswith(b"-"):
        return b"-" + b"1" * (len(token) - 1)
    return b"1" * len(token)


def check(data: bytes) -> None:
    """Check a whole text without building its values."""
    msgspec.json.decode(data, type=msgspec.Raw)


@cache
def members_decoder() -> msgspec.json.Decoder[dict[str, msgspec.Raw]]:
    """Return a decoder of an object whose values stay unbuilt."""
    return msgspec.json.Decoder(dict[str, msgspec.Raw])


@cache
def page_decoder() -> msgspec.json.Decoder[msgspec.Struct]:
    """Return a decoder of the first `PAGE` items of a list, which skips the rest unbuilt."""
    nothing = msgspec.Raw(b"")
    fields = [(f"item_{index}", msgspec.Raw, nothing) for index in range(PAGE)]
    return msgspec.json.Decoder(msgspec.defstruct("PageOfItems", fields, array_like=True))
