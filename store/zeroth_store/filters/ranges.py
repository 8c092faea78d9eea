"""Ranges in a filter: `>10s`, `<=0.5`, `1s..5m`."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Final, cast

from zeroth_store.filters.terms import MICROSECONDS, Range, RangeKey, Unit

_LIMIT: Final = re.compile(r"(>=|<=|>|<)(.+)", re.DOTALL)
_DURATION: Final = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)(us|ms|s|m|h|d|w)")
_LONGEST: Final = 10**17
_COST: Final = re.compile(
    r"\$?((?:[0-9]{1,17}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:e[+-]?[0-9]{1,3})?)"
)


def read_range(key: RangeKey, text: str) -> Range | None:
    """Return the range that a text names; None when it names none."""
    if (match := _LIMIT.fullmatch(text)) is not None:
        number = _read_number(key, match[2])
        if number is None:
            return None
        exclusive = len(match[1]) == 1
        if match[1][0] == ">":
            return Range(low=number, above_low=exclusive)
        return Range(high=number, below_high=exclusive)
    low_text, dots, high_text = text.partition("..")
    if not dots or not (low_text or high_text):
        return None
    low, high = _read_number(key, low_text), _read_number(key, high_text)
    unread = (low is None and low_text) or (high is None and high_text)
    return None if unread else Range(low, high)


def write_range(key: RangeKey, value: Range) -> str:
    """Return a range so that `read_range` gives the same one."""
    low = "" if value.low is None else _write_number(key, value.low)
    high = "" if value.high is None else _write_number(key, value.high)
    if value.above_low:
        return f">{low}"
    if value.below_high:
        return f"<{high}"
    return f"{low}..{high}"


def contains(value: Range, number: float) -> bool:
    """Say whether a number is in a range."""
    if value.low is not None and (number < value.low or (value.above_low and number == value.low)):
        return False
    return value.high is None or not (
        number > value.high or (value.below_high and number == value.high)
    )


def _read_number(key: RangeKey, text: str) -> float | None:
    if key == "cost":
        amount = _COST.fullmatch(text.lower())
        number = float(amount[1]) if amount else math.inf
        return number if math.isfinite(number) else None
    length = _DURATION.fullmatch(text.lower())
    if length is None:
        return None
    whole = int(Decimal(length[1]) * MICROSECONDS[cast("Unit", length[2])])
    return whole if whole <= _LONGEST else None


def _write_number(key: RangeKey, number: float) -> str:
    if key == "cost":
        return repr(number)
    whole = int(number)
    units = reversed(MICROSECONDS.items())
    unit, length = next((u, n) for u, n in units if n == 1 or (whole and whole % n == 0))
    return f"{whole // length}{unit}"
