"""Commits to an own database as often as it is told to, for as long as it lives.

`busy_writer.py PATH COMMITS_A_SECOND` makes new runs and takes them through their statuses.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from itertools import count
from typing import Final

STEPS: Final = ("RUNNING", "WAITING_APPROVAL", "RUNNING", "COMPLETED")
"""What each run goes through once it is there."""

_COPY: Final = "SELECT * FROM runs ORDER BY rowid LIMIT 1"


def write(path: str, rate: float) -> None:
    """Commit for ever, each time when it is due."""
    with closing(connected(path, 60)) as connection:
        begun = time.monotonic()
        for commit in count():
            change(connection, commit)
            time.sleep(max(0.0, begun + commit / rate - time.monotonic()))


def connected(path: str, patience: float) -> sqlite3.Connection:
    """Open a database for `change`; each statement is a commit, and waits so many seconds."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=patience)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"CREATE TEMP TABLE template AS {_COPY}")
    return connection


def change(connection: sqlite3.Connection, number: int) -> None:
    """Make a run, or take it one step further: what comes at this place in a row of changes."""
    run, step = divmod(number, len(STEPS) + 1)
    name, now = f"busy-{run:08}", time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    if step == 0:
        connection.execute(
            "UPDATE template SET run_id = ?, status = 'PENDING', started_at = ?, updated_at = ?",
            (name, now, now),
        )
        connection.execute("INSERT INTO runs SELECT * FROM template")
    else:
        connection.execute(
            "UPDATE runs SET status = ?, updated_at = ? WHERE run_id = ?",
            (STEPS[step - 1], now, name),
        )


if __name__ == "__main__":
    write(sys.argv[1], float(sys.argv[2]))
