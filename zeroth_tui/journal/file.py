"""The journal: what this session did to runs, kept in a file that only grows."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.acting import target
from zeroth_store.actions import Outcome, Write
from zeroth_tui.journal.entry import Entry, from_line, to_line

_BLOCK: Final = 65_536
_FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class JournalError(Exception):
    """The journal's file cannot be used; the sentence names it."""


class Loaded(NamedTuple):
    """What was read from the journal's file."""

    entries: tuple[Entry, ...]
    """Oldest first."""
    unreadable: int = 0
    """How many lines hold no entry: cut off by a crash, or written by another version."""


class Journal:
    """Adds entries to a file that only the user can read; each is on disk when `add` returns.

    Its methods block: call them in a thread. Raises JournalError.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime], user: str) -> None:
        """Keep what `user` does in the file at `path`, which is made when there is something."""
        self._path = path
        self._clock = clock
        self._user = user
        self._session = secrets.token_hex(8)
        self._entries: list[Entry] = []

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def entries(self) -> tuple[Entry, ...]:
        """Return what this session did, oldest first, secrets included."""
        return tuple(self._entries)

    def record(
        self,
        write: Write,
        outcome: Outcome,
        *,
        database: str,
        kind: Literal["own", "guest"],
        reason: str = "",
    ) -> Entry:
        """Add what became of a write, as of now."""
        entry = Entry(
            time=self._clock(),
            session=self._session,
            user=self._user,
            database=database,
            kind=kind,
            key=write.key,
            act=write.act,
            reason=reason,
            seen=write.seen,
            aimed=target(write) or write.seen,
            columns=tuple(write.columns),
            written=outcome.written,
            stored=outcome.stored,
            problem=outcome.problem,
            before=outcome.before,
            after=outcome.after,
        )
        self.add(entry)
        return entry

    def add(self, entry: Entry) -> None:
        """Add an entry as this session's, which knows it even where the file does not take it."""
        entry = msgspec.structs.replace(entry, session=self._session)
        self._entries.append(entry)
        try:
            _append(self._path, to_line(entry))
        except OSError as error:
            raise JournalError(f"{self._path} cannot be written: {error.strerror}") from error

    def load(self, limit: int) -> Loaded:
        """Return the last entries of the file, those of this session as this session knows them."""
        try:
            lines = _last_lines(self._path, limit)
        except FileNotFoundError:
            lines = []
        except OSError as error:
            raise JournalError(f"{self._path} cannot be read: {error.strerror}") from error
        found = [entry for line in lines if (entry := from_line(line)) is not None]
        others = [entry for entry in found if entry.session != self._session]
        every = sorted([*others, *self._entries], key=lambda entry: entry.time)
        return Loaded(tuple(every[-limit:]), len(lines) - len(found))


def user_name() -> str:
    """Return the name of the user, or their number where they have none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        data = f"{_line_end(descriptor)}{line}\n".encode("ascii")
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _line_end(descriptor: int) -> str:
    """Return what ends a last line that a crash cut off."""
    size = os.fstat(descriptor).st_size
    return "\n" if size and os.pread(descriptor, 1, size - 1) != b"\n" else ""


def _last_lines(path: Path, limit: int) -> list[bytes]:
    """Return the last lines that are not empty, reading no more of the file than they need."""
    with path.open("rb") as file:
        start = file.seek(0, os.SEEK_END)
        data = b""
        while start and data.count(b"\n") <= limit:
            size = min(_BLOCK, start)
            start -= size
            file.seek(start)
            data = file.read(size) + data
    lines = data.split(b"\n")[1 if start else 0 :]
    return [line for line in lines if line][-limit:]
