"""The lives of runs that are looked at in the past, each read once as long as it stays the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final, NamedTuple

from zeroth_store.past.life import Life, life_of
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.detail.related import related_rows
from zeroth_store.sqlite.detail.run import read_run
from zeroth_store.sqlite.index.source import stamps_at, summaries_at
from zeroth_store.sqlite.tables import LAST
from zeroth_store.summaries import RunKey

_AT_ONCE: Final = 20
"""So many lives are read in one go, so that no read is long."""
_MOST: Final = 5_000
"""More than so many lives are not remembered."""


class _Read(NamedTuple):
    """A life, and what tells whether the run was written since it was read."""

    stamp: int
    key: RunKey
    life: Life


class LifeCache:
    """Lives by the rowids of their runs."""

    def __init__(self, reader: ReadConnection) -> None:
        self._reader = reader
        self._read: dict[int, _Read] = {}

    async def of(self, numbers: Iterable[int]) -> dict[int, tuple[RunKey, Life]]:
        """Return the lives of some runs; those that are gone are left out."""
        wanted = list(numbers)
        stamps = await self._reader.run(stamps_at, wanted)
        missing = [n for n, stamp in stamps.items() if not self._is_read(n, stamp)]
        if len(self._read) + len(missing) > _MOST:
            self._read = {}
            missing = list(stamps)
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            for number, (key, life) in (await self._reader.run(_lives, some)).items():
                self._read[number] = _Read(stamps[number], key, life)
        return {n: self._read[n][1:] for n in stamps if n in self._read}

    def _is_read(self, number: int, stamp: int) -> bool:
        known = self._read.get(number)
        return known is not None and known.stamp == stamp


def _lives(
    connection: sqlite3.Connection, numbers: Iterable[int]
) -> dict[int, tuple[RunKey, Life]]:
    found: dict[int, tuple[RunKey, Life]] = {}
    for number, summary in summaries_at(connection, numbers).items():
        detail = read_run(connection, summary.key)
        if detail is not None:
            # A life has no children in it, which would take the longest to find.
            related = related_rows(connection, summary.key, above=LAST)
            found[number] = summary.key, life_of(detail, related)
    return found
