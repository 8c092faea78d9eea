"""A JSON reader without recursion, for texts that are nested too deep for the fast ones."""

from __future__ import annotations

import re
from typing import Final

TOKEN: Final = re.compile(
    rb"[ \t\n\r]*+(?:"
    rb"(?P<open>[\[{])|(?P<close>[\]}])|(?P<mark>[,:])"
    rb'|(?P<string>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    rb"|(?P<scalar>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
    rb"|true|false|null|NaN|-?Infinity)"
    rb")"
)
_VALUE: Final = frozenset({"open", "string", "scalar"})
_MAY_FOLLOW: Final = {
    "value": _VALUE,
    "first item": _VALUE | {"close"},
    "first key": frozenset({"string", "close"}),
    "key": frozenset({"string"}),
    "colon": frozenset({"mark"}),
    "comma or end": frozenset({"mark", "close"}),
}
_CLOSES: Final = {b"]": b"[", b"}": b"{"}


class Malformed(ValueError):
    """The text is no JSON; where `offset` is None it may be, but is nested too deep to tell."""

    def __init__(self, message: str, offset: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def container_ends(data: bytes, start: int = 0) -> tuple[int, dict[int, int]]:
    """Read one value from `start` on; return its end, and start -> end of its containers.

    Raises Malformed with the offset in bytes.
    """
    ends: dict[int, int] = {}
    opened: list[int] = []
    expected, at = "value", start
    while True:
        token = TOKEN.match(data, at)
        kind = token.lastgroup if token else None
        if token is None or kind not in _MAY_FOLLOW[expected]:
            raise Malformed(f"{expected} expected", at)
        at = token.end()
        char = token[kind]
        if kind == "open":
            opened.append(at - 1)
            expected = "first key" if char == b"{" else "first item"
            continue
        if kind == "mark":
            in_object = bool(opened) and data[opened[-1]] == ord("{")
            expected = _after_mark(char, expected, in_object=in_object)
            if not expected:
                raise Malformed(f"unexpected {char.decode()}", at - 1)
            continue
        if kind == "string" and expected in {"key", "first key"}:
            expected = "colon"
            continue
        if kind == "close":
            if data[opened[-1] : opened[-1] + 1] != _CLOSES[char]:
                raise Malformed(f"unexpected {char.decode()}", at - 1)
            ends[opened.pop()] = at
        if not opened:
            return at, ends
        expected = "comma or end"


def _after_mark(char: bytes, expected: str, *, in_object: bool) -> str:
    """Return what has to follow a comma or colon; "" when it stands in the wrong place."""
    if char == b":":
        return "value" if expected == "colon" else ""
    if expected != "comma or end":
        return ""
    return "key" if in_object else "value"
