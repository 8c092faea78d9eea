"""Runs zeroth-tui in a pseudo-terminal, as a person's terminal would, and keeps every byte."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyte

ROOT = Path(__file__).parents[2]
TYPING_SECONDS = 60.0
"""How long a program may take to read what is typed."""

ASKS: dict[bytes, bytes] = {b"\x1b[?2026$p": b"\x1b[?2026;1$y", b"\x1b[?2048$p": b""}
"""What the app asks a terminal, and what this one answers: it draws whole frames."""

ABLE: dict[bytes, bytes] = {**ASKS, b"\x1b[?2048$p": b"\x1b[?2048;2$y"}
"""What a terminal answers that also tells its size, and the mouse's place in pixels."""

Size = tuple[int, int]
"""Columns and rows."""


class NotShown(AssertionError):
    """What was waited for did not appear; says what the screen held instead."""


class Left(NamedTuple):
    """How a process ended."""

    code: int
    """As Python counts it: a signal that was not handled is negative."""
    seconds: float
    """From what asked it to leave until it was gone."""


class Terminal:
    """One process in a terminal of its own, which it controls."""

    def __init__(
        self,
        *words: str | Path,
        home: Path,
        size: Size = (80, 24),
        environment: Mapping[str, str] | None = None,
        program: tuple[str, ...] = ("-m", "zeroth_tui"),
        answers: Mapping[bytes, bytes] = ASKS,
    ) -> None:
        """Start the program with these words, and `home` as its only home."""
        self.home = home
        self.path = Path(words[-1]) if words else home
        """The last word: the database."""
        self.meanwhile = ExitStack()
        """What is kept until the process has ended."""
        self.output = b""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._answers = answers
        self._open = True
        self._fed = 0
        self._ours, self.theirs = pty.openpty()
        self._set_size(size)
        self.modes: list[Any] = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen(
            [sys.executable, *program, *map(str, words)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            cwd=home,
            env={**clean(home), **(environment or {})},
            start_new_session=True,
            preexec_fn=_control,  # noqa: PLW1509 - no other thread runs in a test
        )

    def __enter__(self) -> Self:
        """Return the running program."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever state it is in."""
        self.process.kill()
        self.process.wait()
        self.meanwhile.close()
        self.hang_up()
        with suppress(OSError):
            os.close(self.theirs)

    @property
    def text(self) -> str:
        """What the screen shows, without blank lines."""
        return "\n".join(line.rstrip() for line in self._screen.display if line.strip())

    def press(self, keys: str | bytes) -> None:
        """Type, while reading what comes of it: a terminal that is not read stops its program."""
        left = keys.encode() if isinstance(keys, str) else keys
        deadline = time.monotonic() + TYPING_SECONDS
        while left and self._open and self.process.poll() is None:
            if time.monotonic() > deadline:
                raise NotShown(f"{len(left):,} bytes are not read. On screen:\n{self.text}")
            _, ready, _ = select.select([], [self._ours], [], 0.05)
            if ready:
                left = left[os.write(self._ours, left[:512]) :]
            self._read(0)

    def stall(self, keys: str) -> None:
        """Type without reading what comes of it, until nothing more can be written."""
        os.write(self._ours, keys.encode())
        since, waiting = time.monotonic(), 0
        while time.monotonic() < since + 0.5:
            now = struct.unpack("i", fcntl.ioctl(self._ours, termios.FIONREAD, b"\0" * 4))[0]
            if now != waiting:
                since, waiting = time.monotonic(), now
            time.sleep(0.02)

    def resize(self, size: Size) -> None:
        """Change the size of the terminal, as dragging its corner does."""
        self._set_size(size)
        self._screen.resize(size[1], size[0])
        self.process.send_signal(signal.SIGWINCH)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Wait until the screen shows the text."""
        self._wait(lambda: text in self.text, repr(text), seconds)

    def wait_for_bytes(self, wanted: bytes, seconds: float = 60, *, since: int = 0) -> None:
        """Wait until these bytes have been written, after the first `since`."""
        self._wait(lambda: self.output.find(wanted, since) >= 0, repr(wanted), seconds)

    def rest(self, quiet: float = 0.2, seconds: float = 15) -> None:
        """Read until the program has taken all keys, and has slept and written nothing a while."""
        deadline = time.monotonic() + seconds
        since = time.monotonic()
        while time.monotonic() < min(deadline, since + quiet):
            if self._read(0.01) or self._busy():
                since = time.monotonic()

    def _busy(self) -> bool:
        """Whether a thread of the program runs or could, or a key has not been taken yet."""
        if not self._open or self.process.poll() is not None:
            return False
        if struct.unpack("i", fcntl.ioctl(self.theirs, termios.FIONREAD, b"\0" * 4))[0]:
            return True
        states = set()
        for stat in Path(f"/proc/{self.process.pid}/task").glob("*/stat"):
            with suppress(OSError):  # the thread has ended meanwhile
                states.add(stat.read_text().rpartition(")")[2].split()[0])
        return bool(states & {"R", "D"})

    def hang_up(self) -> None:
        """Close the terminal, as closing its window does."""
        if self._open:
            self._open = False
            os.close(self.theirs)
            os.close(self._ours)

    def left(self, seconds: float = 30) -> Left:
        """Read until the process has ended, and return how it did."""
        start = time.monotonic()
        while self.process.poll() is None:
            if time.monotonic() > start + seconds:
                raise NotShown(f"it does not end. The screen holds:\n{self.text}")
            self._read(0.02)
        ended = time.monotonic()
        while self._read(0):
            pass
        return Left(self.process.returncode, ended - start)

    def becomes(self, true: Callable[[], bool], seconds: float) -> bool:
        """Read until something is true; False when it is not in time, or the process has ended."""
        deadline = time.monotonic() + seconds
        while not true():
            if time.monotonic() > deadline or self.process.poll() is not None:
                while self._read(0):
                    pass
                return true()
            self._read(0.1)
        return True

    def _wait(self, true: Callable[[], bool], wanted: str, seconds: float) -> None:
        if not self.becomes(true, seconds):
            raise NotShown(f"{wanted} did not appear. The screen holds:\n{self.text}")

    def _read(self, seconds: float) -> bool:
        """Wait for output, draw and answer it; False when none came in time."""
        if not self._open:
            time.sleep(min(seconds, 0.02))
            return False
        ready, _, _ = select.select([self._ours], [], [], seconds)
        if not ready:
            return False
        try:
            self.output += os.read(self._ours, 65536)
        except OSError:  # what Linux says when nobody has the other side open
            return False
        self._feed()
        return True

    def _feed(self) -> None:
        """Draw what is whole; the beginning of a question waits for its end."""
        new = self.output[self._fed :]
        for question, answer in self._answers.items():
            if question in new:
                os.write(self._ours, answer)
        start = new.rfind(b"\x1b[?")
        if start >= 0 and len(new) - start < max(map(len, ASKS)) and not new.endswith((b"h", b"l")):
            new = new[:start]
        self._fed += len(new)
        for question in ASKS:
            new = new.replace(question, b"")
        self._stream.feed(new)

    def _set_size(self, size: Size) -> None:
        columns, rows = size
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def clean(home: Path) -> dict[str, str]:
    """Return an environment in which nothing of the tester's counts."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "store"))),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }


def _control() -> None:
    """Make the terminal the one that controls the new session: closing it hangs up."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
