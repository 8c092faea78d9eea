"""Fetching rows with text, which is mostly UTF-8: then Python copies each value only once."""

from __future__ import annotations

import sqlite3
from typing import Any


def fetch(
    connection: sqlite3.Connection, sql: str, parameters: tuple[object, ...] = ()
) -> list[tuple[Any, ...]]:
    """Return all rows of a statement; text that is no UTF-8 comes as the connection reads it.

    A text factory of one's own is called for each value and makes a copy more of it.
    """
    factory, connection.text_factory = connection.text_factory, str
    try:
        return connection.execute(sql, parameters).fetchall()
    except sqlite3.OperationalError as error:
        # Only what Python itself cannot decode has no code. After an error of SQLite's nothing may
        # go on as if there had been none: it may have rolled the caller's transaction back.
        if hasattr(error, "sqlite_errorcode"):
            raise
        connection.text_factory = factory
        return connection.execute(sql, parameters).fetchall()
    finally:
        connection.text_factory = factory
