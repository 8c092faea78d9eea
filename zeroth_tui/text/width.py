"""How many terminal cells visible text takes, and cutting it to fit."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

_ELLIPSIS: Final = "…"
_WIDE_LATE: Final = (
    (0x2630, 0x2637),
    (0x268A, 0x268F),
    (0x4DC0, 0x4DFF),
    (0x1D300, 0x1D356),
    (0x1D360, 0x1D376),
)
"""Symbols that became wide in Unicode 16, later than the tables of some Pythons."""

_JOINED: Final = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF))
"""Hangul vowels and finals, drawn inside the syllable that they follow."""


def cells(text: str) -> int:
    """Return how many terminal cells `text` takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def clip(text: str, width: int) -> str:
    """Return `text` in at most `width` cells; cut text ends in `…`, wide characters stay whole."""
    if width <= 0:
        return ""
    if cells(text) <= width:
        return text
    used = 0
    for at, char in enumerate(text):
        used += _width(char)
        if used > width - 1:
            return text[:at] + _ELLIPSIS
    return text


def pad(text: str, width: int) -> str:
    """Return `text` in exactly `width` cells: clipped, or filled with spaces."""
    clipped = clip(text, width)
    return clipped + " " * (width - cells(clipped))


@cache
def _width(char: str) -> int:
    code = ord(char)
    if unicodedata.category(char) in {"Mn", "Me", "Mc"} or _within(code, _JOINED):
        return 0
    if unicodedata.east_asian_width(char) in "WF" or _within(code, _WIDE_LATE):
        return 2
    return 1


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
