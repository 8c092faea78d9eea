"""Whatever demo a run is from and however long it was let be: a person sends it on, it goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.demo.people import PLAIN, Person
from tests.demo.stagehands import FakeTime, Row, live_on, opened, play_story, rows, runs
from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import Story
from zeroth_tui.demo.stories import desk, orders, pipelines

Fresh = Callable[[str], Path]
Deed = tuple[float, RunStatus]

TEN_MINUTES = 600.0
PAUSED = RunStatus.WAITING_INTERRUPT


async def later(path: Path, story: Story, deeds: list[Deed], *, ends: float = 60.0) -> list[Row]:
    """Play the first minute of a story, then let the workers of another demo attend to its run.

    In the other demo a person acts on the graph's newest run, so many seconds after it began.
    """
    async with opened(path) as store:
        await play_story(store, story, FakeTime(), seconds=ends)
    graph = runs(path)[-1]["deployment_ref"]
    time, person = FakeTime(), Person(path, graph)
    time.now += timedelta(hours=1)
    async with opened(path) as store:
        for seconds, status in deeds:
            time.after(3600.0 + seconds, partial(person.set, status))
        await live_on(store, [story], time, seconds=120.0)
    return runs(path)


def nodes(run: Row) -> list[str]:
    return [entry["node_id"] for entry in run["execution_history"]]


@pytest.mark.parametrize("speed", [1.0, 10.0])
async def test_a_pause_may_last_longer_than_ten_minutes(speed: float, fresh: Fresh) -> None:
    path, time = fresh("pause"), FakeTime()
    person = Person(path, "plain")
    async with opened(path) as store:
        time.after(20.0 / speed, lambda: person.set(PAUSED))
        time.after(20.0 + TEN_MINUTES * 1.2, lambda: person.set(RunStatus.RUNNING))
        await play_story(store, PLAIN, time, speed=speed)
    (run,) = runs(path)
    assert (run["status"], nodes(run)) == ("COMPLETED", ["one", "two", "three"])


async def test_a_stuck_run_that_is_replayed_late_goes_on(fresh: Fresh) -> None:
    path, time = fresh("stuck"), FakeTime()
    person = Person(path, "embedding-refresh")
    async with opened(path) as store:
        time.after(180.0, lambda: person.set(RunStatus.FAILED))
        time.after(180.0 + TEN_MINUTES * 1.2, lambda: person.set(RunStatus.PENDING))
        await play_story(store, pipelines.STUCK, time, seconds=1000.0)
    (run,) = runs(path)
    assert (run["status"], nodes(run)) == ("COMPLETED", ["list", "embed", "swap"])


async def test_a_dead_letter_of_a_former_demo_that_is_replayed_loads(fresh: Fresh) -> None:
    story = next(one for one in pipelines.STORIES if one.name == "A dead letter")
    (run,) = await later(fresh("dead"), story, [(10.0, RunStatus.PENDING)])
    assert (run["status"], nodes(run)) == ("COMPLETED", ["extract", "transform", "load"])
    given = run["execution_history"][2]["input_snapshot"]
    assert (given["table"], given["rows"], given["dropped"]) == ("events", 48_210, 12)


async def test_a_replay_may_name_the_node_to_go_on_with(fresh: Fresh) -> None:
    path, time = fresh("named"), FakeTime()
    person = Person(path, "plain")
    async with opened(path) as store:
        time.after(20.0, lambda: person.set(RunStatus.FAILED))
        time.after(60.0, lambda: person.set(RunStatus.PENDING, pending=("three",)))
        await play_story(store, PLAIN, time)
    (run,) = runs(path)
    assert (run["status"], nodes(run)) == ("COMPLETED", ["one", "three"])


async def test_a_failure_of_a_former_demo_fails_again(fresh: Fresh) -> None:
    story = next(one for one in pipelines.STORIES if "failure's message" in one.name)
    (run,) = await later(fresh("fails"), story, [(10.0, RunStatus.PENDING)])
    assert (run["status"], nodes(run)) == ("FAILED", ["load", "clauses", "clauses"])


async def test_a_run_that_a_former_demo_left_running_is_let_be_until_a_person_acts(
    fresh: Fresh,
) -> None:
    (run,) = await later(fresh("lost"), PLAIN, [], ends=15.0)
    assert run["status"] == "RUNNING"
    (run,) = await later(fresh("paused"), PLAIN, [(5.0, PAUSED), (9.0, RunStatus.RUNNING)], ends=15)
    assert (run["status"], nodes(run)) == ("COMPLETED", ["one", "two", "three"])


async def test_an_approval_that_a_former_demo_asked_for_is_decided_and_logged(fresh: Fresh) -> None:
    path = fresh("approval")
    (run,) = await later(path, desk.UNDECIDED, [(10.0, RunStatus.RUNNING)])
    assert (run["status"], nodes(run)) == ("COMPLETED", ["assess", "approval", "pay-out"])
    sql = "SELECT status, json_extract(record_json, '$.resolution.decision') AS it FROM approvals"
    assert [tuple(row.values()) for row in rows(path, sql)] == [("resolved", "approve")]


async def test_a_child_of_a_former_demo_that_is_approved_lets_its_parent_go_on(
    fresh: Fresh,
) -> None:
    path = fresh("child")
    stored = await later(path, orders.CHILD_UNDECIDED, [(10.0, RunStatus.RUNNING)])
    assert [run["status"] for run in stored] == ["COMPLETED"] * 3
    parent = stored[0]
    assert nodes(parent) == ["intake", "credit", "label", "ship"]
    assert parent["final_output"]["credit"] == 540


async def test_a_child_that_is_replayed_after_its_parent_failed_is_taken_up(fresh: Fresh) -> None:
    story = next(one for one in orders.STORIES if "fails its parent" in one.name)
    parent, child = await later(fresh("orphan"), story, [(10.0, RunStatus.PENDING)])
    assert parent["status"] == "FAILED"
    assert (child["status"], len(nodes(child))) == ("FAILED", 2)


@pytest.mark.parametrize("step", [0, 2])
async def test_a_fork_is_played_from_its_step_on(step: int, fresh: Fresh) -> None:
    path, time = fresh("fork"), FakeTime()
    person = Person(path, "plain")
    async with opened(path) as store:
        time.after(60.0, lambda: person.fork(step))
        await play_story(store, PLAIN, time)
    first, fork = sorted(runs(path), key=lambda run: "forked_from" in run["metadata"])
    assert (fork["status"], nodes(fork)) == ("COMPLETED", ["one", "two", "three"])
    assert (
        fork["final_output"] == first["final_output"] == {"question": "?", "a": 1, "b": 2, "c": 3}
    )
    kept, anew = first["execution_history"], fork["execution_history"]
    assert [old == new for old, new in zip(kept, anew, strict=True)] == [
        number < step for number in range(3)
    ]


@pytest.mark.parametrize(
    "change",
    [
        """pending_node_ids = '["elsewhere"]'""",
        "pending_node_ids = '{'",
        """pending_node_ids = '["two"]', metadata = '{"node_payloads": "odd", "path": 1}'""",
    ],
    ids=["no such node", "unreadable", "edited by hand"],
)
async def test_a_demo_survives_what_nobody_can_play(change: str, fresh: Fresh) -> None:
    path, time = fresh("odd"), FakeTime()
    async with opened(path) as store:
        await play_story(store, PLAIN, time, seconds=15.0)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(
                f"UPDATE runs SET status = 'PENDING', current_node_ids = '[]', {change}"
            )
        await live_on(store, [PLAIN], time, seconds=60.0)
    assert rows(path, "SELECT count(*) AS n FROM runs") == [{"n": 1}]
