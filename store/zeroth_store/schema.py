"""Whether a database has our tables at the newest version, and how it gets there.

A database is upgraded in one transaction, with the version read again once the lock is held, so
any number of processes may start at once and a crash leaves the old version or the new one.
Alembic is imported only when there is something to upgrade.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zeroth_store.errors import DatabaseBusy, ForeignDatabase, SchemaBroken, SchemaTooNew
from zeroth_store.sqlite.connection.faults import translated

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

VERSION_TABLE: Final = "zeroth_store_version"
"""Our Alembic version table; its presence is what makes a database "own"."""

REVISIONS: Final = ("0001",)
"""Every revision in `migrations/versions`, oldest first; a test pins them to the scripts."""

HEAD: Final = REVISIONS[-1]

TABLES_SQL: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
VERSIONS_SQL: Final = f"SELECT version_num FROM {VERSION_TABLE}"

LOCK_SECONDS: Final = 60.0
"""How long an upgrade waits for another process, which may be upgrading a large database."""

_RETRY_SECONDS: Final = 0.02


def is_current(tables: Collection[str], versions: Sequence[str], name: str) -> bool:
    """Say whether the schema is at HEAD; False means that `upgrade` has work to do.

    `tables` are the names of all tables, `versions` the rows of VERSION_TABLE (empty without it).
    Raises ForeignDatabase, SchemaBroken or SchemaTooNew where upgrading would be wrong.
    """
    leftovers = sorted(table for table in tables if table.startswith("_alembic_tmp_"))
    if leftovers:
        raise SchemaBroken(
            f"{name} holds {', '.join(leftovers)}: a migration was interrupted. Make a copy; if the"
            " original tables are whole, drop these and start again"
        )
    if VERSION_TABLE not in tables:
        others = sorted(table for table in tables if not table.startswith("sqlite_"))
        if others:
            raise ForeignDatabase(
                f"{name} belongs to another program (it has tables {', '.join(others[:6])}):"
                " its schema is never changed here"
            )
        return False
    if len(versions) != 1:
        raise SchemaBroken(f"{name}: {VERSION_TABLE} holds {len(versions)} versions instead of one")
    if versions[0] not in REVISIONS:
        raise SchemaTooNew(
            f"{name} was made by a newer zeroth-tui (schema {versions[0]}, this one knows up to"
            f" {HEAD}): upgrade zeroth-tui"
        )
    return versions[0] == HEAD


def upgrade(location: str, name: str, *, patience: float = LOCK_SECONDS) -> None:
    """Bring the database at `location` to HEAD, creating its tables when it is empty.

    Waits up to `patience` seconds for a lock. Raises what `is_current` raises, or a
    DatabaseError; the database is then as it was before.
    """
    with (
        translated(name),
        closing(
            sqlite3.connect(
                location,
                uri=location.startswith("file:"),
                timeout=patience,
                isolation_level=None,
            )
        ) as raw,
    ):
        if not _is_current(raw, name):
            _use_wal(raw, name, patience)
            with _driver_errors():
                _upgrade(raw, name)


def _upgrade(raw: sqlite3.Connection, name: str) -> None:
    """Migrate in one transaction, unless another process did so before the lock was ours."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            # Off before the transaction begins: with foreign keys on, rebuilding a parent table
            # deletes the rows of its children.
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            if not _is_current(raw, name):
                before = _row_counts(raw)
                _run_scripts(connection)
                _check_nothing_is_lost(raw, name, before)
                connection.commit()
    finally:
        engine.dispose()


@contextmanager
def _driver_errors() -> Iterator[None]:
    """Let the driver's own error through where SQLAlchemy has wrapped it."""
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):
            raise error.orig from error
        raise


def _use_wal(raw: sqlite3.Connection, name: str, patience: float) -> None:
    """Switch to write-ahead logging; the switch ignores the busy timeout, hence the retries.

    Where the file system does not allow it, the mode stays as it is, without an error.
    """
    deadline = time.monotonic() + patience
    while raw.execute("PRAGMA journal_mode").fetchone()[0] not in ("wal", "memory"):
        try:
            raw.execute("PRAGMA journal_mode = WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            if time.monotonic() > deadline:
                raise DatabaseBusy(f"{name} is busy: it stayed locked; nothing changed") from error
            time.sleep(_RETRY_SECONDS)


def _is_current(raw: sqlite3.Connection, name: str) -> bool:
    tables = {table for (table,) in raw.execute(TABLES_SQL).fetchall()}
    versions = raw.execute(VERSIONS_SQL).fetchall() if VERSION_TABLE in tables else []
    return is_current(tables, [version for (version,) in versions], name)


def _run_scripts(connection: Connection) -> None:
    """Run the migration scripts inside the open transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts()).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_nothing_is_lost(raw: sqlite3.Connection, name: str, before: dict[str, int]) -> None:
    after = _row_counts(raw)
    lost = [table for table, rows in before.items() if after.get(table, 0) < rows]
    if lost or raw.execute("PRAGMA foreign_key_check").fetchall():
        raise SchemaBroken(
            f"{name}: upgrading would lose rows of {', '.join(lost) or 'a child table'};"
            " nothing was changed"
        )


def _row_counts(raw: sqlite3.Connection) -> dict[str, int]:
    tables = [table for (table,) in raw.execute(TABLES_SQL).fetchall()]
    return {
        table: raw.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        for table in tables
        if table != VERSION_TABLE and not table.startswith("sqlite_")
    }


def scripts() -> Path:
    """Return the folder of the migration scripts: inside the wheel, else at the checkout's top."""
    here = Path(__file__).resolve()
    packaged = here.parent / "migrations"
    return packaged if packaged.is_dir() else here.parents[2] / "migrations"
