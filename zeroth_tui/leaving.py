"""Leaving: whatever ends the program, it cleans up, ends at once and says why in its exit code."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import shutil
import signal
import sys
import termios
import threading
import time
from collections.abc import Coroutine
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final

LEAVE_SECONDS: Final = 1.5
"""How long cleaning up may take; then the process ends without."""

HUNG_UP: Final = 128 + signal.SIGHUP
"""The exit code when the terminal is gone."""

INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit code after ctrl+c."""

_temporary: Final[list[str]] = []
"""Folders that must not outlive the process."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_TERMINAL_MODES: Final = (1000, 1003, 1004, 1006, 1015, 1016, 2004, 2048, 1049)
_RESTORE: Final = (
    "\x1b[<u" + "".join(f"\x1b[?{mode}l" for mode in _TERMINAL_MODES) + "\x1b[?7h\x1b[?25h"
).encode()


class NoTerminal(Exception):
    """The explorer cannot be drawn or driven; the sentence says what works instead."""


def require_terminal(instead: str = "info DATABASE") -> None:
    """Raise NoTerminal unless there is somebody to draw for. Textual may name another driver.

    `instead` is the command that works without a terminal.
    """
    streams = (sys.__stdin__, sys.__stderr__)
    if "TEXTUAL_DRIVER" in os.environ:
        return
    if not all(stream is not None and stream.isatty() for stream in streams):
        raise NoTerminal(
            "the explorer needs a terminal as standard input and standard error;"
            f" `zeroth-tui {instead}` works without one"
        )


def run(work: Coroutine[Any, Any, int]) -> int:
    """Run the work and return its exit code; a signal cancels it, and 128 + its number is returned.

    Signals that whoever started the program ignores (`nohup`) stay ignored.
    """
    leaving = _Leaving()
    before = {
        number: signal.signal(number, leaving.ask)
        for number in _SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        return asyncio.run(leaving.watch(work))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def remove_at_end(folder: str) -> None:
    """Remove a temporary folder also where the process ends before it has cleaned up."""
    _temporary.append(folder)


def end_soon(code: int) -> None:
    """End the process in `LEAVE_SECONDS` if it still runs then: no read that hangs can keep it.

    What the program has made is left to the operating system: to take it apart takes longer than
    all the rest of leaving.
    """
    gc.freeze()
    asked: SimpleQueue[int] = SimpleQueue()
    _end_when(asked)
    asked.put(code)


class _Leaving:
    """One start of the program, and the signal that ended it."""

    def __init__(self) -> None:
        self._code = 0
        self._task: asyncio.Task[object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # A queue, and a thread that waits already: a signal handler may use no lock.
        self._asked: SimpleQueue[int] = SimpleQueue()
        _end_when(self._asked)

    def ask(self, number: int, _frame: object) -> None:
        """Leave because of a signal; the first one counts."""
        if self._code:
            return
        self._code = 128 + number
        self._asked.put(self._code)
        if self._loop is not None and self._task is not None:
            with suppress(RuntimeError):  # the loop is closed: all is done
                self._loop.call_soon_threadsafe(self._task.cancel)

    async def watch(self, work: Coroutine[Any, Any, int]) -> int:
        """Await the work, and return how the program was left."""
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        if self._code:
            work.close()
            return self._code
        try:
            code = await work
        except asyncio.CancelledError:
            if not self._code:
                raise
            code = self._code
        return self._code or code


def _end_when(asked: SimpleQueue[int]) -> None:
    """Wait in the background for a code, then give the program its time to leave."""
    modes = _terminal_modes()

    def wait() -> None:
        code = asked.get()
        time.sleep(LEAVE_SECONDS)
        _restore_terminal(modes)
        for folder in _temporary:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(code)

    threading.Thread(target=wait, name="leaving", daemon=True).start()


def _terminal_modes() -> list[Any] | None:
    with suppress(AttributeError, ValueError, OSError, termios.error):
        return termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
    return None


def _restore_terminal(modes: list[Any] | None) -> None:
    """Undo what the explorer set, without ever waiting for a terminal that takes nothing."""
    if modes is None or sys.__stdin__ is None or sys.__stderr__ is None:
        return
    with suppress(ValueError, OSError, termios.error):
        termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, modes)
        output = sys.__stderr__.fileno()
        if sys.__stderr__.isatty() and select.select([], [output], [], 0)[1]:
            os.write(output, _RESTORE)
