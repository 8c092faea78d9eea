"""Every way out of the explorer, several times: what does not end in time or leaves something."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.pty import databases
from tests.pty.leaving import LATE, SECONDS, wrong
from tests.pty.ways import WAYS, Way
from tests.reliability.figure import Figure

TIMES = 4


def trial() -> Iterator[Figure]:
    """Take every way out, on a copy of its database in a folder of its own each time."""
    with tempfile.TemporaryDirectory(prefix="zeroth-exits-") as name:
        made = {kind: make(Path(name) / kind) for kind, make in databases.MAKERS.items()}
        bad = 0
        for number, way in enumerate(WAYS * TIMES):
            found = _taken(way, Path(name) / str(number), made)
            if found and all(sentence.startswith(LATE) for sentence in found):
                # A busy machine delays one, what is slow is so again.
                found = _taken(way, Path(name) / f"{number}-again", made)
            for sentence in found:
                print(f"{way.name}: {sentence}", file=sys.stderr)
            bad += bool(found)
    yield Figure(
        trial=f"{len(WAYS)} ways out of the explorer and the demo, in a real terminal",
        tried=len(WAYS) * TIMES,
        counted=f"each gone in {SECONDS:.0f} s, terminal, files and exit code looked at",
        wrong=bad,
        promise="left something behind or stayed",
    )


def _taken(way: Way, folder: Path, made: dict[str, Path]) -> list[str]:
    """Take a way out in a new folder; returns what was wrong."""
    folder.mkdir()
    database = None
    if way.database:
        database = folder / "db" / "runs.db"
        database.parent.mkdir()
        shutil.copy(made[way.database], database)
    found = wrong(way, folder, database, SECONDS)
    shutil.rmtree(folder)
    return found
