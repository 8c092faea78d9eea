"""A task cancelled at any await of a write leaves no transaction open and no half-written run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from typing import Any

import pytest

from tests.store.support import OpenStore, a_run
from zeroth_store import RunHistoryEntry, RunStatus

ENTRY = RunHistoryEntry(node_id="n", status="completed")

WRITES: dict[str, Callable[[OpenStore], Coroutine[Any, Any, object]]] = {
    "create": lambda store: store.runs.create(a_run("new", thread_id="th")),
    "transition": lambda store: store.runs.transition("r1", RunStatus.RUNNING),
    "record_history": lambda store: store.runs.record_history("r1", ENTRY),
    "snapshot": lambda store: store.runs.snapshot("r1", expected_status=RunStatus.PENDING),
    "delete": lambda store: store.runs.delete("r1"),
    "resolve": lambda store: store.threads.resolve(
        "th", graph_version_ref="g", deployment_ref="g", run_id="r1"
    ),
}


class CancelledAt(Awaitable[object]):
    """Awaits the work and cancels its task at the given waits: the first one is 1."""

    def __init__(self, work: Coroutine[Any, Any, object], *waits: int) -> None:
        self._work = work
        self._cancel_at = waits
        self.waits = 0

    def __await__(self) -> Generator[Any, Any, object]:
        steps = self._work.__await__()
        step: Callable[[], object] = partial(next, steps)
        while True:
            try:
                waited_for = step()
            except StopIteration as done:
                return done.value
            self.waits += 1
            task = asyncio.current_task()
            if self.waits in self._cancel_at and task is not None:
                asyncio.get_running_loop().call_soon(task.cancel)
            try:
                yield waited_for
            except BaseException as error:
                step = partial(steps.throw, error)
            else:
                step = partial(next, steps)


async def finish(work: Awaitable[object]) -> object:
    return await work


@pytest.mark.parametrize("name", WRITES)
async def test_a_write_cancelled_at_any_await_is_whole_or_not_at_all(
    file_store: OpenStore, name: str
) -> None:
    store = file_store
    await store.runs.create(a_run("r1", thread_id="th"))
    before = store.dump()
    rehearsal = CancelledAt(WRITES[name](store))
    await finish(rehearsal)
    done = comparable(store)
    assert rehearsal.waits > 5, "the write is expected to wait for several statements"

    outcomes = set()
    for wait in range(1, rehearsal.waits + 1):
        for again in (0, 1):
            restore(store, before)
            work = CancelledAt(WRITES[name](store), wait, wait + again)
            with pytest.raises(asyncio.CancelledError):
                await asyncio.create_task(finish(work))
            store.query("BEGIN IMMEDIATE")  # refused while a transaction is still open
            after = comparable(store)
            assert after in (comparable_rows(before), done), (wait, again)
            outcomes.add(after == done)
    assert outcomes == {True, False}


def restore(store: OpenStore, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    """Put the three tables back as they were."""
    for table, stored in rows.items():
        store.query(f"DELETE FROM {table}")
        for row in stored:
            store.query(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def comparable(store: OpenStore) -> str:
    return comparable_rows(store.dump())


def comparable_rows(rows: dict[str, list[tuple[Any, ...]]]) -> str:
    """All rows as text, with the counted ids of checkpoints made alike."""
    text = json.dumps(rows)
    for number in range(2, 200):
        text = text.replace(f'"c{number}"', '"c"').replace(f'\\"c{number}\\"', '\\"c\\"')
    return text


async def test_waiting_for_the_repositorys_own_lock_can_be_cancelled(store: OpenStore) -> None:
    async with store.database.transaction():
        waiting = asyncio.create_task(store.runs.create(a_run()))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert (await store.runs.create(a_run())).run_id == "r1"


async def test_writes_of_many_tasks_take_turns(store: OpenStore) -> None:
    await asyncio.gather(*(store.runs.create(a_run(f"r{n}", thread_id="th")) for n in range(20)))
    assert await store.threads.list_run_ids("th") == [f"r{n}" for n in range(20)]
