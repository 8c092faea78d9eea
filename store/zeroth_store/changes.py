"""What a caller may ask to follow a database: whether anything changed, and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from zeroth_store.summaries import RunKey, RunSummary


class Version(NamedTuple):
    """Differs after any commit; equal while nothing was written."""

    file: tuple[int, int] | None
    """Which file it is, as the system numbers it; None for a database without one."""
    commits: tuple[int, ...]
    """Differs after any commit to that file."""


class Mark(msgspec.Struct, frozen=True):
    """How the runs stood at a moment, as far as a writer is likely to change them."""

    newest: int
    """The largest rowid of all."""
    stamps: Mapping[int, int]
    """Rowid -> a number that is another one once the run has been written."""


class ChangeFeed(Protocol):
    """The part of a RunBrowser that follows what others write, without looking at every row."""

    async def version(self) -> Version:
        """Return a value that differs from the last one after any commit, cheaply.

        It differs too when the side index turns out to have missed something.
        """
        ...

    async def stirred(self, seconds: float) -> bool:
        """Return when the file system tells of a write, at the latest after so many seconds.

        Says whether it told. Not every file system does, and it may do so a moment too early.
        """
        ...

    async def file_system_warning(self) -> str:
        """Return what to know where other machines share the file; empty anywhere else."""
        ...

    async def mark(self) -> Mark:
        """Take down how the runs stand now."""
        ...

    async def changed_since(self, mark: Mark) -> int:
        """Count the runs that are new or were written since, up to some ten thousand.

        It misses those that had been over, unless somebody looks at them.
        """
        ...

    async def summaries(self, keys: Sequence[RunKey]) -> dict[RunKey, RunSummary]:
        """Return some runs as a list shows them; those that are gone are left out."""
        ...
