"""What a key costs in a list of a million runs, and what such a list takes of the memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from statistics import median
from subprocess import CalledProcessError

from tests.benchmarks import harlequin
from tests.benchmarks.harness import ROWS, Terminal
from tests.benchmarks.million import MILLION, database
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import PYTHON, ZEROTH_TUI, Setting

DATA_TABLE = Path(__file__).parents[1] / "data_table.py"
FEW_RUNS = 1_000
DOWN, PAGE_DOWN = "\x1b[B", "\x1b[6~"
HELD = 10
"""Keys pressed one upon the other, to measure one of a row of them."""


def rows(setting: Setting) -> Iterator[Row]:
    """Press the same keys by turns in a million runs and in what they are compared with."""
    with _runs(database(MILLION), setting.home) as ours:
        with _runs(database(FEW_RUNS), setting.home) as few:
            yield from _at_any_length(ours, few, setting.rounds)
        with Terminal([PYTHON, DATA_TABLE], setting.home) as table:
            table.wait_for("COMPLETED", seconds=120)
            yield _held("scrolling vs a DataTable of 10,000 rows", 0.2, ours, table, setting.rounds)
        yield _beside_harlequin(ours, setting)


def _at_any_length(ours: Terminal, few: Terminal, rounds: int) -> Iterator[Row]:
    costs = [(ours.key(key), few.key(key)) for key in [*[DOWN] * 4, PAGE_DOWN] * rounds]
    slow = _p95([cost for cost, _ in costs]), _p95([cost for _, cost in costs])
    yield ratio("key p95 at a million runs vs a thousand", 1.25, slow)
    sizes = ours.memory(), few.memory()
    yield Row(
        target="memory at a million runs vs a thousand",
        bound=1.1,
        unit="x",
        measured=sizes[0] / sizes[1],
        detail=f"{sizes[0]:.0f} MB, {sizes[1]:.0f} MB",
    )


def _beside_harlequin(ours: Terminal, setting: Setting) -> Row:
    target, bound = "cursor down vs harlequin", 0.33
    million = database(MILLION)
    try:
        program = harlequin.installed()
    except CalledProcessError:
        reason = "harlequin could not be installed; it needs the network once"
        return Row(target=target, bound=bound, unit="x", measured=None, detail=reason)
    with Terminal([program, "--adapter", "sqlite", million], setting.home) as other:
        harlequin.show_runs(other)
        return _held(target, bound, ours, other, setting.rounds)


def _held(target: str, bound: float, ours: Terminal, other: Terminal, rounds: int) -> Row:
    """Compare what a row further down costs, both lists being longer than the screen."""
    for terminal in (ours, other):
        terminal.held(DOWN, ROWS)
    costs = [(ours.held(DOWN, HELD), other.held(DOWN, HELD)) for _ in range(rounds)]
    return ratio(
        target, bound, (median(cost for cost, _ in costs), median(cost for _, cost in costs))
    )


@contextmanager
def _runs(path: Path, home: Path) -> Iterator[Terminal]:
    """Open the explorer on the first runs of a flat list, its index kept beside the databases."""
    index, kept = home / ".cache" / "zeroth-tui" / "index", path.parent / "index"
    if not index.is_symlink():
        index.parent.mkdir(parents=True)
        kept.mkdir(exist_ok=True)
        index.symlink_to(kept)
    with Terminal([ZEROTH_TUI, path], home) as terminal:
        terminal.wait_for("Timeline", seconds=60)
        terminal.rest()
        terminal.press("t")
        terminal.wait_for("newest first")
        terminal.press("g")
        terminal.rest()
        yield terminal
        # Only an index that was closed is used again.
        terminal.leave("q")


def _p95(costs: list[float]) -> float:
    return sorted(costs)[ceil(len(costs) * 0.95) - 1]
