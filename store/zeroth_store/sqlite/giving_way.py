"""Giving way to a writer: moments without a read, in which SQLite can begin its log anew."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

BREATH: Final = 0.005
"""Seconds in which a writer can commit several times."""
_READING: Final = 0.02
"""Seconds of one statement after the other until there is a moment without."""
_STILL: Final = 0.02
"""A log that has not grown for so many seconds is not written to, or was begun anew."""
_LONGEST: Final = 0.1
"""Seconds for which a log that grows keeps us away; then somebody else holds it up."""
_ELSEWHERE: Final = 1.0
"""Seconds for which it keeps us away no more once that is known."""
_USUAL: Final = 1_000 * 4_096
"""Bytes of the log after which SQLite moves it into the database, unless told otherwise."""


class GivingWay:
    """When to leave a writer alone, and for how long.

    A writer moves its log into the database and begins it anew only while nobody reads, and while
    it cannot, the log grows. So there is a short moment without a read now and then, and a longer
    one when the log has become larger than ever before: it takes the time of two syncs to disk.
    """

    def __init__(
        self,
        log: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Watch the size of this log; without one there is no writer to give way to."""
        self._log = log
        self._clock = clock
        self._sleep = sleep
        self._largest = _USUAL
        self._since = self._blamed = clock()

    def give(self, *, rested: bool) -> None:
        """Between two statements, leave a moment without any where there was none for a while."""
        if self._log is None:
            return
        if not rested:
            if self._clock() < self._since + _READING:
                return
            self._sleep(BREATH)
        if self._grows(self._log) and self._clock() >= self._blamed:
            self._leave(self._log)
        self._since = self._clock()

    def _leave(self, log: Path) -> None:
        """Wait until the log no longer grows."""
        latest = self._clock() + _LONGEST
        still = self._clock() + _STILL
        while self._clock() < min(still, latest):
            self._sleep(BREATH)
            if self._grows(log):
                still = self._clock() + _STILL
        if self._clock() >= latest:
            self._blamed = self._clock() + _ELSEWHERE

    def _grows(self, log: Path) -> bool:
        """Say whether the log is larger than it ever was; it never shrinks while it is in use."""
        try:
            size = log.stat().st_size
        except OSError:  # no log: nothing that could grow
            return False
        grown = size > self._largest
        self._largest = max(size, self._largest)
        return grown


class PoliteConnection(sqlite3.Connection):
    """A connection to a database that somebody else may write to."""

    giving_way = GivingWay()


def give_way(connection: sqlite3.Connection, *, rested: bool = False) -> None:
    """Between two statements, leave a writer its moment, unless it has just had one."""
    if isinstance(connection, PoliteConnection):
        connection.giving_way.give(rested=rested)


def spaced(connection: sqlite3.Connection, parts: Iterable[T]) -> Iterator[T]:
    """Yield the parts of a walk, a statement each, and give way in between."""
    for part in parts:
        give_way(connection)
        yield part
