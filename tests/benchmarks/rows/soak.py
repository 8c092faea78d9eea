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

ROUNDS: Final = 9
SECONDS: Final = 5.0
"""How long the writer works at full speed in each round, without and with somebody watching."""
AUTOCHECKPOINT: Final = 1_000 * 4_096
"""Bytes of the log after which SQLite moves it into the database, if nobody reads the old pages."""


def rows(setting: Setting) -> Iterator[Row]:
    """Let a writer work with and without an explorer on its database, by turns."""
    path = setting.home / "soak.db"
    shutil.copy(setting.database, path)
    alone: list[dict[str, float]] = []
    watched: list[dict[str, float]] = []
    number = 0
    for _ in range(ROUNDS):
        alone.append(_write(path, number, None))
        with Terminal([ZEROTH_TUI, path], setting.home) as terminal:
            terminal.wait_for("Timeline")
            terminal.settle()
            watched.append(_write(path, int(alone[-1]["next"]), terminal))
        number = int(watched[-1]["next"])
    pairs = [(one["median"], other["median"]) for one, other in zip(watched, alone, strict=True)]
    ratios = sorted(ours / other for ours, other in pairs)
    yield Row(
        target="writer's median commit with the explorer attached vs without",
        bound=1.05,
        unit="x",
        measured=median(ratios),  # each beside its neighbour: a machine is not as fast all day
        detail=f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {ROUNDS} rounds, {number:,} changes",
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
            number = int(_write(path, number, terminal)["next"])
            held.append(terminal.memory())
    return Row(
        target=f"memory of one explorer after {ROUNDS} rounds of writing vs after the first",
        bound=1.15,
        unit="x",
        measured=held[-1] / held[0],
        detail=f"{held[-1]:.0f} MB, {held[0]:.0f} MB",
    )


def _write(path: Path, first: int, terminal: Terminal | None) -> dict[str, float]:
    """Let the writer work; what the explorer draws meanwhile is read as a terminal would."""
    command = [sys.executable, "-m", "tests.benchmarks.timed_writer"]
    process = subprocess.Popen(
        [*command, str(path), str(SECONDS), str(first)], stdout=subprocess.PIPE, text=True
    )
    while terminal is not None and process.poll() is None:
        terminal.bytes_in(0.2)
    said, _ = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    found: dict[str, float] = json.loads(said)
    return found
