"""How long a person waits for the first answer and for the first screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.benchmarks.harness import Terminal, cpu_of, interleaved
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import MINIMAL_APP, MINIMAL_TEXT, PYTHON, ZEROTH_TUI, Setting


def rows(setting: Setting) -> Iterator[Row]:
    """Compare `--help` with a bare Python, and the first paint with a minimal app."""
    yield ratio(
        "zeroth-tui --help vs python -c pass",
        3,
        interleaved(
            partial(cpu_of, [ZEROTH_TUI, "--help"], setting.home),
            partial(cpu_of, [PYTHON, "-c", "pass"], setting.home),
            setting.rounds,
        ),
    )
    yield ratio(
        "first paint, small file vs minimal app",
        1.3,
        interleaved(
            partial(first_paint, [ZEROTH_TUI, setting.database], setting.marker, setting.home),
            partial(first_paint, [PYTHON, MINIMAL_APP], MINIMAL_TEXT, setting.home),
            setting.rounds,
        ),
    )


def first_paint(command: Sequence[str | Path], text: str, home: Path) -> float:
    """Return the CPU milliseconds from start to the first frame that shows the text."""
    with Terminal(command, home) as terminal:
        return terminal.wait_for(text)
