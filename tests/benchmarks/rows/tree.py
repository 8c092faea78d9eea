"""What it costs to lay out an unfolded thread of many runs: it grows with them, and no faster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Final

from tests.benchmarks.harness import interleaved
from tests.benchmarks.report import Row, ratio
from tests.benchmarks.setting import Setting
from tests.views.build import NOW, summary
from zeroth_store.browse import ThreadKey, ThreadSummary
from zeroth_store.times import NO_MOMENT
from zeroth_tui.views.run_tree import Forest
from zeroth_tui.views.tree_rows import TreeRows

FEW: Final = 400
TIMES: Final = 10
"""How many times as many runs the long thread has."""

_THREAD: Final = ThreadKey("default", "null", "long")


def rows(setting: Setting) -> Iterator[Row]:
    """Lay out a thread and one ten times as long, of runs whose names begin alike."""
    figures = interleaved(_layout(FEW * TIMES), _layout(FEW), setting.rounds)
    yield ratio(f"a thread of {FEW * TIMES:,} runs vs one of {FEW}", 1.5 * TIMES, figures)


def _layout(runs: int) -> Callable[[], float]:
    """Return what measures the CPU milliseconds of laying out a thread of so many runs."""
    thread = ThreadSummary(
        key=_THREAD,
        status=None,
        graph=None,
        deployment=None,
        created=NO_MOMENT,
        updated=NO_MOMENT,
        run_count=runs,
    )
    forest = Forest(
        threads=MappingProxyType({0: thread}),
        total=1,
        places=MappingProxyType({_THREAD: 0}),
        runs={_THREAD: tuple(summary(run_id=f"nightly-report-{n:05}") for n in range(runs))},
        open=frozenset({_THREAD}),
    )

    def measure() -> float:
        began = time.thread_time()
        TreeRows(forest, NOW)
        return (time.thread_time() - began) * 1000

    return measure
