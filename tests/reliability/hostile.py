"""Text that acts on terminals, in every column of real and own databases, shown everywhere."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.pty import databases
from tests.pty.escapes import foreign
from tests.pty.poison import FAMILIES, poison
from tests.pty.terminal import Terminal
from tests.pty.tour import SHORT, STEPS, tour
from tests.reliability.figure import Figure

REAL = Path(__file__).parents[3] / "shared" / "data" / "zeroth" / "rev026-main.db"
"""A database of a real platform, where it is at hand."""


class _Walk(NamedTuple):
    """One tour of one database with one family of text."""

    family: str
    source: Path
    folder: Path


class _Seen(NamedTuple):
    """What a walk has counted."""

    rows: int
    places: int
    shown: int
    leaks: int


def trial() -> Iterator[Figure]:
    """Take the tour once for each family of hostile text, and a short one of a real database.

    As many at once as there are processors: what takes the time is drawing what was written, which
    is the terminal's part.
    """
    with tempfile.TemporaryDirectory(prefix="zeroth-hostile-") as name:
        own = databases.small(Path(name) / "own")
        walks = [
            _Walk(family, source, Path(name) / f"{number}-{source.stem}")
            for number, family in enumerate(FAMILIES)
            for source in (own, *([REAL] if REAL.exists() else []))
        ]
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            seen = list(pool.map(_walk, walks))
    yield Figure(
        trial=f"{len(FAMILIES)} families of hostile text in {sum(one.rows for one in seen):,} rows,"
        " on every screen",
        tried=sum(one.shown for one in seen),
        counted="places with such text on the screen,"
        f" of {sum(one.places for one in seen):,} looked at",
        wrong=sum(one.leaks for one in seen),
        promise="bytes that act on the terminal, or crashes",
    )


def _walk(walk: _Walk) -> _Seen:
    walk.folder.mkdir()
    database = Path(shutil.copy(walk.source, walk.folder / "runs.db"))
    rows = poison(database, FAMILIES[walk.family])
    with Terminal(database, home=walk.folder, size=(160, 45)) as terminal:
        terminal.wait_for("runs.db")
        terminal.rest(1)
        steps = SHORT if walk.source == REAL else STEPS
        seen = [hostile for _, hostile in tour(terminal, quiet=0.08, steps=steps)]
        terminal.press("q")
        ended = terminal.left().code
    found = foreign(terminal.output)
    if found or ended:
        said = f"{walk.family} in {walk.source.name}: {ended} {found[:3]}\n{terminal.text}"
        print(said, file=sys.stderr)
    return _Seen(rows, len(seen), sum(seen), len(found) + (ended != 0))
