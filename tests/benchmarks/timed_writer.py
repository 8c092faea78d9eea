"""Commits to own databases as fast as it can, by turns, and says how long its commits took.

`timed_writer.py SECONDS FIRST PATH...` begins with the change of that number, so that it can be run
again on the same files; it prints one JSON object for each. A machine is not as fast in one moment
as in the next, but is as fast for two commits that follow each other: so what is compared is
written to in the same seconds.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.busy_writer import change, connected

_EVERY: Final = 20
"""After so many commits the log is measured."""


@dataclass
class Target:
    """One database, what happened to its commits, and the largest size of its log."""

    connection: sqlite3.Connection
    log: Path
    times: list[float] = field(default_factory=list)
    busy: int = 0
    largest: int = 0

    def commit(self, number: int) -> None:
        """Make one change, not waiting for any lock."""
        began = time.perf_counter()
        try:
            change(self.connection, number)
        except sqlite3.OperationalError:
            self.busy += 1
        self.times.append(time.perf_counter() - began)
        if number % _EVERY == 0 and self.log.exists():
            self.largest = max(self.largest, self.log.stat().st_size)


def write(seconds: float, first: int, paths: list[str]) -> list[dict[str, float]]:
    """Commit for so many seconds.

    Returns of each database the next number, the median in ms, how often somebody else had the
    lock, and how many bytes the log had at most.
    """
    with ExitStack() as stack:
        targets = []
        for path in paths:
            connection = stack.enter_context(closing(connected(path, 0)))
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what others left is not ours
            targets.append(Target(connection, Path(f"{path}-wal")))
        ends = time.monotonic() + seconds
        for number in count(first):
            if time.monotonic() > ends:
                break
            for target in targets:
                target.commit(number)
    return [
        {
            "next": number,
            "median": median(target.times) * 1e3,
            "busy": target.busy,
            "log": target.largest,
        }
        for target in targets
    ]


if __name__ == "__main__":
    print(json.dumps(write(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
