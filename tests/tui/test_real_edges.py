"""The odd runs of rev026-edges.db in the real app, each beside what its row holds."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.conftest import shared
from tests.tui.harness import WIDE, exploring


@pytest.fixture(name="edges")
def fixture_edges(tmp_path: Path) -> Path:
    return Path(shutil.copy(shared("data", "zeroth", "rev026-edges.db"), tmp_path / "edges.db"))


VALUES = [
    # Without a step the state opens at what the run itself holds.
    ("out-1", "final_output", "0", "Run output", "  0"),
    ("out-3", "final_output", '""', "Run output", '""'),
    ("out-4", "final_output", "[]", "Run output", "[]"),
    ("out-7", "final_output", "3.5", "Run output", "3.5"),
    ("bigint", "metadata", '{"i":1180591620717411303424}', "Metadata", f"i {2**70}"),
    ("surrogate", "metadata", '{"s":"\\ud800"}', "Metadata", r's "\ud800"'),
    ("nan", "final_output", '{"v":NaN}', "Run output", "v NaN"),
]


@pytest.mark.thorough
async def test_values_are_exact(edges: Path) -> None:
    with closing(sqlite3.connect(edges)) as connection:
        for run, column, stored, _, _ in VALUES:
            sql = f"SELECT {column} FROM runs WHERE run_id = ?"
            assert connection.execute(sql, (run,)).fetchone() == (stored,)
    async with exploring(edges, size=WIDE) as explorer:
        for run, _, _, part, shown in VALUES:
            await explorer.open_run(run, "3")
            if run == "nan":  # it has a step, so its own output is three parts on
                await explorer.press("right", "right", "right")
            assert f"[{part}]" in explorer.text
            assert shown in explorer.text
            await explorer.press("escape", "escape")


async def test_a_value_of_two_megabytes_says_its_size(edges: Path) -> None:
    async with exploring(edges, size=WIDE) as explorer:
        await explorer.open_run("big", "3")
        with closing(sqlite3.connect(edges)) as connection:
            size = connection.execute("SELECT length(metadata) FROM runs WHERE run_id = 'big'")
            assert size.fetchone() == (2_000_011,)
        assert 'blob 1.9 MB "yyy' in explorer.text  # 2,000,000 bytes in units of 1,024


async def test_six_hundred_steps_end_at_the_last_one_and_begin_at_the_first(edges: Path) -> None:
    async with exploring(edges, size=WIDE) as explorer:
        await explorer.open_run("hist600", "1", "home")
        # i % 7 is the node, i // 7 the visit: step 0 is n0's first, step 599 n4's 86th.
        assert "n0  " in explorer.text
        assert "n1  " in explorer.text
        await explorer.press("end", "up", "up")
        assert "n4 #86" in explorer.text
