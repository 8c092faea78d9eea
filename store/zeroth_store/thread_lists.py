"""The list of threads by position, newest first."""

from __future__ import annotations

from typing import Protocol

import msgspec

from zeroth_store.summaries import ThreadKey, ThreadSummary


class ThreadWindow(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the thread list that is in sight."""

    rows: tuple[ThreadSummary, ...]
    start: int
    """The position of the first row in the whole list, from 0."""
    total: int
    """How many threads there are."""
    exact: bool
    """False where `start` and `total` may be off: there are too many threads to count."""


class ThreadLists(Protocol):
    """The part of a RunBrowser that lists threads by position, without those of thread state."""

    async def thread_window(self, start: int, limit: int) -> ThreadWindow:
        """Return the threads at these positions, newest created first."""
        ...

    async def thread_position(self, key: ThreadKey) -> int | None:
        """Return where `thread_window` shows a thread; None when it is not there."""
        ...
