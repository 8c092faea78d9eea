"""Acting on a run of a guest database, beside the worker that drives it: one statement a write."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from uuid import uuid4

from zeroth_store.acting import ActRefused
from zeroth_store.actions import Outcome, Standing, Write
from zeroth_store.encryption import EncryptionKey, NotDecrypted, NotEncrypted
from zeroth_store.errors import DatabaseReadOnly
from zeroth_store.outcomes import check_seen, refused, unread, written
from zeroth_store.sqlite.acting.facts import read_own_standing, read_standing, stored_row
from zeroth_store.sqlite.acting.guest_checkpoint import has_checkpoint, save_checkpoint
from zeroth_store.sqlite.connection.faults import translated
from zeroth_store.sqlite.connection.place import guard, place_of, require_own_folder
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.finding import scope_of
from zeroth_store.sqlite.tables import SchemaConnection, quote, require_runs, runs_table
from zeroth_store.summaries import RunKey

BUSY_SECONDS: Final = 2.0
"""How long a write waits for the lock; Zeroth's worker gives up after five."""

Row = dict[str, Any]


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return uuid4().hex


class GuestActor:
    """Acts on runs of a database that another program owns.

    Each write opens a connection of its own, takes the lock, looks at the run again, changes the
    columns that were shown and nothing else, and reads back what is stored once it has committed.
    The journal mode and the schema are never touched.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        secret: EncryptionKey | None = None,
        *,
        may_write: bool = True,
        patience: float = BUSY_SECONDS,
        clock: Callable[[], datetime] = _now,
        ids: Callable[[], str] = _new_id,
    ) -> None:
        """Act on the file at `path`; `secret` opens and closes its checkpoints.

        A write waits `patience` seconds for the lock.
        """
        self._place = place_of(path)
        self._secret = secret
        self._may_write = may_write
        self._patience = patience
        self._clock = clock
        self._ids = ids

    async def standing(self, key: RunKey) -> Standing | None:
        """Return what decides what may be done to a run; None when it is gone."""
        [standing] = await self.standings((key,))
        return standing

    async def standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        """Return the same of several runs, which takes a fraction of the time of each alone."""
        return await asyncio.to_thread(self._standings, keys)

    async def write(self, write: Write) -> Outcome:
        """Write what was shown, while the run is as it was seen; see RunActor."""
        return await asyncio.to_thread(self._write, write)

    def _standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        def read(connection: sqlite3.Connection, key: RunKey) -> Standing | None:
            return read_standing(connection, key, "guest", self._secret, may_write=self._may_write)

        with Session(self._place.location) as session:
            return tuple(session.run(partial(read, key=key)) for key in keys)

    def _write(self, write: Write) -> Outcome:
        with translated(self._place.name), self._connected() as connection:
            try:
                with immediate(connection):
                    before, checkpoint_id = self._apply(connection, write)
            except (ActRefused, NotEncrypted, NotDecrypted) as error:
                return refused(write, stored_row(connection, write.key), str(error))
            return _read_back(connection, write, before, checkpoint_id)

    def _apply(self, connection: sqlite3.Connection, write: Write) -> tuple[Row, str | None]:
        """Write inside the transaction; returns the row before, and the checkpoint's id if any."""
        now = self._clock()
        standing = read_own_standing(
            connection, write.key, "guest", self._secret, may_write=self._may_write
        )
        check_seen(standing, write, now)
        row = stored_row(connection, write.key) or {}
        if write.act == "checkpoint":
            checkpoint_id = self._ids()
            save_checkpoint(
                connection,
                write.key,
                row,
                checkpoint_id,
                now,
                secret=self._secret,
            )
            return row, checkpoint_id
        _update(connection, write, now)
        return row, None

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        path = self._place.path
        if path is None:
            raise DatabaseReadOnly(f"{self._place.name} is no plain file: it is only read")
        require_own_folder(path)
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode=rw",
            uri=True,
            isolation_level=None,
            timeout=self._patience,
            factory=SchemaConnection,
        )
        try:
            guard(connection)
            connection.execute("PRAGMA foreign_keys = ON").fetchall()
            require_runs(connection, path.name)
            yield connection
        finally:
            connection.close()


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock; commit at the end, roll back on any exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # where SQLite has rolled back by itself already
            connection.execute("ROLLBACK")
        raise


def _update(connection: sqlite3.Connection, write: Write, now: datetime) -> None:
    """Change the columns of one row, if its status is still the one that was seen."""
    runs = runs_table(connection)
    missing = [name for name in write.columns if not runs.has(name)]
    if missing:
        raise ActRefused(f"its table runs has no column {', '.join(missing)}")
    values = dict(write.columns)
    if runs.has("updated_at"):
        values["updated_at"] = now.astimezone(UTC).isoformat()
    changing = ", ".join(f"{quote(name)} = ?" for name in values)
    done = connection.execute(
        f"UPDATE runs SET {changing} WHERE {runs.in_scope()}"
        " AND run_id = CAST(? AS TEXT) AND status = ?",
        (*values.values(), *scope_of(write.key), bind(write.key.run_id), write.seen),
    )
    if done.rowcount != 1:
        raise ActRefused(f"{done.rowcount} rows have this id, nothing done")


def _read_back(
    connection: sqlite3.Connection, write: Write, before: Row, checkpoint_id: str | None
) -> Outcome:
    """Return what is stored after the commit, which stands even where it cannot be read back."""
    try:
        row = stored_row(connection, write.key)
        lost = checkpoint_id is not None and not has_checkpoint(
            connection, write.key, checkpoint_id
        )
    except sqlite3.Error as error:
        return unread(write, before, error)
    problem = "the checkpoint was written, and another writer has removed it since" if lost else ""
    return written(write, before, row, problem, checkpoint_id)
