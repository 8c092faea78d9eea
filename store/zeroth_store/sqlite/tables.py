"""Which tables and columns a database has, and how a row's identity is spelled in its SQL."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

import msgspec

from zeroth_store.errors import SchemaError
from zeroth_store.sqlite.giving_way import PoliteConnection

_TABLES_SQL: Final = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
_DERIVED_SCOPE: Final = (
    "CASE WHEN {0}workspace_id IS NULL THEN 'null' ELSE 'value:' || {0}workspace_id END"
)

_SCOPE: Final = ("tenant_id", "workspace_scope")

FIRST: Final = -(2**63)
"""The smallest rowid there can be."""

LAST: Final = 2**63 - 1
"""The largest rowid there can be."""

SMALL: Final = 50_000
"""A table with no larger rowid is small enough to be scanned where an index is missing."""


class Table(msgspec.Struct, frozen=True):
    """A real table, as found: views, virtual tables and generated columns are not looked at."""

    name: str
    columns: tuple[str, ...]
    required: frozenset[str]
    """The columns that are NOT NULL."""
    leading: frozenset[str] = frozenset()
    """The columns that an index starts with."""
    after_scope: frozenset[str] = frozenset()
    """The columns that an index has right behind the tenant and the workspace scope."""

    def column(self, name: str) -> str:
        """Return the column's name, or NULL where this schema does not have it."""
        return name if name in self.columns else "NULL"

    def tenant(self, prefix: str = "") -> str:
        """Return SQL for the row's tenant, which is never NULL."""
        if "tenant_id" not in self.columns:
            return "'default'"
        plain = f"{prefix}tenant_id"
        return plain if "tenant_id" in self.required else f"COALESCE({plain}, 'default')"

    def scope(self, prefix: str = "") -> str:
        """Return SQL for the row's workspace scope, which is never NULL."""
        if "workspace_scope" in self.columns:
            plain = f"{prefix}workspace_scope"
            return plain if "workspace_scope" in self.required else f"COALESCE({plain}, 'null')"
        return _DERIVED_SCOPE.format(prefix) if "workspace_id" in self.columns else "'null'"

    def in_scope(self) -> str:
        """Return SQL that is true for rows of one tenant and scope, the two parameters of it.

        What a table does not record does not tell its rows apart.
        """
        unknown = "CAST(? AS TEXT) IS NOT NULL"
        tenant = f"{self.tenant()} = CAST(? AS TEXT)" if self.has("tenant_id") else unknown
        scoped = self.has("workspace_scope") or self.has("workspace_id")
        return f"{tenant} AND {f'{self.scope()} = CAST(? AS TEXT)' if scoped else unknown}"

    def has(self, *names: str) -> bool:
        """Say whether all these columns exist."""
        return all(name in self.columns for name in names)


KEPT_STATEMENTS: Final = 32
"""Prepared statements that a connection keeps: those with a list of keys differ by its length, and
take tens of kilobytes each."""


class SchemaConnection(PoliteConnection):
    """A connection that remembers what its tables look like until the schema changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._schema = -1
        self._tables: dict[str, Table | None] = {}

    def table(self, name: str) -> Table | None:
        """Return what a table looks like now, as `find_table` does."""
        schema = self.execute("PRAGMA schema_version").fetchall()[0][0]
        if schema != self._schema:
            self._schema = schema
            self._tables = {}
        if name not in self._tables:
            self._tables[name] = _inspect(self, name)
        return self._tables[name]


def require_runs(connection: sqlite3.Connection, name: str) -> None:
    """Raise SchemaError unless there is a real table `runs` that can be walked by rowid."""
    found = table_names(connection)
    if "runs" not in found:
        theirs = ", ".join(table for table in found if not table.startswith("sqlite_"))
        what = f"it has tables {theirs}" if theirs else "it has no tables"
        raise SchemaError(f"{name} is not a run database: {what}. Try `zeroth-tui demo`")
    runs = find_table(connection, "runs")
    if runs is None or not runs.has("run_id"):
        raise SchemaError(f"{name} is not a run database: its table runs has no ids to list")


def table_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the names of all real tables, in the order they were made."""
    return tuple(row[0] for row in connection.execute(_TABLES_SQL).fetchall())


def runs_table(connection: sqlite3.Connection) -> Table:
    """Return the table `runs`, which `require_runs` has seen."""
    table = find_table(connection, "runs")
    if table is None:
        raise SchemaError("the table runs is gone: open the database again")
    return table


def find_table(connection: sqlite3.Connection, name: str) -> Table | None:
    """Return what a table looks like now; None when it is missing or no ordinary table."""
    if isinstance(connection, SchemaConnection):
        return connection.table(name)
    return _inspect(connection, name)


def _inspect(connection: sqlite3.Connection, name: str) -> Table | None:
    if name not in table_names(connection):
        return None
    quoted = quote(name)
    try:
        connection.execute(f"SELECT rowid FROM {quoted} LIMIT 0").fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return None  # WITHOUT ROWID
    columns = [
        (str(row[1]), bool(row[3]))
        for row in connection.execute(f"PRAGMA table_info({quoted})").fetchall()
        if _nameable(row[1])
    ]
    indexes = connection.execute(f"PRAGMA index_list({quoted})").fetchall()
    indexed: list[tuple[str, ...]] = []
    for index in indexes:
        partial = bool(index[4])
        if not partial and _nameable(index[1]):
            members = connection.execute(f"PRAGMA index_info({quote(index[1])})").fetchall()
            indexed.append(tuple(str(member[2]) for member in members))
    return Table(
        name,
        tuple(column for column, _ in columns),
        frozenset(column for column, required in columns if required),
        frozenset(columns[0] for columns in indexed),
        frozenset(columns[2] for columns in indexed if columns[:2] == _SCOPE and columns[2:]),
    )


def is_small(connection: sqlite3.Connection, table: Table) -> bool:
    """Say whether a table may be scanned where no index serves."""
    top = connection.execute(f"SELECT max(rowid) FROM {quote(table.name)}").fetchall()[0][0]
    return top is None or top <= SMALL


def is_json(column: str) -> str:
    """Return SQL that is true where SQLite's JSON functions will not raise."""
    return f"typeof({column}) = 'text' AND json_valid({column})"


def is_damage(error: sqlite3.Error) -> bool:
    """Say whether an error means that pages of the file are corrupt."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def quote(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _nameable(name: object) -> bool:
    """Whether a name can stand in a statement: not one that is no UTF-8."""
    return isinstance(name, str) and not any("\ud800" <= letter <= "\udfff" for letter in name)
