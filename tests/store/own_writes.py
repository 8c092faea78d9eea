"""Every way to write to an own database, each ready to be done as often as one likes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.store.acting import KEY, planned
from tests.store.support import START, Clock, Ids, OpenStore, PlainSQL, a_run
from zeroth_store import (
    AsyncSQLiteDatabase,
    Run,
    RunConditionResult,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    Thread,
    ThreadRepository,
)
from zeroth_store.sqlite.acting.own_actor import OwnActor

Write = Callable[[], Awaitable[object]]
ENTRY: Final = RunHistoryEntry(node_id="n", status="completed")


@asynccontextmanager
async def prepared(path: Path) -> AsyncIterator[dict[str, Write]]:
    """Open a database with three runs of thread `th`; gives all writes by name."""
    async with AsyncSQLiteDatabase(path, busy_timeout=0.05) as database:
        clock, ids = Clock(), Ids("c")
        runs = RunRepository(database, clock=clock, ids=ids)
        threads = ThreadRepository(database, clock=clock, ids=ids)
        await runs.initialize()
        await threads.initialize()
        store = OpenStore(runs, threads, PlainSQL(database.location), database, clock)
        for run_id, status in (("r1", RunStatus.RUNNING), ("r2", RunStatus.FAILED)):
            await runs.create(_run(run_id, status=status))
        await runs.create(_run("r3"))
        await runs.hold_lease("r3", "w-1")
        writes = {**_repository_writes(store), **await _acts(store)}
        yield {name: _counting_anew(ids, write) for name, write in writes.items()}


def _run(run_id: str, **values: Any) -> Run:
    return a_run(run_id, thread_id="th", **values)


def _counting_anew(ids: Ids, write: Write) -> Write:
    """Return the write with ids that are the same each time."""
    first = ids.given

    async def again() -> object:
        ids.given = first
        return await write()

    return again


def _repository_writes(store: OpenStore) -> dict[str, Write]:
    runs, threads = store.runs, store.threads
    thread = Thread(
        thread_id="new",
        created_at=START,
        updated_at=START,
        graph_version_ref="g",
        deployment_ref="g",
    )
    decided = RunConditionResult(condition_id="e", matched=True)
    changed = {"status": RunStatus.RUNNING, "metadata": {"changed": 1}}
    return {
        "create": lambda: runs.create(_run("new")),
        "put": lambda: runs.put(_run("r1", **changed)),
        "put_if_status": lambda: runs.put_if_status(_run("r1", **changed), RunStatus.RUNNING),
        "update": lambda: runs.update(_run("r1", **changed)),
        "transition": lambda: runs.transition("r1", RunStatus.COMPLETED, final_output=1),
        "record_history": lambda: runs.record_history("r1", ENTRY),
        "record_condition_result": lambda: runs.record_condition_result("r1", decided),
        "increment_failure_count": lambda: runs.increment_failure_count("r1", max_failure_count=1),
        "write_checkpoint": lambda: runs.write_checkpoint(_run("r1")),
        "snapshot": lambda: runs.snapshot("r1", expected_status=RunStatus.RUNNING),
        "delete": lambda: runs.delete("r1"),
        "hold_lease": lambda: runs.hold_lease("r1", "w-2"),
        "release_lease": lambda: runs.release_lease("r3", "w-1"),
        "thread create": lambda: threads.create(thread),
        "resolve": lambda: threads.resolve(
            "th", run_id="r1", graph_version_ref="g", deployment_ref="g"
        ),
        "attach_run": lambda: threads.attach_run("th", "r1"),
    }


async def _acts(store: OpenStore) -> dict[str, Write]:
    """Return each act of an actor, planned as the runs are now."""
    actor = OwnActor(store.database, store.runs, clock=store.clock, ids=Ids("n"))
    failed = KEY._replace(run_id="r2")
    saved = store.cell("runs", "checkpoint_id", run_id="r2")
    move = await planned(actor, "move", store.clock.now, to=RunStatus.FAILED, reason="bad")
    checkpoint = await planned(actor, "checkpoint", store.clock.now)
    restore = await actor.plan_restore(failed, saved)
    fork = await actor.plan_fork(failed, checkpoint_id=saved)
    return {
        "act: move": lambda: actor.write(move),
        "act: checkpoint": lambda: actor.write(checkpoint),
        "act: restore": lambda: actor.write(restore),
        "act: fork": lambda: actor.write(fork),
    }
