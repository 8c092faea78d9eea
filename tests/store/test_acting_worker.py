"""Whatever a person does to a run beside its worker, and whenever, the run is not lost."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reliability.races import beside_workers
from tests.shares import share
from tests.store.worker_world import EVENTS, live

pytestmark = pytest.mark.thorough


@share(2)
@given(st.lists(st.sampled_from(EVENTS), min_size=10, max_size=40))
def test_no_order_of_events_loses_a_run(events: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder, "guest.db"), events))


@pytest.mark.parametrize("acts", [("cancel", "replay"), ("pause", "resume")])
@pytest.mark.parametrize("before", range(10))
async def test_no_moment_between_a_workers_steps_loses_a_run(
    tmp_path: Path, before: int, acts: tuple[str, str]
) -> None:
    """Two claims and a hop are nine steps: each moment of them, each with every delay of one."""
    for between in range(8):
        events = [*["work"] * before, acts[0], *["work"] * between, acts[1], "other"]
        await live(tmp_path / f"guest-{between}.db", events, heeding=False)


async def test_a_worker_that_is_left_alone_completes_a_run(tmp_path: Path) -> None:
    await live(tmp_path / "guest.db", ["work"] * 35)


def test_no_run_is_lost_between_real_processes(tmp_path: Path) -> None:
    figure = beside_workers(tmp_path / "guest.db", 8)
    assert figure.kept, figure.words
