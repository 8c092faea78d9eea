"""Where a database is, what its files look like, and how to watch it without leaving a trace."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from pathlib import Path
from typing import Final, Literal, NamedTuple

from zeroth_store.errors import (
    DatabaseDamaged,
    DatabaseReadOnly,
    DatabaseUnavailable,
    SchemaError,
)
from zeroth_store.sqlite.decoding.cells import ANY_TEXT
from zeroth_store.sqlite.giving_way import GivingWay
from zeroth_store.sqlite.tables import KEPT_STATEMENTS, SchemaConnection

Mode = Literal["live", "quiet", "snapshot", "given"]
"""How a database is read: live (`mode=ro`); quiet (immutable while nobody has it open); snapshot
(immutable because going live would leave files in a folder that is not ours); or as a URI says."""

BUSY_SECONDS: Final = 1.0
"""How long a read waits for a writer of a rollback-journal database."""

_MAX_VALUE: Final = 64 * 1024 * 1024
_MAGIC: Final = b"SQLite format 3\0"
_WAL_MAGIC: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_GUARDS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
)


class Place(NamedTuple):
    """A database's address: a file, or whatever an SQLite URI names."""

    location: str
    """The path or URI as given."""
    name: str
    """What sentences call it."""
    path: Path | None
    """The file; None for a URI, whose files are never looked at."""


class Sight(NamedTuple):
    """What the file system says of a database; differs after any write to a file at rest."""

    device: int
    inode: int
    size: int
    modified: int
    wal_size: int
    """Bytes of the `-wal` file; -1 when there is none."""
    wal_modified: int
    shm: bool
    """Whether a `-shm` file exists."""

    @property
    def shared(self) -> bool:
        """Whether both side files are there: a live open then creates nothing."""
        return self.wal_size >= 0 and self.shm

    @property
    def identity(self) -> tuple[int, int, bool, bool]:
        """What stays the same as long as one live connection sees everything."""
        return self.device, self.inode, self.wal_size >= 0, self.shm


def place_of(location: str | os.PathLike[str]) -> Place:
    """Read a path, or a URI that starts with `file:`."""
    text = os.fspath(location)
    if text.startswith("file:"):
        body = text.removeprefix("file:").partition("?")[0]
        return Place(text, body.rstrip("/").rpartition("/")[2] or text, None)
    # Side files lie beside the file itself, not beside a link to it.
    return Place(text, Path(text).name or text, Path(os.path.realpath(text)))


def look(path: Path) -> Sight:
    """Return how the file and its side files are now; DatabaseUnavailable when it is no file."""
    name = path.name
    try:
        found = path.stat()
    except FileNotFoundError:
        message = f"{name} does not exist: check the path, or try `zeroth-tui demo`"
        raise DatabaseUnavailable(message) from None
    except OSError as error:
        raise DatabaseUnavailable(f"{name} cannot be opened: {error.strerror}") from None
    if stat.S_ISDIR(found.st_mode):
        raise DatabaseUnavailable(f"{name} is a folder: name a database file in it")
    if not stat.S_ISREG(found.st_mode):
        raise DatabaseUnavailable(f"{name} is not a regular file: name a database file")
    wal = _stat(path, "-wal")
    return Sight(
        found.st_dev,
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        -1 if wal is None else wal.st_size,
        0 if wal is None else wal.st_mtime_ns,
        _stat(path, "-shm") is not None,
    )


def choose_mode(path: Path, sight: Sight) -> Mode:
    """Return how a file must be opened so that all commits are seen and no file is created.

    The file itself is only opened while it has no log, so that no process can have it open in WAL
    mode: closing a plain file handle would drop the locks that this process's own connections hold
    on it.
    """
    if sight.size == 0:
        # Even a read-only connection removes the log or journal of a file without a page.
        message = f"{path.name} is an empty database: it has no tables. Try `zeroth-tui demo`"
        raise SchemaError(message)
    if sight.shared:
        return "live"
    ours = _is_ours(path)
    if sight.wal_size > 0 and _head(Path(f"{path}-wal"), 4) in _WAL_MAGIC:
        if ours:
            return "live"
        raise DatabaseUnavailable(
            f"{path.name} has changes in {path.name}-wal that cannot be read without creating "
            f"{path.name}-shm in a folder that is not yours: copy both files and open the copy"
        )
    if sight.wal_size >= 0 or _keeps_a_log(path):
        return "quiet" if ours else "snapshot"
    return "live"


def connect(place: Place, mode: Mode) -> sqlite3.Connection:
    """Open a connection that cannot write, runs no code of the file, and reads any text."""
    if place.path is None:
        uri = place.location
    else:
        uri = f"{place.path.as_uri()}?mode=ro{'' if mode == 'live' else '&immutable=1'}"
    connection = sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS,
        factory=SchemaConnection,
        cached_statements=KEPT_STATEMENTS,
    )
    if mode == "live" and place.path is not None:
        connection.giving_way = GivingWay(Path(f"{place.path}-wal"))
    try:
        guard(connection)
        connection.execute("PRAGMA query_only = ON").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def guard(connection: sqlite3.Connection) -> None:
    """Make a connection to a file that strangers may have made run no code of it and read any text.

    What the file holds cannot make it take more than 64 MB for one value.
    """
    connection.text_factory = ANY_TEXT
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for pragma in _GUARDS:
        connection.execute(pragma).fetchall()


def require_own_folder(location: Path) -> None:
    """Raise DatabaseReadOnly where a write would leave files that could lock the owner out."""
    path = Path(os.path.realpath(location))
    if choose_mode(path, look(path)) == "snapshot":
        raise DatabaseReadOnly(
            f"{path.name} lies in a folder that is not yours: files that a write leaves there"
            " could lock its owner out; act on it as its owner"
        )


def _stat(path: Path, suffix: str) -> os.stat_result | None:
    try:
        return Path(f"{path}{suffix}").stat()
    except OSError:
        return None


def _keeps_a_log(path: Path) -> bool:
    """Whether a database is in WAL mode; DatabaseDamaged where it is none."""
    header = _head(path, 20)
    if not header.startswith(_MAGIC):
        raise DatabaseDamaged(f"{path.name} is not an SQLite database")
    return header[18:20] != b"\x01\x01"


def _head(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise DatabaseUnavailable(f"{path.name} cannot be opened: {error.strerror}") from None


def _is_ours(path: Path) -> bool:
    """Whether side files made here would belong to the one who owns the folder and the file."""
    folder = path.parent
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "geteuid"):
        return True
    # SQLite run by root gives the files that it makes to the owner of the database.
    owners = {folder.stat().st_uid} | (set() if os.geteuid() == 0 else {path.stat().st_uid})
    return owners == {os.geteuid()}
