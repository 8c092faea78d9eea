"""What a person does to a run is obeyed by its simulated worker, and never overwritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.demo.people import PLAIN, Person
from tests.demo.stagehands import (
    NOON,
    FakeTime,
    opened,
    play_story,
    rows,
    runs,
)
from zeroth_store.status import RunStatus
from zeroth_tui.demo.stories import desk, orders, pipelines

Fresh = Callable[[str], Path]


async def test_a_cancel_in_mid_run_is_obeyed_and_never_overwritten(fresh: Fresh) -> None:
    path, time = fresh("cancel"), FakeTime()
    person = Person(path, "plain")
    async with opened(path) as store:
        time.after(20.0, lambda: person.set(RunStatus.FAILED))
        await play_story(store, PLAIN, time)
    (run,) = runs(path)
    assert run["status"] == "FAILED"
    assert run["final_output"] is None
    assert [entry["node_id"] for entry in run["execution_history"]] == ["one"]


async def test_a_cancelled_run_that_is_replayed_goes_on_where_it_was(fresh: Fresh) -> None:
    path, time = fresh("replay"), FakeTime()
    person = Person(path, "plain")
    async with opened(path) as store:
        time.after(20.0, lambda: person.set(RunStatus.FAILED))
        time.after(90.0, lambda: person.set(RunStatus.PENDING))
        await play_story(store, PLAIN, time)
    (run,) = runs(path)
    assert run["status"] == "COMPLETED"
    assert [entry["node_id"] for entry in run["execution_history"]] == ["one", "two", "three"]
    assert run["execution_history"][1]["started_at"] > f"{NOON + timedelta(seconds=90):%FT%T}"
    assert run["final_output"] == {"question": "?", "a": 1, "b": 2, "c": 3}


async def test_a_pause_lasts_until_it_is_ended(fresh: Fresh) -> None:
    path, time = fresh("pause"), FakeTime()
    person = Person(path, "plain")
    during: list[object] = []

    async def look() -> None:
        during.extend(run["status"] for run in runs(path))

    async with opened(path) as store:
        time.after(20.0, lambda: person.set(RunStatus.WAITING_INTERRUPT))
        time.after(200.0, look)
        time.after(201.0, lambda: person.set(RunStatus.RUNNING))
        await play_story(store, PLAIN, time)
    (run,) = runs(path)
    assert during == ["WAITING_INTERRUPT"]
    assert run["status"] == "COMPLETED"


@pytest.mark.parametrize(
    ("decision", "end"),
    [
        (RunStatus.RUNNING, "COMPLETED"),
        (RunStatus.PENDING, "COMPLETED"),
        (RunStatus.FAILED, "FAILED"),
    ],
)
async def test_a_person_decides_what_nobody_has_decided(
    decision: RunStatus, end: str, fresh: Fresh
) -> None:
    path, time = fresh("approval"), FakeTime()
    person = Person(path, "refund-desk")
    async with opened(path) as store:
        time.after(30.0, lambda: person.set(decision))
        await play_story(store, desk.UNDECIDED, time, seconds=60.0)
    (run,) = runs(path)
    assert run["status"] == end
    assert ("pay-out" in run["completed_steps"]) == (end == "COMPLETED")


@pytest.mark.parametrize(
    ("decision", "reason", "logged"),
    [
        (RunStatus.RUNNING, "", ("resolved", "approve")),
        (RunStatus.FAILED, "approval_rejected", ("resolved", "reject")),
        # As with Zeroth: what is cancelled is not decided.
        (RunStatus.FAILED, "operator_cancelled", ("pending", None)),
    ],
)
async def test_what_a_person_decides_is_logged(
    decision: RunStatus, reason: str, logged: tuple[str, str | None], fresh: Fresh
) -> None:
    path, time = fresh("approval"), FakeTime()
    person = Person(path, "refund-desk")
    async with opened(path) as store:
        time.after(30.0, lambda: person.set(decision, reason))
        await play_story(store, desk.UNDECIDED, time, seconds=60.0)
    sql = "SELECT status, json_extract(record_json, '$.resolution.decision') AS it FROM approvals"
    assert [(row["status"], row["it"]) for row in rows(path, sql)] == [logged]


async def test_a_run_that_lost_its_worker_waits_until_a_person_sends_it_back(fresh: Fresh) -> None:
    path, time = fresh("stuck"), FakeTime()
    person = Person(path, "embedding-refresh")
    during: list[tuple[object, bool]] = []

    async def look() -> None:
        (run,) = runs(path)
        expired = run["lease_expires_at"] < f"{NOON + timedelta(seconds=180):%FT%T}"
        during.append((run["status"], expired))

    async with opened(path) as store:
        time.after(180.0, look)
        time.after(181.0, lambda: person.set(RunStatus.FAILED))
        time.after(190.0, lambda: person.set(RunStatus.PENDING))
        await play_story(store, pipelines.STUCK, time)
    (run,) = runs(path)
    assert during == [("RUNNING", True)]
    assert run["status"] == "COMPLETED"
    done = [(entry["node_id"], entry["attempt"]) for entry in run["execution_history"]]
    # A worker that dies leaves no entry of what it tried.
    assert done == [("list", 1), ("embed", 1), ("swap", 1)]


async def test_a_dead_letter_that_a_person_replays_is_taken_up_and_loads(fresh: Fresh) -> None:
    path, time = fresh("dead"), FakeTime()
    person = Person(path, "warehouse-sync")
    story = next(one for one in pipelines.STORIES if one.name == "A dead letter")
    async with opened(path) as store:
        time.after(60.0, lambda: person.set(RunStatus.PENDING))
        await play_story(store, story, time)
    (run,) = runs(path)
    assert run["status"] == "COMPLETED"
    assert run["failure_state"] is None
    assert [e["node_id"] for e in run["execution_history"]] == ["extract", "transform", "load"]


async def test_cancelling_a_waiting_child_fails_its_parent(fresh: Fresh) -> None:
    path, time = fresh("child"), FakeTime()
    person = Person(path, "credit-check")
    async with opened(path) as store:
        time.after(30.0, lambda: person.set(RunStatus.FAILED))
        await play_story(store, orders.CHILD_UNDECIDED, time)
    parent, child = runs(path)
    assert child["status"] == "FAILED"
    assert parent["status"] == "FAILED"
    assert parent["failure_state"]["reason"] == "subgraph_execution_failed"


async def test_a_child_that_a_person_approves_lets_its_parent_go_on(fresh: Fresh) -> None:
    path, time = fresh("child"), FakeTime()
    person = Person(path, "credit-check")
    async with opened(path) as store:
        time.after(30.0, lambda: person.set(RunStatus.RUNNING))
        await play_story(store, orders.CHILD_UNDECIDED, time)
    parent, child, label = runs(path)
    assert [run["status"] for run in (parent, child, label)] == ["COMPLETED"] * 3
    assert "pending_subgraph" not in parent["metadata"]


async def test_a_deleted_run_is_dropped(fresh: Fresh) -> None:
    path, time = fresh("deleted"), FakeTime()
    async with opened(path) as store:

        async def delete() -> None:
            await store.runs.delete(runs(path)[0]["run_id"])

        time.after(20.0, delete)
        await play_story(store, PLAIN, time)
    assert runs(path) == []
