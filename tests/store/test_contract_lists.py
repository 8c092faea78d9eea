"""The contract of listing and counting runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.support import OpenStore, a_run, at
from zeroth_store import RunFailureState, RunStatus

RUNS: tuple[tuple[str, float, dict[str, Any]], ...] = (
    ("late", 30, {"status": RunStatus.PENDING}),
    ("b-tied", 20, {"status": RunStatus.RUNNING}),
    ("a-tied", 20, {"status": RunStatus.PENDING}),
    ("fraction", 0.5, {"status": RunStatus.PENDING}),
    ("early", 0, {"status": RunStatus.COMPLETED}),
    ("elsewhere", 40, {"status": RunStatus.PENDING, "deployment_ref": "other"}),
)


@pytest.fixture
async def filled(store: OpenStore) -> OpenStore:
    """A store with six runs of two deployments, created in another order than they started."""
    for run_id, seconds, values in sorted(RUNS):
        await store.runs.create(a_run(run_id, started_at=at(seconds), **values))
    return store


async def test_runs_are_listed_newest_started_first(filled: OpenStore) -> None:
    runs = await filled.runs.list_runs("g")
    assert [run.run_id for run in runs] == ["late", "a-tied", "b-tied", "fraction", "early"]
    assert runs[0] == await filled.runs.get("late")


async def test_runs_of_one_status(filled: OpenStore) -> None:
    for status in (RunStatus.PENDING, "PENDING"):
        runs = await filled.runs.list_runs("g", status=status)
        assert [run.run_id for run in runs] == ["late", "a-tied", "fraction"]
    assert await filled.runs.list_runs("g", status="SLEEPING") == []


async def test_pages_join_to_the_whole_without_gap_or_repeat(filled: OpenStore) -> None:
    pages = [await filled.runs.list_runs("g", limit=2, offset=offset) for offset in (0, 2, 4, 6)]
    assert [[run.run_id for run in page] for page in pages] == [
        ["late", "a-tied"],
        ["b-tied", "fraction"],
        ["early"],
        [],
    ]


async def test_ids_and_statuses_of_several_deployments(filled: OpenStore) -> None:
    await filled.runs.create(a_run("theirs", status=RunStatus.PENDING, tenant_id="b"))
    both = (RunStatus.PENDING, RunStatus.RUNNING)
    assert await filled.runs.list_statuses(["g", "other"], both) == [
        ("fraction", RunStatus.PENDING),
        ("a-tied", RunStatus.PENDING),
        ("b-tied", RunStatus.RUNNING),
        ("late", RunStatus.PENDING),
        ("elsewhere", RunStatus.PENDING),
    ]
    assert await filled.runs.list_statuses(["other"], both[1:]) == []
    assert await filled.runs.list_statuses(["g"], both, tenant_id="b") == [
        ("theirs", RunStatus.PENDING)
    ]


async def test_pending_runs_are_counted_by_deployment(filled: OpenStore) -> None:
    assert await filled.runs.count_pending("g") == 3
    assert await filled.runs.count_pending("other") == 1
    assert await filled.runs.count_pending("nowhere") == 0


async def test_dead_letters_are_listed_last_changed_first(filled: OpenStore) -> None:
    dead = RunFailureState(reason="dead_letter")
    for seconds, name in ((50, "early"), (60, "late"), (70, "elsewhere")):
        filled.clock.now = at(seconds)
        filled.query("UPDATE runs SET status = 'RUNNING' WHERE run_id = ?", (name,))
        await filled.runs.transition(name, RunStatus.FAILED, failure_state=dead)
    listed = await filled.runs.list_dead_letter_runs("g")
    assert [run.run_id for run in listed] == ["late", "early"]


async def test_a_replayed_dead_letter_is_none_any_more(filled: OpenStore) -> None:
    await filled.runs.transition(
        "late", RunStatus.FAILED, failure_state=RunFailureState(reason="dead_letter")
    )
    await filled.runs.transition("late", RunStatus.PENDING)
    assert await filled.runs.list_dead_letter_runs("g") == []
