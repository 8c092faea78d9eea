"""What a self-check found out about a database: frozen facts, for whoever puts them into words."""

from __future__ import annotations

from typing import Literal

import msgspec

from zeroth_store.browse import DatabaseInfo
from zeroth_store.sqlite.connection.mounts import FileSystem
from zeroth_store.sqlite.connection.place import Mode

KeyState = Literal["not needed", "missing", "opens", "does not open"]
"""Whether encrypted checkpoints can be read."""


class FileFacts(msgspec.Struct, frozen=True):
    """One file or folder, as the file system describes it."""

    name: str
    size: int
    permissions: str
    """As `ls` shows them: `-rw-r--r--`."""
    owner: str
    """A name, or the number of a user without one."""


class PlaceFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Where a database lies and what lies beside it."""

    file: FileFacts
    folder: FileFacts
    beside: tuple[FileFacts, ...]
    """Its `-wal`, `-shm` and `-journal`, as far as they are there."""
    file_system: FileSystem | None
    """None where the machine does not say."""
    shared_warning: str
    """Why its file system is none to trust; empty where it is."""


class OpeningFacts(msgspec.Struct, frozen=True):
    """How the explorer will open it."""

    mode: Mode
    makes: str
    """The file that this makes beside the database; empty for none."""
    copied: bool
    """Whether the check read a private copy, because opening would have made that file."""


class KeyFacts(msgspec.Struct, frozen=True):
    """Whether what is encrypted can be read."""

    state: KeyState
    problem: str = ""
    """Why it does not open it."""


class Integrity(msgspec.Struct, frozen=True):
    """What SQLite's own check of the file's structure said."""

    problems: tuple[str, ...]
    """The first of them; empty where nothing is wrong with what was looked at."""
    finished: bool
    """Whether the whole file was looked at in the time there was."""
    seconds: float


class BadCell(msgspec.Struct, frozen=True):
    """A stored value that cannot be read as what it should be."""

    row: str
    """The id of its row."""
    column: str
    problem: str


class Scan(msgspec.Struct, frozen=True):
    """Rows that were read one by one, newest first, as far as the time went."""

    what: str
    """`runs` or `checkpoints`."""
    looked_at: int
    total: int
    bad: tuple[BadCell, ...]
    """The first of what cannot be read."""
    bad_rows: int
    """How many rows have such a cell."""


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a person should know before attaching."""

    location: str
    refusal: str = ""
    """Why it cannot be used; what could be found out all the same is in the rest."""
    place: PlaceFacts | None = None
    """None for a file that is not there, or for an SQLite URI."""
    opening: OpeningFacts | None = None
    kind: Literal["own", "guest"] | None = None
    """Who made it; None where that could not be read."""
    info: DatabaseInfo | None = None
    """What it is and holds; its warnings are about the content."""
    key: KeyFacts = KeyFacts("not needed")
    odd_objects: tuple[str, ...] = ()
    """Views, triggers, virtual tables and the like: `trigger spy on runs`."""
    obstacles: tuple[str, ...] = ()
    """Why nobody can act on its runs from here; empty where that is possible."""
    integrity: Integrity | None = None
    scans: tuple[Scan, ...] = ()
    unknown: tuple[str, ...] = ()
    """Why some of all this could not be found out."""
