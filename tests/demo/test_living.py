"""Living runs: each story reaches its end by legal steps, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo.stagehands import (
    NOON,
    FakeTime,
    opened,
    play_story,
    rows,
    runs,
    watch_statuses,
)
from zeroth_store.models import Run
from zeroth_tui.demo.player import play, seed_history
from zeroth_tui.demo.scenario import Child, Story
from zeroth_tui.demo.stories import REPERTOIRE, desk, orders, pipelines, support

Fresh = Callable[[str], Path]

LEGAL = {
    ("PENDING", "RUNNING"),
    ("PENDING", "FAILED"),
    ("RUNNING", "WAITING_APPROVAL"),
    ("RUNNING", "WAITING_INTERRUPT"),
    ("RUNNING", "COMPLETED"),
    ("RUNNING", "FAILED"),
    ("WAITING_APPROVAL", "PENDING"),
    ("WAITING_APPROVAL", "RUNNING"),
    ("WAITING_APPROVAL", "COMPLETED"),
    ("WAITING_APPROVAL", "FAILED"),
    ("WAITING_INTERRUPT", "RUNNING"),
    ("WAITING_INTERRUPT", "COMPLETED"),
    ("WAITING_INTERRUPT", "FAILED"),
    ("FAILED", "PENDING"),
}
"""The arrows of ZEROTH.md, section 4."""

EARLIER = Run(run_id="earlier", checkpoint_id="c", graph_version_ref="g@1", started_at=NOON)
"""A run that makes a database look used, so that no past is written."""


@pytest.mark.parametrize(
    "story",
    [*REPERTOIRE, desk.UNDECIDED, orders.CHILD_UNDECIDED, support.JUST_ASKED, pipelines.STUCK],
    ids=lambda story: story.name,
)
async def test_a_story_reaches_its_end_by_legal_steps(story: Story, fresh: Fresh) -> None:
    path = fresh("story")
    async with opened(path) as store:
        watch_statuses(path)
        await play_story(store, story, FakeTime(), seconds=120.0)
    stored = runs(path)
    submitted = [run for run in stored if "parent_run_id" not in run["metadata"]]
    assert [(r["status"], (r["failure_state"] or {}).get("reason")) for r in submitted] == [
        (turn.ends, turn.reason) for turn in story.turns
    ]
    children = [run for run in stored if "parent_run_id" in run["metadata"]]
    ends = [
        step.scenario.ends for turn in story.turns for step in turn.steps if isinstance(step, Child)
    ]
    # A turn may end before its child would begin; a story with children shows some.
    assert [run["status"] for run in children] == ends[: len(children)]
    assert bool(children) == bool(ends)
    seen = {(row["old"], row["new"]) for row in rows(path, "SELECT * FROM seen")}
    assert seen
    assert seen <= LEGAL


async def test_the_past_too_has_only_legal_steps(fresh: Fresh) -> None:
    path = fresh("past")
    async with opened(path) as store:
        watch_statuses(path)
        await seed_history(store, NOON)
    seen = {(row["old"], row["new"]) for row in rows(path, "SELECT * FROM seen")}
    assert seen
    assert seen <= LEGAL


async def test_a_long_run_keeps_running(fresh: Fresh) -> None:
    path = fresh("long")
    async with opened(path) as store:
        await play_story(store, pipelines.CRAWL, FakeTime(), seconds=60.0)
    (run,) = runs(path)
    assert run["status"] == "RUNNING"
    # A page takes 4 s, from 0.8 to 1.3 times that, and a little between two pages.
    assert 60 / (4 * 1.3 + 0.2) - 2 <= len(run["execution_history"]) <= 60 / (4 * 0.8)


async def test_living_on_is_deterministic_too(fresh: Fresh) -> None:
    paths = (fresh("a"), fresh("b"))
    for path in paths:
        async with opened(path, seed=3) as store:
            await store.runs.create(EARLIER)
            time = FakeTime()
            await play(store, clock=time.clock, sleep=time.sleep, rounds=4)
    first, second = (
        {
            table: rows(path, f"SELECT rowid, * FROM {table} ORDER BY rowid")
            for table in ("runs", "threads", "run_checkpoints")
        }
        for path in paths
    )
    assert first == second
    begun = [run for run in first["runs"] if run["started_at"] > NOON.isoformat()]
    assert {run["status"] for run in begun} <= {"COMPLETED", "FAILED"}
    assert len(begun) >= 4


async def test_speed_shortens_what_a_run_takes(fresh: Fresh) -> None:
    lasted = []
    for speed in (1.0, 4.0):
        path, time = fresh(f"{speed}"), FakeTime()
        async with opened(path) as store:
            await store.runs.create(EARLIER)
            await play(store, speed=speed, clock=time.clock, sleep=time.sleep, rounds=2)
        lasted.append((time.now - NOON).total_seconds())
    assert lasted[1] < lasted[0] / 2


async def test_a_second_demo_adds_to_the_first_and_takes_up_its_queue(fresh: Fresh) -> None:
    path = fresh("twice")
    async with opened(path) as store:
        await seed_history(store, NOON)
    before = {run["run_id"]: run for run in runs(path)}
    async with opened(path) as store:
        time = FakeTime()
        await play(store, clock=time.clock, sleep=time.sleep, rounds=1)
    after = {run["run_id"]: run for run in runs(path)}
    queued = {identity for identity, run in before.items() if run["status"] == "PENDING"}
    assert queued
    assert all(after[identity]["status"] != "PENDING" for identity in queued)
    assert {i: after[i] for i in before if i not in queued} == {
        i: run for i, run in before.items() if i not in queued
    }
    assert len(after) > len(before)
