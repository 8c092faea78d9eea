"""Text that acts on terminals, in every column of real and own databases, shown everywhere."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.pty import databases
from tests.pty.escapes import foreign
from tests.pty.poison import FAMILIES, poison
from tests.pty.terminal import Terminal
from tests.pty.tour import SHORT, STEPS, tour
from tests.reliability.figure import Figure

REAL = Path(__file__).parents[3] / "shared" / "data" / "zeroth" / "rev026-main.db"
"""A database of a real platform, where it is at hand."""


def trial() -> Iterator[Figure]:
    """Take the tour once for each family of hostile text, and a short one of a real database."""
    rows = places = shown = leaks = 0
    with tempfile.TemporaryDirectory(prefix="zeroth-hostile-") as name:
        folder = Path(name)
        sources = [databases.small(folder / "own"), *([REAL] if REAL.exists() else [])]
        for number, (family, text) in enumerate(FAMILIES.items()):
            for source in sources:
                here = folder / f"{number}-{source.stem}"
                here.mkdir()
                database = Path(shutil.copy(source, here / "runs.db"))
                rows += poison(database, text)
                with Terminal(database, home=here, size=(160, 45)) as terminal:
                    terminal.wait_for("runs.db")
                    terminal.rest(1)
                    steps = SHORT if source is REAL else STEPS
                    seen = [hostile for _, hostile in tour(terminal, quiet=0.08, steps=steps)]
                    terminal.press("q")
                    ended = terminal.left().code
                found = foreign(terminal.output)
                if found or ended:
                    said = f"{family} in {source.name}: {ended} {found[:3]}\n{terminal.text}"
                    print(said, file=sys.stderr)
                places += len(seen)
                shown += sum(seen)
                leaks += len(found) + (ended != 0)
    yield Figure(
        trial=f"{len(FAMILIES)} families of hostile text in {rows:,} rows, on every screen",
        tried=shown,
        counted=f"places with such text on the screen, of {places:,} looked at",
        wrong=leaks,
        promise="bytes that act on the terminal, or crashes",
    )
