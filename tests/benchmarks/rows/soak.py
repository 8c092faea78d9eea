"""What an attached explorer costs a writer, and itself, while commits keep coming."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.harness import Terminal
from tests.benchmarks.report import Row
from tests.benchmarks.setting import ZEROTH_TUI, Setting

ROUNDS: Final = 6
SECONDS: Final = 10.0
"""How long the writer works at full speed in each round."""
AUTOCHECKPOINT: Final = 1_000 * 4_096
"""Bytes of the log after which SQLite moves it into the database, if nobody reads the old pages."""


def rows(setting: Setting) -> Iterator[Row]:
    """Let a writer commit by turns to a database with an explorer on it and to one without.

    What the explorer takes of the processors slows both; its share is told beside the ratio.
    """
    path, other = setting.home / "soak.db", setting.home / "alone.db"
    for copy in (path, other):
        shutil.copy(setting.database, copy)
    watched: list[dict[str, float]] = []
    alone: list[dict[str, float]] = []
    used: list[float] = []
    number = 0
    for _ in range(ROUNDS):
        with Terminal([ZEROTH_TUI, path], setting.home) as terminal:
            terminal.wait_for("Timeline")
            terminal.settle()
            before = terminal.cpu()
            ours, theirs = _write(terminal, number, path, other)
            used.append((terminal.cpu() - before) / SECONDS / 10)
        watched.append(ours)
        alone.append(theirs)
        number = int(ours["next"])
    ratios = sorted(
        ours["median"] / theirs["median"] for ours, theirs in zip(watched, alone, strict=True)
    )
    yield Row(
        target="writer's median commit with the explorer attached vs without",
        bound=1.05,
        unit="x",
        measured=median(ratios),
        detail=f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {ROUNDS} rounds, {2 * number:,} commits;"
        f" the explorer took {median(used):.0f} % of a processor",
    )
    yield Row(
        target="largest log while watched vs where SQLite moves it",
        bound=2,
        unit="x",
        measured=max(one["log"] for one in watched) / AUTOCHECKPOINT,
        detail=f"{max(one['log'] for one in alone) / AUTOCHECKPOINT:.2f} x alone",
    )
    yield Row(
        target="commits that found the database locked by the explorer",
        bound=0,
        unit="",
        measured=sum(one["busy"] for one in watched),
    )
    yield _memory(path, number, setting)


def _memory(path: Path, number: int, setting: Setting) -> Row:
    """Let the writer work for all rounds while one explorer watches."""
    held: list[float] = []
    with Terminal([ZEROTH_TUI, path], setting.home) as terminal:
        terminal.wait_for("Timeline")
        terminal.settle()
        for _ in range(ROUNDS):
            number = int(_write(terminal, number, path)[0]["next"])
            held.append(terminal.memory())
    return Row(
        target=f"memory of one explorer after {ROUNDS} rounds of writing vs after the first",
        bound=1.15,
        unit="x",
        measured=held[-1] / held[0],
        detail=f"{held[-1]:.0f} MB, {held[0]:.0f} MB",
    )


def _write(terminal: Terminal, first: int, *paths: Path) -> list[dict[str, float]]:
    """Let the writer work; what the explorer draws meanwhile is read as a terminal would."""
    command = [sys.executable, "-m", "tests.benchmarks.timed_writer", str(SECONDS), str(first)]
    process = subprocess.Popen([*command, *map(str, paths)], stdout=subprocess.PIPE, text=True)
    while process.poll() is None:
        terminal.bytes_in(0.2)
    said, _ = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    found: list[dict[str, float]] = json.loads(said)
    return found
