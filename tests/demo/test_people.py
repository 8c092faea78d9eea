"""What a person does to a run is obeyed by its simulated worker, and never overwritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.demo.stagehands import (
    NOON,
    FakeTime,
    opened,
    play_story,
    runs,
)
from zeroth_store.sqlite.database import AsyncSQLiteDatabase
from zeroth_store.sqlite.runs import RunRepository
from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import Edge, Graph, Node, Scenario, Story
from zeroth_tui.demo.stories import desk, orders

Fresh = Callable[[str], Path]

PLAIN = Story(
    "Three nodes of ten seconds",
    "plain",
    (
        Scenario(
            Graph("plain", "Plain", 1),
            {"question": "?"},
            (
                Node("one", 10.0, {"a": 1}, edges=(Edge("e1", "two"),)),
                Node("two", 10.0, {"b": 2}, edges=(Edge("e2", "three"),)),
                Node("three", 10.0, {"c": 3}),
            ),
        ),
    ),
)
"""By 20 s the first node has ended (10 s, at most 1.3 times that, and queueing), by 27 s not all
three have (three times 8 s at least)."""


class Person:
    """Somebody with the explorer open: another connection to the same file."""

    def __init__(self, path: Path, graph: str) -> None:
        self._path = path
        self._graph = graph

    async def set(self, status: RunStatus) -> None:
        """Move the graph's newest run to a status, as the explorer does."""
        async with AsyncSQLiteDatabase(self._path) as database:
            repository = RunRepository(database)
            await repository.initialize()
            run = (await repository.list_runs(self._graph))[0]
            await repository.transition(run.run_id, status, expected_status=run.status)


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
