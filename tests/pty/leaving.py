"""Takes one way out in a real terminal, and says everything that is not as it must be."""

from __future__ import annotations

import os
import termios
from pathlib import Path

from tests.pty import databases
from tests.pty.escapes import foreign, keyboards_left, modes_left
from tests.pty.mistakes import LOCAL_SECRET, QUOTED_SECRET, TYPED_SECRET
from tests.pty.terminal import Left, NotShown, Terminal
from tests.pty.ways import Way

SECONDS = 2.0
"""How long leaving may take."""

TRACES = (b"Traceback", b"Event loop", b"Exception ignored", b"never awaited", b"leaked")
"""What Python says of something that was not closed, or was stopped in the middle."""

LATE = "took"
"""How the sentence begins that says it took longer."""


def wrong(way: Way, folder: Path, database: Path | None, seconds: float) -> list[str]:
    """Take a way out, in this folder, of an explorer on this database; returns what was wrong."""
    home, temporary = folder / "home", folder / "tmp"
    home.mkdir(exist_ok=True)
    temporary.mkdir(exist_ok=True)
    words: tuple[str | Path, ...] = (*way.words, *(() if database is None else (database,)))
    kept = databases.listing(database.parent) if database is not None else {}
    with Terminal(
        *words, home=home, environment={"TMPDIR": str(temporary)}, program=way.program
    ) as terminal:
        try:
            if way.code == 1 and way.ready == "stopped because":
                terminal.wait_for_bytes(way.ready.encode())
            else:
                terminal.wait_for(way.ready)
            way.take(terminal)
            left = terminal.left()
        except NotShown as stays:
            return [str(stays)]
        found = [*_process(way, left, terminal, seconds), *_terminal(way, terminal)]
    if database is not None and (now := databases.listing(database.parent)) != kept:
        found.append(f"the database's folder holds {now}, before it was {kept}")
    if remains := databases.listing(temporary):
        found.append(f"temporary files remain: {remains}")
    return found


def _process(way: Way, left: Left, terminal: Terminal, seconds: float) -> list[str]:
    found = []
    if left.code != way.code:
        found.append(f"exit code {left.code} instead of {way.code}")
    if left.seconds > seconds:
        found.append(f"{LATE} {left.seconds:.1f} s")
    if others := _session(terminal.process.pid):
        found.append(f"processes remain: {others}")
    return found


def _terminal(way: Way, terminal: Terminal) -> list[str]:
    found = [f"acts on the terminal: {text}" for text in foreign(terminal.output)]
    secrets = (LOCAL_SECRET, QUOTED_SECRET, TYPED_SECRET)
    found += [f"shows {secret}" for secret in secrets if secret.encode() in terminal.output]
    if way.code != 1:
        found += [f"says {words.decode()}" for words in TRACES if words in terminal.output]
    reported = terminal.output.find(b"stopped because")
    if (way.code == 1) != (reported >= 0):
        found.append("a crash report, or none")
    if reported >= 0 and b"?1049l" in terminal.output[reported:]:
        found.append("the report is on the screen that is left")
    if not way.restores:
        return found
    if modes := modes_left(terminal.output):
        found.append(f"modes remain: {modes}")
    if keyboards_left(terminal.output):
        found.append("the keyboard's mode remains")
    if termios.tcgetattr(terminal.theirs) != terminal.modes:
        found.append("the line discipline is another one")
    return found


def _session(leader: int) -> list[int]:
    """Return the processes that still belong to a session whose leader has ended."""
    processes = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    found = []
    for number in processes:
        try:
            session = os.getsid(number)
        except OSError:  # it has ended meanwhile
            continue
        if session == leader and number != leader:
            found.append(number)
    return found
