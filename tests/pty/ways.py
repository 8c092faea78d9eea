"""Every way out of the explorer: how it is begun, taken, and what its exit code must be."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Literal

from tests.pty.terminal import Terminal

READY: Final = "worker  started"
"""On the screen when the small database and its newest run, which waits for a worker, are open."""

CTRL_C, CTRL_Q = "\x03", "\x11"
MISTAKEN = ("-m", "tests.pty.mistakes")
IGNORING_HANG_UPS = ("-m", "tests.pty.unhurried")


@dataclass(frozen=True)
class Way:
    """One way out."""

    name: str
    code: int
    """The exit code that it must have."""
    take: Callable[[Terminal], None]
    """Does what leads out, once `ready` is on the screen."""
    ready: str = READY
    database: Literal["small", "rollback", "many", ""] = "small"
    """Which database is open; the demo has its own."""
    words: tuple[str, ...] = ()
    """Further words of the command, before the database."""
    program: tuple[str, ...] = ("-m", "zeroth_tui")
    restores: bool = True
    """Whether there is a terminal left to restore."""


def keys(*steps: str) -> Callable[[Terminal], None]:
    """Press keys; a word that ends in a colon is waited for instead, and nothing for rest."""

    def take(terminal: Terminal) -> None:
        for step in steps:
            if not step:
                terminal.rest()
            elif len(step) > 1 and step.endswith(":"):
                terminal.wait_for(step[:-1])
            else:
                terminal.press(step)

    return take


def after(step: Callable[[Terminal], None], number: signal.Signals) -> Callable[[Terminal], None]:
    """Do something, then send a signal."""

    def take(terminal: Terminal) -> None:
        step(terminal)
        terminal.process.send_signal(number)

    return take


def stalled(terminal: Terminal) -> None:
    """Ask for more output than a terminal that is not read can take, then for an end."""
    terminal.stall("jk" * 400)
    terminal.process.send_signal(signal.SIGTERM)


def locked(terminal: Terminal) -> None:
    """Leave while a read waits for a writer, who holds the database until all is over."""
    writer = terminal.meanwhile.enter_context(
        closing(sqlite3.connect(terminal.path, isolation_level=None))
    )
    writer.execute("BEGIN EXCLUSIVE")
    terminal.press("rq")


nothing = keys()
searching = keys("/", "filter::", "in:output zzz", "scanned:")
indexing = keys("indexing:")
acting = keys("x", "What to do:", "")

WAYS: Final = (
    Way("q", 0, keys("q")),
    Way("ctrl+q", 0, keys(CTRL_Q)),
    Way("ctrl+c", 130, keys(CTRL_C)),
    Way("ctrl+c in the filter", 130, keys("/", "filter::", CTRL_C)),
    Way("SIGINT", 130, after(nothing, signal.SIGINT)),
    Way("SIGTERM", 143, after(nothing, signal.SIGTERM)),
    Way("SIGHUP", 129, after(nothing, signal.SIGHUP)),
    Way("closed terminal", 129, Terminal.hang_up, restores=False),
    Way(
        "closed terminal, hang-ups ignored",
        129,
        Terminal.hang_up,
        program=IGNORING_HANG_UPS,
        restores=False,
    ),
    Way("SIGTERM, terminal takes nothing", 143, stalled, restores=False),
    Way("ctrl+q in the act dialog", 0, keys("x", "What to do:", "", CTRL_Q)),
    Way("SIGTERM in the act dialog", 143, after(acting, signal.SIGTERM)),
    Way("ctrl+q in the palette", 0, keys("\x10", "Search:", CTRL_Q)),
    Way("q while the database is locked", 0, locked, database="rollback"),
    Way("mistake in a key", 1, keys("r"), words=("key",), program=MISTAKEN),
    *(
        Way(f"mistake: {place}", 1, nothing, "stopped because", words=(place,), program=MISTAKEN)
        for place in ("draw", "start", "read")
    ),
    Way("demo: q", 0, keys("q"), "Timeline", "", ("demo",)),
    Way("demo: SIGTERM", 143, after(nothing, signal.SIGTERM), "Timeline", "", ("demo",)),
    Way("demo: closed terminal", 129, Terminal.hang_up, "Timeline", "", ("demo",), restores=False),
    Way(
        "demo without a screen: SIGTERM",
        143,
        after(nothing, signal.SIGTERM),
        "writing runs",
        "",
        ("demo", "--headless"),
    ),
    Way(
        "demo without a screen: ctrl+c",
        130,
        keys(CTRL_C),
        "writing runs",
        "",
        ("demo", "--headless"),
    ),
    Way("q while indexing", 0, keys("indexing:", "q"), "120,000", "many"),
    Way("SIGTERM while indexing", 143, after(indexing, signal.SIGTERM), "120,000", "many"),
    Way(
        "ctrl+q while searching",
        0,
        keys("/", "filter::", "in:output zzz", "scanned:", CTRL_Q),
        "120,000",
        "many",
    ),
    Way("SIGTERM while searching", 143, after(searching, signal.SIGTERM), "120,000", "many"),
)
