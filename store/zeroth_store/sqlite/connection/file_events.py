"""Waiting for a write to a database's files, where the operating system tells of it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ctypes import CDLL

_MODIFY, _ATTRIB, _MOVED_TO, _CREATE = 0x2, 0x4, 0x80, 0x100
_GONE: Final = 0x400 | 0x800
"""The file itself is deleted or moved away."""
_ONCE: Final = 1 << 31
"""Each event that is told costs the process that writes: with all of them told to a reader that
waits, commits took 1.2 to 2.3 times as long."""
_OF_FILE: Final = _MODIFY | _ATTRIB | _GONE | _ONCE
_OF_FOLDER: Final = _CREATE | _MOVED_TO | _ONCE
_AGAIN: Final = 10.0
"""Seconds after which the files are listened to anew though nothing was told."""
_READ: Final = 65536


class FileEvents:
    """Wakes whoever waits when a database, its side files or their folder are written to.

    It tells of nothing on systems other than Linux, in databases without a file, and of nothing
    that another machine writes to a shared folder: who waits names the time after which to look.
    What SQLite writes through mapped memory makes no event either, so that an event may come a
    moment before its commit can be seen.

    Of each file one write is told, and the next only when somebody waits again: a writer that
    commits thousands of times a second pays for no more events than somebody takes in. Whoever
    was woken therefore looks once more after the next wait has begun, as `Pace` does.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path if sys.platform == "linux" else None
        self._system: CDLL | None = None
        self._queue = -1
        self._heard_until = 0.0

    async def wait(self, seconds: float) -> bool:
        """Return when something was written, after some seconds at the latest; say whether."""
        if not self._listens():
            await asyncio.sleep(seconds)
            return False
        loop, queue = asyncio.get_running_loop(), self._queue
        told = asyncio.Event()
        loop.add_reader(queue, told.set)
        try:
            async with asyncio.timeout(seconds):
                await told.wait()
        except TimeoutError:
            return False
        finally:
            loop.remove_reader(queue)
        _forget(queue)
        self._heard_until = 0.0
        return True

    def close(self) -> None:
        """Stop listening for good; may be called again."""
        self._path = None
        if self._queue >= 0:
            os.close(self._queue)
            self._queue = -1

    def _listens(self) -> bool:
        """Listen to the files that are there now; False where that is impossible.

        Files that come and go are told of, so that this is done again then, and else only now and
        then: the folder itself may have been replaced.
        """
        if self._path is None:
            return False
        if time.monotonic() < self._heard_until:
            return True
        if self._system is None and not self._open():
            self._path = None
            return False
        self._heard_until = time.monotonic() + _AGAIN
        self._listen_to(self._path.parent, _OF_FOLDER)
        for suffix in ("", "-wal", "-journal"):
            self._listen_to(Path(f"{self._path}{suffix}"), _OF_FILE)
        return True

    def _open(self) -> bool:
        # It costs as much as several reads, and nothing on the first screen needs it.
        from ctypes import CDLL

        with suppress(OSError, AttributeError):
            self._system = CDLL(None)
            self._queue = self._system.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        return self._queue >= 0

    def _listen_to(self, path: Path, events: int) -> None:
        """Listen to a file until it is written to; where that is so already, nothing changes."""
        if self._system is not None:
            self._system.inotify_add_watch(self._queue, os.fsencode(path), events)


def _forget(queue: int) -> None:
    """Drop everything that was told until now."""
    with suppress(BlockingIOError):
        while os.read(queue, _READ):
            pass
