"""Counts over time as one line of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_NONE: Final = "·"
_WIDEST: Final = 3
_MORE: Final = "…"


def sparkline(values: Sequence[int], width: int) -> str:
    """Return a bar for each value in at most `width` cells; the highest one is the largest value.

    A dot is none at all, so that one of many is never mistaken for it. Where there is no room for
    all, the first ones are left out behind a mark.
    """
    if width < 1:
        return ""
    if len(values) > width:
        return _MORE + _bars(values[len(values) - width + 1 :], max(values), 1)
    return _bars(values, max(values, default=0), min(_WIDEST, width // max(1, len(values))))


def _bars(values: Sequence[int], most: int, wide: int) -> str:
    return "".join(_bar(value, most) * wide for value in values)


def _bar(value: int, most: int) -> str:
    if value <= 0:
        return _NONE
    return _BLOCKS[-(-value * len(_BLOCKS) // most) - 1]
