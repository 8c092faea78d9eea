"""Commits to an own database as fast as it can, and says how long its commits took.

`timed_writer.py PATH SECONDS FIRST` begins with the change of that number, so that it can be run
again on the same file; it prints one JSON object.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.busy_writer import change, connected

_EVERY: Final = 20
"""After so many commits the log is measured."""


def write(path: str, seconds: float, first: int) -> dict[str, float]:
    """Commit for so many seconds, not waiting for any lock.

    Returns the next number, the median in ms, how often somebody else had the lock, and how many
    bytes the log had at most.
    """
    log = Path(f"{path}-wal")
    times: list[float] = []
    busy = largest = 0
    number = first
    with closing(connected(path, 0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what others left is not ours
        ends = time.monotonic() + seconds
        for number in count(first):
            if time.monotonic() > ends:
                break
            began = time.perf_counter()
            try:
                change(connection, number)
            except sqlite3.OperationalError:
                busy += 1
            times.append(time.perf_counter() - began)
            if number % _EVERY == 0 and log.exists():
                largest = max(largest, log.stat().st_size)
    return {"next": number, "median": median(times) * 1e3, "busy": busy, "log": largest}


if __name__ == "__main__":
    print(json.dumps(write(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))))
