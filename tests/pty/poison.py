"""Text that acts on terminals, and secrets, put into every text column of a database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

FAMILIES: Final = {
    "title": "\x1b]0;PWNED\x07\x1b]2;PWNED\x1b\\",
    "clipboard": "\x1b]52;c;UFdORUQ=\x07",
    "link": "\x1b]8;;http://e.invalid\x1b\\x\x1b]8;;\x1b\\",
    "title report": "\x1b[21t\x1b[6n\x1b[c",
    "device control": "\x1bP+q544e\x1b\\\x1b_Gi=1\x1b\\\x1b^m\x1b\\",
    "C1": "\x1b\x9b31m\x9d0;PWNED\x9c\x90q\x9c\x85",
    "character sets": "\x1b(0\x0e\x0f\x1bc",
    "screen": "\x1b[2J\x1b[?1049l\x1b[31m",
    "bell": "\x1b\x07\x07",
    "overwriting": "\x1bOK\rNO\x08\x08\x7f\x0b\x0c",
    "lines": "\x1ba\nb\u2028c\u2029d\te",
    "NUL": "\x1b\x00z",
    "bidi": "\x1b\u202e\u2066\u200f\u061c",
    "zero width": "\x1b\u200b\u200d\u2060\ufeff\u00ad\U000e0041\ufe0f",
    "surrogates": "\x1b\ud800\udfff",
    "markup": "\x1b[/] [@click=app.quit]q[/] [red]x[/red] [link='http://e.invalid']l[/link] $text",
    "open markup": "\x1b[b [type=missing, input_value={'a': 1}]",
}
"""Each begins with ESC, so that `␛` on the screen tells where it is shown."""

SEEN: Final = "\N{SYMBOL FOR ESCAPE}"
"""What stands on the screen where one of them is shown."""

_KEPT: Final = ("status", "kind", "type", "operator")
"""What says how a row is shown stays as it is, except the status of the last row."""


def poison(path: Path, text: str) -> int:
    """Put `text` before every stored text: the same everywhere, so that ids still find each other.

    Returns the number of rows.
    """

    def change(stored: str) -> str:
        value = _parsed(stored)
        return text + stored if value is None else json.dumps(_walk(value, text, f"more{text}"))

    return _rewrite(path, change)


def plant(path: Path, members: dict[str, Any]) -> None:
    """Add these members to every object in every stored JSON value."""

    def change(stored: str) -> str:
        value = _parsed(stored)
        return stored if value is None else json.dumps(_with(value, members))

    _rewrite(path, change)


def _rewrite(path: Path, change: Callable[[str], str]) -> int:
    """Change every text of every table but the versions; returns the number of rows."""
    rows = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%version'"
            " AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        for (table,) in tables:
            rows += connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for column in connection.execute(f"PRAGMA table_info({table})").fetchall():
                _rewrite_column(connection, table, column[1], change)
    return rows


def _rewrite_column(
    connection: sqlite3.Connection, table: str, column: str, change: Callable[[str], str]
) -> None:
    rows = connection.execute(
        f"SELECT rowid, {column} FROM {table} WHERE typeof({column}) = 'text' ORDER BY rowid"
    ).fetchall()
    kept = column in {*_KEPT, "workspace_scope"} or column.endswith("_at")
    for number, stored in rows[-1:] if kept and column == "status" else () if kept else rows:
        value = change(stored).encode("utf-8", "surrogatepass")
        connection.execute(
            f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?", (value, number)
        )


def _parsed(stored: str) -> Any:
    """Return the JSON object or list that a text is, or None."""
    try:
        value = json.loads(stored)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _walk(value: Any, text: str, name: str) -> Any:
    """Put the text before each string of a JSON value, and into each object a member `name`."""
    if isinstance(value, dict):
        walked = {
            key: member if key in _KEPT or key.endswith("_at") else _walk(member, text, name)
            for key, member in value.items()
        }
        return {**walked, name: text}
    if isinstance(value, list):
        return [_walk(item, text, name) for item in value]
    return text + value if isinstance(value, str) else value


def _with(value: Any, members: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {**{key: _with(member, members) for key, member in value.items()}, **members}
    return [_with(item, members) for item in value] if isinstance(value, list) else value
