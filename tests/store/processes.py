"""Processes of a program that forks: many at the same moment, or one killed after the other."""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from tests.store.support import PYTHON, ROOT

Say = Callable[[str], object]
Work = Callable[[str, int, Say], Coroutine[Any, Any, None]]

SECONDS_TO_RUN = 600
STORE = ROOT / "store"


def said_by(
    program: str, command: str, path: Path, times: int, *, version: Path = STORE
) -> list[list[str]]:
    """Run `python -m PROGRAM COMMAND PATH TIMES`; returns what it printed, as words.

    `version` is the folder that the store is imported from.
    """
    done = subprocess.run(
        [PYTHON, "-m", program, command, path, str(times)],
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_RUN,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(version)},
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [line.split() for line in done.stdout.splitlines()]


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
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def all_at_once(path: str, work: Work, processes: int) -> None:
    """Let the processes start at the same moment and print what they say."""
    start, gate = os.pipe()
    children = [fork(path, number, work, start) for number in range(processes)]
    os.write(gate, b"." * processes)
    for child, output in children:
        with os.fdopen(output) as said:
            print(said.read(), end="")
        if os.waitpid(child, 0)[1] != 0:
            sys.exit("a process failed")


def killed(path: str, work: Work, kills: int, lines: range, seconds: float) -> None:
    """Kill `work` again and again, each time at another moment; print what it had said.

    It is heard to the end of a number of its first lines, and lives at most `seconds` longer.
    """
    moments = random.Random(20260301)  # noqa: S311 - the same moments each time
    for cycle in range(kills):
        child, output = fork(path, cycle, work)
        with os.fdopen(output, "rb", buffering=0) as said:
            heard = b"".join(said.readline() for _ in range(moments.choice(lines)))
            select.select([], [], [], moments.uniform(0, seconds))
            os.kill(child, signal.SIGKILL)
            heard += said.read()
        if os.waitpid(child, 0)[1] != signal.SIGKILL:
            sys.exit("a process ended by itself")
        print(heard.decode(), end="")
