"""What the file system says of a database, and where to read it without leaving a trace."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from zeroth_store.errors import DatabaseBusy, DatabaseUnavailable
from zeroth_store.sqlite.checkup.facts import FileFacts, OpeningFacts, PlaceFacts
from zeroth_store.sqlite.connection.mounts import file_system, shared_warning
from zeroth_store.sqlite.connection.place import Place, choose_mode, look

LARGEST_COPY: Final = 1024**3
"""A database that would have to be copied, and is larger, is not read."""

_SIDES: Final = ("-wal", "-shm", "-journal")


def describe_place(path: Path, mounts: Path) -> PlaceFacts | None:
    """Return what the file system says; None where there is no such file."""
    found = _facts(path, path.name)
    folder = _facts(path.parent, str(path.parent))
    if found is None or folder is None:
        return None
    sides = (_facts(Path(f"{path}{side}"), f"{path.name}{side}") for side in _SIDES)
    return PlaceFacts(
        file=found,
        folder=folder,
        beside=tuple(side for side in sides if side is not None),
        file_system=file_system(path, mounts),
        shared_warning=shared_warning(path, mounts),
    )


def choose_opening(place: Place) -> OpeningFacts:
    """Return how the explorer will open it; raises what that raises."""
    if place.path is None:
        return OpeningFacts("given", "", copied=False)
    sight = look(place.path)
    mode = choose_mode(place.path, sight)
    # A write-ahead log with content that nobody has open needs the -shm file that is missing.
    creates = mode == "live" and sight.wal_size > 0 and not sight.shm
    makes = f"{place.path.name}-shm" if creates else ""
    return OpeningFacts(mode, makes, copied=bool(makes))


@contextmanager
def untouched(place: Place, opening: OpeningFacts) -> Iterator[str]:
    """Give a location to read where opening makes no file beside the database."""
    path = place.path
    if path is None or not opening.copied:
        yield place.location
        return
    pair = (path, Path(f"{path}-wal"))
    before = look(path)
    if before.size + before.wal_size > LARGEST_COPY:
        raise DatabaseUnavailable(
            f"{path.name} can only be read by making {opening.makes}, and is too large to be copied"
            " for a check: open it once with the program that it belongs to"
        )
    with tempfile.TemporaryDirectory(prefix="zeroth-tui-check-") as folder:
        try:
            for file in pair:
                shutil.copyfile(file, Path(folder, file.name))
        except OSError as error:
            raise DatabaseUnavailable(f"{path.name} cannot be copied: {error.strerror}") from None
        if look(path) != before:
            raise DatabaseBusy(f"somebody opened {path.name} meanwhile: check again")
        yield str(Path(folder, path.name))


def unwritable(place: Place, opening: OpeningFacts) -> Iterator[str]:
    """Say for each thing about the files that keeps one from writing what it is."""
    path = place.path
    if path is None:
        yield "it is named by a URI, which is only read"
        return
    if opening.mode == "snapshot":
        yield "its folder is not yours: files that a write leaves there could lock its owner out"
    if not os.access(path, os.W_OK):
        yield f"you may not write {path.name}"
    if not os.access(path.parent, os.W_OK):
        yield f"you may not write in {path.parent}"


def _facts(path: Path, name: str) -> FileFacts | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return FileFacts(name, found.st_size, stat.filemode(found.st_mode), _owner(found.st_uid))


def _owner(number: int) -> str:
    try:
        import pwd
    except ImportError:
        return str(number)
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
