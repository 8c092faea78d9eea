"""One read connection that stays true: it follows the file, and stops slow queries."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from typing import Final, Self, TypeVar

from zeroth_store.errors import DatabaseBusy, DatabaseReadOnly, DatabaseUnavailable
from zeroth_store.sqlite.connection.faults import translated
from zeroth_store.sqlite.connection.place import Mode, Sight, choose_mode, connect, look, place_of
from zeroth_store.sqlite.tables import require_runs

T = TypeVar("T")

_ATTEMPTS: Final = 4
_STEPS: Final = 2_000
"""Steps of SQLite's virtual machine between two looks at the clock: some 50 microseconds."""


def _never() -> bool:
    return False


class Session:
    """Runs read jobs on one connection, one at a time, in the thread that first used it.

    A quiet database is read immutable, which is only right while its files stay as they are: they
    are looked at before and after each job, and when they changed the job runs again on a
    connection opened anew. So a result is never a mixture, and a writer that starts later is seen.
    """

    def __init__(self, location: str | os.PathLike[str], *, budget: float = 3.0) -> None:
        self.place = place_of(location)
        """What is read."""
        self.mode: Mode = "given"
        """How it is read at the moment."""
        self._budget = budget
        self._connection: sqlite3.Connection | None = None
        self._sight: Sight | None = None
        self._opened = 0
        self._deadline = 0.0
        self._stopped: Callable[[], bool] = _never

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def run(
        self, work: Callable[[sqlite3.Connection], T], stopped: Callable[[], bool] = _never
    ) -> T:
        """Return `work(connection)`; stop its query when the budget is over or `stopped()`."""
        self._deadline = time.monotonic() + self._budget
        self._stopped = stopped
        name = self.place.name
        try:
            with translated(name):
                return self._attempt(work)
        except DatabaseReadOnly as error:
            code = getattr(error.__cause__, "sqlite_errorcode", None)
            if code != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            raise DatabaseUnavailable(
                f"{name} was left half written when its writer died ({name}-journal): open it once"
                " with the program it belongs to, which repairs it"
            ) from error

    def version(self, connection: sqlite3.Connection) -> tuple[int, int]:
        """Return a value that differs after any commit and after a replacement of the file."""
        row = connection.execute("PRAGMA data_version").fetchall()[0]
        return self._opened, row[0]

    def journal_mode(self, connection: sqlite3.Connection) -> str:
        """Return the file's journal mode; an immutable connection cannot tell that it is WAL."""
        if self.mode in ("quiet", "snapshot"):
            return "wal"
        return str(connection.execute("PRAGMA journal_mode").fetchall()[0][0])

    def wal_size(self) -> int:
        """Return how many bytes the `-wal` file holds that this connection reads, if any."""
        if self.mode != "live" or self.place.path is None:
            return 0
        return max(look(self.place.path).wal_size, 0)

    def close(self) -> None:
        """Close the connection, if any; to be called in the thread that used it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        for _ in range(_ATTEMPTS):
            connection = self._current()
            try:
                result = work(connection)
            except sqlite3.Error:
                if self._undisturbed():
                    raise
                continue
            if self._undisturbed():
                return result
        raise DatabaseBusy(f"{self.place.name} changes faster than it can be read: try again")

    def _current(self) -> sqlite3.Connection:
        path = self.place.path
        if path is None:
            return self._connection or self._open("given")
        sight = look(path)
        if self._connection is not None and self._sees(sight):
            return self._connection
        connection = self._open(choose_mode(path, sight))
        # A live open may have made the -shm file that was missing: that is no change to follow.
        after = look(path)
        keeps = self.mode == "live" and after[:2] == sight[:2]
        self._sight = after if keeps else sight
        return connection

    def _open(self, mode: Mode) -> sqlite3.Connection:
        self.close()
        self._opened += 1
        self.mode = mode
        connection = connect(self.place, mode)
        try:
            connection.set_progress_handler(self._over, _STEPS)
            require_runs(connection, self.place.name)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _sees(self, sight: Sight) -> bool:
        """Whether the open connection shows what the files hold now."""
        if self._sight is None:
            return True
        if self.mode == "live":
            return sight.identity == self._sight.identity
        return sight == self._sight

    def _undisturbed(self) -> bool:
        path = self.place.path
        return path is None or self.mode == "live" or self._sees(look(path))

    def _over(self) -> bool:
        return self._stopped() or time.monotonic() > self._deadline
