"""Driver errors become the store's own here, and nowhere else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from zeroth_store.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseError,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseUnavailable,
    QueryTooSlow,
)

_PRIMARY_CODE = 0xFF


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn sqlite3 errors raised inside into sentences about the database called `name`."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, name) from error
    except UnicodeDecodeError as error:
        # The driver's own error, which names something of the schema that is no UTF-8.
        raise DatabaseDamaged(
            f"{name} is damaged: its schema holds a name that is no text"
        ) from error


def translate(error: sqlite3.Error, name: str) -> DatabaseError:
    """Return the store's error for a driver error."""
    # Errors that the Python module raises itself carry no code.
    code = getattr(error, "sqlite_errorcode", None)
    match None if code is None else code & _PRIMARY_CODE:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseBusy(f"{name} is busy: another process holds its lock; nothing changed")
        case sqlite3.SQLITE_READONLY:
            return DatabaseReadOnly(f"{name} cannot be written: it or its folder is read-only")
        case sqlite3.SQLITE_FULL:
            return DatabaseFull(f"the disk that holds {name} is full; nothing changed")
        case sqlite3.SQLITE_CORRUPT:
            return DatabaseDamaged(f"{name} is damaged: {error}")
        case sqlite3.SQLITE_NOTADB:
            return DatabaseDamaged(f"{name} is not an SQLite database")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return DatabaseUnavailable(f"{name} cannot be opened: {error}")
        case sqlite3.SQLITE_INTERRUPT:
            return QueryTooSlow(f"a query on {name} took too long and was stopped")
        case sqlite3.SQLITE_IOERR:
            return DatabaseError(f"{name} could not be read or written: {error}")
        case _:
            return DatabaseError(f"{name}: {error}")
