"""Rows of a thread to be copied: every copy has ids of its own, later times, and another pace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from zeroth_store.sqlite.repositories.database import Row

THREAD: Final = "@copy"
"""Stands in a template's rows for the number of the copy."""

_MICROSECOND: Final = timedelta(microseconds=1)
_PARTS: Final = re.compile(
    rf"([0-9a-f]{{32}}|\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)|{THREAD})"
)
_SLOWEST: Final = 2.2
_FASTEST: Final = 0.6


class _Cell(NamedTuple):
    """A cell that differs from copy to copy."""

    column: str
    parts: list[str]
    """Its text; every second part is told anew."""
    places: list[int]
    """Where in what is told of the copy those parts are."""


class Template:
    """The rows of one thread and its runs, table by table."""

    def __init__(self, tables: Mapping[str, list[Row]]) -> None:
        """Make a template of rows that hold THREAD where the number of the copy belongs."""
        self.runs: int = len(tables["runs"])
        """How many runs a copy adds."""
        began = (*(run["started_at"] for run in tables["runs"]), tables["threads"][0]["created_at"])
        self._first = min(datetime.fromisoformat(time) for time in began)
        self._places: dict[str, int] = {}
        self._tables = {
            table: [(row, self._cells(row)) for row in rows] for table, rows in tables.items()
        }
        self._open: list[str | tuple[int, str]] = [
            self._offset(part) if "T" in part else part for part in self._places
        ]

    def copy(self, random: Random, moment: datetime) -> dict[str, list[Row]]:
        """Return the rows of a copy whose first run begins at `moment`."""
        pace = random.uniform(_FASTEST, _SLOWEST)
        told = [_told(part, random, moment, pace) for part in self._open]
        return {
            table: [
                {**row, **{cell.column: _text(cell, told) for cell in cells}} for row, cells in of
            ]
            for table, of in self._tables.items()
        }

    def _cells(self, row: Row) -> list[_Cell]:
        split = [(name, _PARTS.split(cell)) for name, cell in row.items() if isinstance(cell, str)]
        return [
            _Cell(name, parts, [self._places.setdefault(p, len(self._places)) for p in parts[1::2]])
            for name, parts in split
            if len(parts) > 1
        ]

    def _offset(self, time: str) -> tuple[int, str]:
        """Return how many microseconds after the beginning a time is, and how its zone is spelt."""
        zone = "Z" if time.endswith("Z") else "+00:00"
        return (datetime.fromisoformat(time) - self._first) // _MICROSECOND, zone


def _told(part: str | tuple[int, str], random: Random, moment: datetime, pace: float) -> str:
    match part:
        case (int(micros), zone):
            return f"{(moment + timedelta(microseconds=int(micros * pace))).isoformat()[:-6]}{zone}"
        case str() if part == THREAD:
            return f"-{random.getrandbits(32):08x}"
        case _:
            return f"{random.getrandbits(128):032x}"


def _text(cell: _Cell, told: list[str]) -> str:
    parts = cell.parts.copy()
    parts[1::2] = [told[place] for place in cell.places]
    return "".join(parts)
