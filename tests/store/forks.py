"""Real processes that write to one database; a program of its own, since it forks.

`forks.py initialize|race|kill PATH` prints what the processes acknowledged, one a line.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import sys
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

# Imported before forking, so that each process pays for them only once.
import alembic.command  # noqa: F401
import sqlalchemy.dialects.sqlite  # noqa: F401

from zeroth_store import (
    AsyncSQLiteDatabase,
    Run,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    StatusConflict,
)

Say = Callable[[str], object]
Work = Callable[[str, int, Say], Coroutine[Any, Any, None]]

PROCESSES = 8
RUNS = 50
KILLS = 15
LINES = 24
SECONDS = 0.02
OUTCOMES = (RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.WAITING_APPROVAL)
PATIENCE = 60.0


async def initialize(path: str, number: int, say: Say) -> None:
    """Initialize a database and create one run."""
    async with AsyncSQLiteDatabase(path, busy_timeout=PATIENCE) as database:
        repository = RunRepository(database)
        await repository.initialize()
        await repository.create(Run(run_id=f"r{number}", graph_id="g"))
        say(f"r{number}")


async def race(path: str, number: int, say: Say) -> None:
    """Try to move each run out of RUNNING; say which ones it was."""
    async with AsyncSQLiteDatabase(path, busy_timeout=PATIENCE) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for run in range(RUNS):
            try:
                await repository.transition(
                    f"r{run}",
                    OUTCOMES[number % 3],
                    expected_status=RunStatus.RUNNING,
                    error=f"won by {number}",
                )
            except StatusConflict:
                continue
            say(f"r{run} {number}")


async def write(path: str, cycle: int, say: Say) -> None:
    """Take runs through their life for ever; say each commit when it has returned."""
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for number in count():
            run_id = f"r{cycle}-{number}"
            await repository.create(Run(run_id=run_id, graph_id="g", thread_id=f"t{number % 3}"))
            say(f"{run_id} 1")
            await repository.transition(run_id, RunStatus.RUNNING)
            say(f"{run_id} 2")
            entry = RunHistoryEntry(node_id="n", status="completed")
            await repository.record_history(run_id, entry)
            say(f"{run_id} 3")
            await repository.transition(run_id, RunStatus.COMPLETED, final_output={"n": number})
            say(f"{run_id} 4")


def fork(path: str, number: int, work: Work, start: int | None = None) -> tuple[int, int]:
    """Begin `work` in a process, when `start` has a byte for it; returns its id and output."""
    output, mine = os.pipe()
    child = os.fork()
    if child:
        os.close(mine)
        return child, output
    status = 1
    try:
        if start is not None:
            os.read(start, 1)
        asyncio.run(work(path, number, lambda line: os.write(mine, f"{line}\n".encode())))
        status = 0
    finally:
        os._exit(status)


def all_at_once(path: str, work: Work) -> None:
    """Let the processes start at the same moment and print what they say."""
    start, gate = os.pipe()
    children = [fork(path, number, work, start) for number in range(PROCESSES)]
    os.write(gate, b"." * PROCESSES)
    for child, output in children:
        with os.fdopen(output) as said:
            print(said.read(), end="")
        if os.waitpid(child, 0)[1] != 0:
            sys.exit("a process failed")


def killed(path: str, work: Work, kills: int, lines: int, seconds: float) -> None:
    """Kill `work` again and again, each time at another moment; print what it had said.

    It is heard to the end of one of its first `lines` lines, and lives at most `seconds` longer.
    """
    moments = random.Random(20260301)  # noqa: S311 - the same moments each time
    for cycle in range(kills):
        child, output = fork(path, cycle, work)
        with os.fdopen(output, "rb", buffering=0) as said:
            heard = said.readline()
            for _ in range(moments.randrange(lines)):
                heard += said.readline()
            select.select([], [], [], moments.uniform(0, seconds))
            os.kill(child, signal.SIGKILL)
            heard += said.read()
        if os.waitpid(child, 0)[1] != signal.SIGKILL:
            sys.exit("a process ended by itself")
        print(heard.decode(), end="")


if __name__ == "__main__":
    _, command, location = sys.argv
    match command:
        case "initialize":
            all_at_once(location, initialize)
        case "race":
            all_at_once(location, race)
        case "kill":
            killed(location, write, KILLS, LINES, SECONDS)
