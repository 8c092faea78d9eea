"""One write that faults are tried on: whatever is said must be what is stored, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from tests.store.acting import Rows, everything
from tests.store.faulty import Plan, no_file_above
from tests.store.own_writes import Write
from zeroth_store import DatabaseBusy, DatabaseError, DatabaseFull, StoreError
from zeroth_store.actions import Outcome

ERRORS: Final[dict[str, type[StoreError]]] = {
    "BUSY": DatabaseBusy,
    "FULL": DatabaseFull,
    "IOERR": DatabaseError,
}
"""What each fault must be told as."""

_STEP: Final = 2_048
"""Half a page of SQLite's."""

_SIZES: Final = 4_096
"""So many steps are eight megabytes: any write here fits into that."""

Said = object | Exception


@dataclass
class Case:
    """A write, what the database holds before it, and what once it is done."""

    name: str
    path: Path
    write: Write
    before: Rows
    done: Rows

    async def at_every_call(self, plan: Plan) -> tuple[int, list[str]]:
        """Fail at each call in turn; returns how often, and what went wrong.

        A broken disk fails once, and then for good.
        """
        tried, broken = 0, list[str]()
        for lasting in (False, True) if plan.fault == "IOERR" else (False,):
            for call in count(1):
                with plan.at(call, lasting=lasting):
                    said = await outcome_of(self.write)
                if plan.calls < call:
                    break
                tried += 1
                where = f"{self.name}, call {call}{' and after' if lasting else ''}"
                broken += [f"{where}: {why}" for why in self._problems(said, ERRORS[plan.fault])]
            broken += [f"{self.name} afterwards: {why}" for why in self._not_done(said)]
        return tried, broken

    async def at_every_size(self) -> tuple[int, list[str]]:
        """Let no file grow beyond a size, which grows; returns how often, and what went wrong."""
        broken: list[str] = []
        for tried in range(_SIZES):
            with no_file_above(tried * _STEP):
                said = await outcome_of(self.write)
            if not isinstance(said, Exception) and not getattr(said, "problem", ""):
                return tried, [*broken, *self._not_done(said)]
            where = f"{self.name}, {tried * _STEP} bytes"
            broken += [f"{where}: {why}" for why in self._problems(said, DatabaseError)]
        raise AssertionError("a disk of any size is full")

    def _problems(self, said: Said, told: type[StoreError]) -> Iterator[str]:
        """Yield what is wrong after a fault, and put everything back as it was."""
        after = everything(self.path)
        match said:
            case Exception() if not isinstance(said, told) or not str(said):
                yield f"{type(said).__name__} instead of {told.__name__}: {said}"
            case Exception() if after != self.before:
                yield f"there is a change, and it said: {said}"
            case Outcome(written=False):
                yield f"it was refused: {said.problem}"
            case Exception():
                pass
            case _ if after != self.done:
                yield "it said that it was done"
        if is_locked(self.path):
            yield "the lock is kept"
        if after != self.before:
            put_back(self.path, self.before)

    def _not_done(self, said: Said) -> Iterator[str]:
        """Yield why a write without a fault was not done, and put everything back as it was."""
        if isinstance(said, Exception) or everything(self.path) != self.done:
            yield f"not done: {said}"
        put_back(self.path, self.before)


async def case_of(name: str, path: Path, write: Write) -> Case:
    """Rehearse a write and put everything back."""
    before = everything(path)
    await write()
    done = everything(path)
    put_back(path, before)
    assert done != before, name
    return Case(name, path, write, before, done)


async def outcome_of(write: Write) -> Said:
    """Return what a write returns, or the error that it raises."""
    try:
        return await write()
    except Exception as error:
        return error


def put_back(path: Path, rows: Rows) -> None:
    """Make all tables hold these rows again, and no others."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in {table for table, _ in {**everything(path), **rows}}:
            connection.execute(f'DELETE FROM "{table}"')
        for (table, rowid), row in rows.items():
            names, marks = ", ".join(("rowid", *row)), ", ".join("?" * (len(row) + 1))
            sql = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'
            connection.execute(sql, (rowid, *row.values()))
        connection.execute("COMMIT")


def is_locked(path: Path) -> bool:
    """Say whether somebody still holds the lock."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return True
        return False
