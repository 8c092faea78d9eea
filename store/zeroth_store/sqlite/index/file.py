"""Where the side index lies: a file of ours in the cache folder, or a temporary one."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from zeroth_store.browse import Stored
from zeroth_store.sqlite.decoding.cells import ANY_TEXT
from zeroth_store.sqlite.index.table import APPLICATION, TABLES, VERSION
from zeroth_store.sqlite.tables import KEPT_STATEMENTS

MOST_BYTES: Final = 1_000_000_000
"""How large all index files together may be; the ones not used for longest are removed."""

_CLEAN: Final = "clean"
_CACHE_KIB: Final = 16_384


class IndexConnection(sqlite3.Connection):
    """A connection that remembers numbers about its tables until something is written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._itself = object()
        self._changes = -1
        self._numbers: dict[str, int] = {}
        self.tally: Counter[Stored] | None = None
        """How many runs have each status, once somebody has asked; writers keep it right."""

    @property
    def generation(self) -> tuple[object, int]:
        """A value that changes when something is written."""
        return self._itself, self.total_changes

    def number(self, sql: str) -> int:
        """Return the one number that a statement without parameters selects."""
        if self.total_changes != self._changes:
            self._changes = self.total_changes
            self._numbers = {}
        if sql not in self._numbers:
            self._numbers[sql] = self.execute(sql).fetchall()[0][0]
        return self._numbers[sql]

    def forget(self) -> None:
        """Ask for every number again: the tables seem to hold something else from now on."""
        self._numbers = {}


class Unusable(Exception):
    """A kept file is in use by another explorer, or holds no index that can be trusted."""


def index_folder() -> Path:
    """Return the user's folder for index files."""
    from platformdirs import user_cache_path

    return user_cache_path("zeroth-tui") / "index"


def index_path(folder: Path, database: Path, identity: tuple[int, int]) -> Path:
    """Return the index file of a database, whose device and inode tell it from a replacement."""
    import hashlib

    device, inode = identity
    named = f"{device}\0{inode}\0{database}"
    name = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return folder / f"{name}.db"


def open_index(path: Path | None) -> IndexConnection:
    """Open an index file; a temporary one for None, or where the kept one cannot be used.

    A kept file belongs to one explorer at a time. One that its owner did not close, of another
    version or damaged, is made anew.
    """
    if path is not None:
        with suppress(OSError, sqlite3.Error, Unusable):
            return _open_kept(path)
    # SQLite removes a database without a name by itself; small ones never leave the memory.
    return _prepared("", is_new=True)


def close_index(connection: IndexConnection) -> None:
    """Close an index, marked as complete to its last transaction."""
    try:
        # The first commit brings everything to the disk, the second one says so.
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        _set(connection, "closing", 1)
        _set(connection, _CLEAN, 1)
    finally:
        connection.close()


def _open_kept(path: Path) -> IndexConnection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_new = _create(path)
    try:
        connection = _prepared(str(path), is_new=is_new)
    except (sqlite3.Error, Unusable) as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise
        path.unlink()
        _create(path)
        connection = _prepared(str(path), is_new=True)
    os.utime(path)
    _remove_oldest(path.parent, path)
    return connection


def _create(path: Path) -> bool:
    """Create an empty file for its owner alone, unless it exists; says whether it is empty."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    # The file is not opened to look at it: closing it again would drop this process's locks.
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise Unusable(f"{path} is no file of ours")
    if found.st_mode & 0o077 or (hasattr(os, "geteuid") and found.st_uid != os.geteuid()):
        raise Unusable(f"{path} is open to others")
    return found.st_size == 0


def _prepared(location: str, *, is_new: bool) -> IndexConnection:
    connection = sqlite3.connect(
        location,
        isolation_level=None,
        timeout=0,
        factory=IndexConnection,
        cached_statements=KEPT_STATEMENTS,
    )
    try:
        _prepare(connection, is_new=is_new)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: IndexConnection, *, is_new: bool) -> None:
    connection.text_factory = ANY_TEXT
    for pragma in (
        "locking_mode = EXCLUSIVE",
        "journal_mode = MEMORY",
        "synchronous = OFF",
        "trusted_schema = OFF",
        "cell_size_check = ON",
        f"cache_size = -{_CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("BEGIN EXCLUSIVE")
    if is_new:
        for statement in TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    else:
        _check(connection)
    _set(connection, _CLEAN, 0)
    connection.execute("COMMIT")


def _check(connection: IndexConnection) -> None:
    marks = [
        connection.execute(f"PRAGMA {name}").fetchall()[0][0]
        for name in ("application_id", "user_version")
    ]
    made = connection.execute("SELECT sql FROM sqlite_master WHERE type != 'index'").fetchall()
    if marks != [APPLICATION, VERSION] or {row[0] for row in made} != set(TABLES):
        raise Unusable("no side index of this version")
    clean = connection.execute("SELECT value FROM about WHERE name = ?", (_CLEAN,)).fetchall()
    if clean != [(1,)]:
        raise Unusable("its owner did not close it")


def _set(connection: IndexConnection, name: str, value: int) -> None:
    connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))


def _remove_oldest(folder: Path, kept: Path) -> None:
    """Remove the files used longest ago while all together are too large."""
    files: list[tuple[float, int, Path]] = []
    for path in folder.glob("*.db"):
        with suppress(OSError):
            found = path.lstat()
            files.append((found.st_mtime, found.st_size, path))
    total = 0
    for _, size, path in sorted(files, reverse=True):
        total += size
        if total > MOST_BYTES and path != kept:
            with suppress(OSError):
                path.unlink()
