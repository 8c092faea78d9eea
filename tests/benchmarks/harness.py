"""Runs programs in a pseudo-terminal as a person's terminal would, and takes their CPU time.

A program that asks for synchronised output (DEC mode 2026) is told that the terminal has it, and
then ends every frame with a marker: that is how "painted" is known. CPU time counts, not the
clock on the wall, and what is compared runs interleaved, so that a busy machine slows both alike.
Needs Linux, where the CPU clock of a running process can be read.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Self

import pyte

ROWS, COLUMNS = 40, 120
ASKS_SYNC = b"\x1b[?2026$p"
HAS_SYNC = b"\x1b[?2026;1$y"
FRAME_END = b"\x1b[?2026l"


class NotPainted(Exception):
    """The text that was waited for did not appear; says what the screen held instead."""


class Terminal:
    """One program in a terminal of 40 rows and 120 columns."""

    def __init__(self, command: Sequence[str | Path], home: Path) -> None:
        """Start the program with `home` as its home folder, so that no user's settings count."""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._unread = b""
        self._frames = 0
        self._ended = False
        self._bytes = 0
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=home,
            env=environment(home),
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        """Return the running terminal."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the program, whatever state it is in."""
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def cpu(self) -> float:
        """Return the milliseconds of CPU the program has used, all its threads included."""
        cpu_clock = (~self._process.pid << 3) | 2  # what clock_getcpuclockid(3) returns on Linux
        return time.clock_gettime(cpu_clock) * 1000

    def press(self, keys: str) -> None:
        """Type into the terminal."""
        os.write(self._ours, keys.encode())

    def wait_for(self, text: str, seconds: float = 30) -> float:
        """Wait for a finished frame that shows the text; returns the CPU used until then."""
        deadline = time.monotonic() + seconds
        while not self._ended and (left := deadline - time.monotonic()) > 0:
            frames = self._frames
            self._read(left)
            if self._frames > frames and text in self.text():
                return self.cpu()
        raise NotPainted(f"{text!r} did not appear. The screen holds:\n{self.text()}")

    def settle(self, quiet: float = 1, seconds: float = 15) -> None:
        """Read until the program has written nothing for `quiet` seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self._read(quiet):
            pass

    def rest(self, seconds: float = 300) -> None:
        """Read until the program uses less than a tenth of the time."""
        deadline = time.monotonic() + seconds
        used = 1_000.0
        while used > 100 and time.monotonic() < deadline:
            before = self.cpu()
            self.bytes_in(1)
            used = self.cpu() - before

    def key(self, key: str) -> float:
        """Press a key; returns the CPU used until what came of it is painted and none follows."""
        return self.held(key, 1)

    def held(self, key: str, times: int) -> float:
        """Press a key often, each time when the last one is painted; returns the CPU of one."""
        before = self.cpu()
        for _ in range(times):
            frames, deadline = self._frames, time.monotonic() + 1
            self.press(key)
            while self._frames == frames and (left := deadline - time.monotonic()) > 0:
                self._read(left)
        self.settle(quiet=0.25)
        return (self.cpu() - before) / times

    def memory(self) -> float:
        """Return the megabytes that the program holds in memory."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        held = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(held.split()[1]) / 1024

    def leave(self, key: str) -> None:
        """Press a key that ends the program, and wait until it has ended."""
        self.press(key)
        self.settle(quiet=60, seconds=60)

    def bytes_in(self, seconds: float) -> int:
        """Return how many bytes the program writes in this time."""
        before = self._bytes
        deadline = time.monotonic() + seconds
        while not self._ended and (left := deadline - time.monotonic()) > 0:
            self._read(left)
        return self._bytes - before

    def text(self) -> str:
        """Return what the screen shows, without blank lines."""
        return "\n".join(line.rstrip() for line in self._screen.display if line.strip())

    def _read(self, seconds: float) -> bool:
        """Wait for output, draw and answer it; False when none came in time."""
        ready, _, _ = select.select([self._ours], [], [], seconds)
        try:
            chunk = os.read(self._ours, 65536) if ready else b""
        except OSError:  # what Linux says when the other side is closed
            self._ended = True
            return False
        self._bytes += len(chunk)
        whole, self._unread = _cut(self._unread + chunk)
        self._frames += whole.count(FRAME_END)
        if ASKS_SYNC in whole:
            os.write(self._ours, HAS_SYNC)
        self._stream.feed(whole.replace(ASKS_SYNC, b""))
        return bool(chunk)


def _cut(output: bytes) -> tuple[bytes, bytes]:
    """Split off the beginning of a marker at the end, whose rest has not arrived yet."""
    for length in range(len(FRAME_END) - 1, 0, -1):
        if output.endswith((ASKS_SYNC[:length], FRAME_END[:length])):
            return output[:-length], output[-length:]
    return output, b""


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which only this checkout and a new home folder count."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }


def cpu_of(command: Sequence[str | Path], home: Path) -> float:
    """Run a program to its end; returns the milliseconds of CPU it used."""
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.DEVNULL,
        cwd=home,
        env=environment(home),
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return (usage.ru_utime + usage.ru_stime) * 1000


def interleaved(
    ours: Callable[[], float], theirs: Callable[[], float], rounds: int
) -> tuple[float, float]:
    """Measure two things in turns, A B A B, and return both medians; a first turn warms up."""
    pairs = [(ours(), theirs()) for _ in range(rounds + 1)][1:]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def new_home() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for databases and as a home, gone after the `with`."""
    return tempfile.TemporaryDirectory(prefix="zeroth-bench-")
