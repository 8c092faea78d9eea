"""Real processes that write to one own database; a program of its own, since it forks.

`python -m tests.store.forks initialize|race|write|start|upgrade|finish PATH TIMES` prints what the
processes acknowledged, one a line.
"""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

# Imported before forking, so that each process pays for them only once.
import alembic.command  # noqa: F401
import sqlalchemy.dialects.sqlite  # noqa: F401

from tests.store.processes import Say, all_at_once, killed
from tests.store.support import PlainSQL
from zeroth_store import (
    AsyncSQLiteDatabase,
    Run,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    StatusConflict,
    StoreError,
    schema,
)

OUTCOMES = (RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.WAITING_APPROVAL)
"""Where the processes of a race want the runs to go, in turn."""

PATIENCE = 60.0


class Stage(NamedTuple):
    """How a run of `write` is stored after one of its commits."""

    write: str
    status: str
    entries: int
    put: bool
    checkpoints: int


LIFE = (
    Stage("create", "PENDING", 0, False, 1),
    Stage("transition", "RUNNING", 0, False, 1),
    Stage("history", "RUNNING", 1, False, 1),
    Stage("put", "RUNNING", 1, True, 1),
    Stage("checkpoint", "RUNNING", 1, True, 2),
    Stage("transition", "COMPLETED", 1, True, 2),
)
"""What `write` does with each run, in this order."""


async def initialize(path: str, number: int, say: Say) -> None:
    """Initialize a database and create one run."""
    async with AsyncSQLiteDatabase(path, busy_timeout=PATIENCE) as database:
        repository = RunRepository(database)
        try:
            await repository.initialize()
            await repository.create(Run(run_id=f"r{number}", graph_id="g"))
        except StoreError as error:
            say(f"refused {number} {error}")
        else:
            say(f"r{number}")


async def race(path: str, number: int, say: Say) -> None:
    """Try to move each run out of RUNNING; say who won, or what the loser is told."""
    runs = [run for (run,) in PlainSQL(path)("SELECT run_id FROM runs ORDER BY rowid")]
    async with AsyncSQLiteDatabase(path, busy_timeout=PATIENCE) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for run in runs:
            try:
                await repository.transition(
                    run,
                    OUTCOMES[number % 3],
                    expected_status=RunStatus.RUNNING,
                    error=f"by {number}",
                )
            except StatusConflict as error:
                say(f"{run} {number} {error.actual}")
            else:
                say(f"{run} {number} won")


async def write(path: str, cycle: int, say: Say) -> None:
    """Take runs through their life for ever; say each commit when it has returned."""
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for number in count():
            run = Run(run_id=f"r{cycle}-{number}", graph_id="g", thread_id=f"t{cycle // 10}")
            stages = count(1)
            async for _ in _life(repository, run):
                say(f"{run.run_id} {next(stages)}")


async def _life(runs: RunRepository, run: Run) -> AsyncIterator[None]:
    """Write LIFE, one commit at a time."""
    await runs.create(run)
    yield
    await runs.transition(run.run_id, RunStatus.RUNNING)
    yield
    entry = RunHistoryEntry(node_id="n", status="completed")
    stored = await runs.record_history(run.run_id, entry)
    yield
    await runs.put(stored.model_copy(update={"metadata": {"put": run.run_id}}))
    yield
    await runs.snapshot(run.run_id, expected_status=RunStatus.RUNNING)
    yield
    await runs.transition(run.run_id, RunStatus.COMPLETED, final_output={"run": run.run_id})
    yield


async def start(folder: str, cycle: int, say: Say) -> None:
    """Initialize one file after another, also those begun before; say each that has a run."""
    say("begun")
    for number in count(cycle // 2):
        path = Path(folder, f"{number}.db")
        async with AsyncSQLiteDatabase(path) as database:
            repository = RunRepository(database)
            await repository.initialize()
            run_id = f"r{cycle}"
            await repository.create(Run(run_id=run_id, graph_id="g"))
            say(f"done {number} {run_id}")


async def upgrade(folder: str, cycle: int, say: Say) -> None:
    """Upgrade a copy of the database `old`; say when it begins and when it is done, and wait."""
    path = _copied(Path(folder), f"{cycle}.db")
    say(f"begun {cycle}")
    schema.upgrade(str(path), path.name)
    say(f"done {cycle}")
    signal.pause()


def _copied(folder: Path, name: str) -> Path:
    """Copy the database `old`; what is cut off by a kill does not get the name."""
    unfinished = folder / f"{name}.copy"
    shutil.copy(folder / "old", unfinished)
    return unfinished.rename(folder / name)


def finish(folder: str) -> None:
    """Upgrade what `upgrade` left; print what cannot be."""
    for path in sorted(Path(folder).glob("*.db")):
        try:
            schema.upgrade(str(path), path.name, patience=0.1)
        except StoreError as error:
            print(error)


if __name__ == "__main__":
    _, command, location, times = sys.argv
    match command:
        case "initialize":
            all_at_once(location, initialize, int(times))
        case "race":
            all_at_once(location, race, int(times))
        case "write":
            killed(location, write, int(times), range(1, 25), 0.02)
        case "start" | "upgrade":
            # Once beforehand, so that the processes do not import what it takes anew each time.
            schema.upgrade("file::memory:", "rehearsal")
            work = start if command == "start" else upgrade
            killed(location, work, int(times), range(1, 2), 0.4)
        case "finish":
            finish(location)
