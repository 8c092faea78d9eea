"""Stopping the demo at any point leaves nothing open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo.stagehands import (
    FakeTime,
    can_be_written,
    opened,
    rows,
)
from zeroth_tui.demo.player import play
from zeroth_tui.demo.programme import Programme, run_demo

Fresh = Callable[[str], Path]


@pytest.mark.parametrize("steps", [1, 40, 333, 1_000])
async def test_stopping_at_any_point_leaves_no_transaction(steps: int, fresh: Fresh) -> None:
    path = fresh("stopped")
    async with opened(path) as store:
        time = FakeTime()
        task = asyncio.create_task(play(store, clock=time.clock, sleep=time.sleep))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=5.0)
        assert done == {task}
        assert task.cancelled()
        assert can_be_written(path)
        assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_the_headless_demo_ends_when_its_time_is_over(tmp_path: Path) -> None:
    path = tmp_path / "headless.db"
    await asyncio.wait_for(run_demo(path, Programme(seconds=0.01)), timeout=30.0)
    assert rows(path, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert can_be_written(path)


async def test_a_demo_in_the_background_is_cancelled_at_once(fresh: Fresh) -> None:
    path = fresh("background")
    task = asyncio.create_task(run_demo(path, Programme()))
    while not rows(path, "SELECT 1 FROM runs WHERE status = 'PENDING'"):
        await asyncio.sleep(0)
        assert not task.done()
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5.0)
    assert done == {task}
    assert can_be_written(path)
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_the_demo_does_not_import_the_screen() -> None:
    code = "import sys, zeroth_tui.demo.player; print({'textual', 'rich'} & set(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "set()"
