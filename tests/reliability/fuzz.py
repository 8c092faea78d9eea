"""Spoiled databases are read in every way: nothing crashes, hangs or changes one byte of them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tests.reliability.figure import Figure
from tests.reliability.mutations import base_databases, mutate
from tests.store.guests import listing

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / ".." / "shared" / "data" / "zeroth").glob("*.db"))
"""Databases that Zeroth itself wrote, where they are at hand."""

EXPLORED = 15
"""One file in so many is walked through in the explorer itself."""
PATIENCE = 900.0
"""Seconds after which a process that reads fifty files is given up; its own watchdog is sooner."""


class Damage(NamedTuple):
    """What went wrong while reading spoiled files; all of it empty is right."""

    files: int
    refused: int
    """Files that were not readable in whole, and said so."""
    crashed: list[str]
    hung: list[str]
    changed: list[str]


def trial(files: int = 300) -> Iterable[Figure]:
    """Read spoiled copies of databases made here, and of Zeroth's own where they are at hand."""
    with tempfile.TemporaryDirectory() as name:
        found = fuzz(Path(name), files)
    for path in (*found.crashed, *found.hung, *found.changed):
        print(path, file=sys.stderr)
    counted = f"{found.refused:,} of them not readable in whole"
    for wrong, promise in (
        (found.crashed, "tracebacks"),
        (found.hung, "answers after more than 5 s, twice"),
        (found.changed, "files or folders changed"),
    ):
        yield Figure(
            trial="read spoiled databases",
            tried=found.files,
            counted=counted,
            wrong=len(wrong),
            promise=promise,
        )


def fuzz(
    folder: Path,
    files: int,
    *,
    first: int = 0,
    explored: int = EXPLORED,
    samples: Sequence[Path] = SAMPLES,
) -> Damage:
    """Spoil and read some databases made here, or of the samples.

    `first` chooses which of the endless many. One of `explored` files is walked through in the
    explorer, too.
    """
    (folder / "base").mkdir()
    bases = [*base_databases(folder / "base"), *samples]
    found = Damage(0, 0, [], [], [])
    read = refused = 0
    for start in range(first, first + files, 50):
        numbers = range(start, min(start + 50, first + files))
        paths = [
            mutate(bases[number % len(bases)], folder / str(number), number) for number in numbers
        ]
        before = [_digests(path.parent) for path in paths]
        ended, in_part = _read(paths, found, explored)
        read, refused = read + ended, refused + in_part
        found.changed.extend(
            str(path)
            for path, seen in zip(paths, before, strict=True)
            if _digests(path.parent) != seen
        )
    return found._replace(files=read, refused=refused)


def _digests(folder: Path) -> dict[str, str]:
    """Digest every file; what is in `-shm` is bookkeeping of those who have the file open."""
    return {
        name: "" if name.endswith("-shm") else sha256(data).hexdigest()
        for name, data in listing(folder).items()
    }


def _read(paths: list[Path], found: Damage, explored: int) -> tuple[int, int]:
    """Read files in a process, and in another one what is left when one of them ends it.

    One that takes too long is tried again: a busy machine delays it once, what hangs does always.
    Returns how many were read to an end, and how many of these only in part.
    """
    lines = {
        path: f"{'*' * ((number + 1) % explored == 0)}{path}" for number, path in enumerate(paths)
    }
    left = list(paths)
    late: Path | None = None
    read = refused = 0
    while left:
        done = subprocess.run(
            [sys.executable, "-m", "tests.reliability.fuzz_reader"],
            input="\n".join(lines[path] for path in left),
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            timeout=PATIENCE,
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        read += len(said)
        refused += sum(end == "in part" for _, end in said)
        found.crashed.extend(
            f"{path}\n{end}" for path, end in said if end not in ("whole", "in part")
        )
        left = left[len(said) :]
        if left and "Timeout (" not in done.stderr:
            found.crashed.append(f"{left.pop(0)}\n{done.stderr[-3000:]}")
        elif left and left[0] == late:
            found.hung.append(f"{left.pop(0)}\n{done.stderr[-3000:]}")
        elif left:
            late = left[0]
    return read, refused
