"""Upgrades of own databases in processes of their own; a program of its own, since it forks.

`python -m tests.store.upgrade_forks race PATH PROCESSES` upgrades one file in several at once,
`keys PATH 1` upgrades one as an SQLite does that has foreign keys on unless told otherwise,
`left FOLDER TIMES` upgrades copies of `good` and `bad` in turn and says what is open before and
after. Each prints what became of it, one a line.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

# Imported before forking, so that all processes begin at once.
import alembic.command  # noqa: F401
import sqlalchemy.dialects.sqlite  # noqa: F401

from tests.store.forks import PATIENCE
from tests.store.processes import Say, all_at_once
from tests.store.support import PlainSQL
from zeroth_store import AsyncSQLiteDatabase, RunRepository, StoreError, schema

OPEN_FILES: Final = Path("/proc/self/fd")


async def race(path: str, number: int, say: Say) -> None:
    """Upgrade what others are upgrading; say which version it had at the beginning."""
    ((before,),) = PlainSQL(path)(f"SELECT version_num FROM {schema.VERSION_TABLE}")
    say(f"{before} {await upgraded(path)}")


async def upgraded(path: str | Path) -> str:
    """Start as any program does that uses the store; returns `upgraded`, or what is said."""
    try:
        async with AsyncSQLiteDatabase(path, busy_timeout=PATIENCE) as database:
            await RunRepository(database).initialize()
    except StoreError as error:
        return str(error)
    return "upgraded"


def connect_with_keys(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    """Connect as an SQLite that was built with SQLITE_DEFAULT_FOREIGN_KEYS."""
    connection: sqlite3.Connection = _connect(*args, **kwargs)
    connection.execute("PRAGMA foreign_keys = ON").fetchall()
    return connection


def left(folder: Path, times: int) -> None:
    """Say how many files and threads are open before and after upgrades, some of which fail."""
    gc.disable()  # what is only closed once it is found to be garbage is left behind until then
    for number in (-2, -1):  # the first time opens what stays, such as modules
        _upgrade_copy(folder, number)
    print(_open_now())
    for number in range(times):
        print(_upgrade_copy(folder, number))
    print(_open_now())


def _upgrade_copy(folder: Path, number: int) -> str:
    copy = shutil.copy(folder / ("good", "bad")[number % 2], folder / f"{number}.db")
    return asyncio.run(upgraded(copy))


def _open_now() -> str:
    return f"{len(list(OPEN_FILES.iterdir()))} files, {len(threading.enumerate())} threads"


_connect: Final = sqlite3.connect

if __name__ == "__main__":
    _, command, location, count = sys.argv
    # Once beforehand, so that the processes do not read the scripts anew each time.
    schema.upgrade("file::memory:", "rehearsal")
    match command:
        case "race":
            all_at_once(location, race, int(count))
        case "keys":
            with patch.object(sqlite3, "connect", connect_with_keys):
                print(asyncio.run(upgraded(location)))
        case "left":
            left(Path(location), int(count))
