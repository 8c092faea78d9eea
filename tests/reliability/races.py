"""Lets processes race for runs and files, and counts who won and what the losers were told."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.reliability.figure import Figure
from tests.store.acting_forks import WORKERS
from tests.store.forks import OUTCOMES
from tests.store.guests import Guest
from tests.store.processes import said_by
from tests.store.support import PlainSQL, a_run
from tests.store.worker import NODES
from tests.store.worker_world import EVENTS, live
from zeroth_store import AsyncSQLiteDatabase, RunRepository, RunStatus, schema

PROCESSES: Final = 8

_FORKS: Final = "tests.store.forks"
_ACTING: Final = "tests.store.acting_forks"
_LOST: Final = "changed_to_FAILED_by_another_writer,_nothing_done"
_PROMISE: Final = "won twice or by nobody, or lost without being told"


def trial() -> Iterable[Figure]:
    """Race for runs through every way that writes, for new files, and beside workers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        yield repositories(home / "repositories.db", 300)
        yield own_actors(home / "own.db", 100)
        yield guest_actors(home / "guest.db", 100)
        yield starts(home, 3, 48)
        yield beside_workers(home / "beside.db", 60)
        yield lives(120)


def repositories(path: Path, runs: int) -> Figure:
    """Let processes move each run out of RUNNING with `transition`, each some way of its own."""
    asyncio.run(_running(path, runs))
    said = said_by(_FORKS, "race", path, PROCESSES)
    rows = PlainSQL(str(path))(
        "SELECT r.run_id, r.status, r.error FROM runs r JOIN run_checkpoints c"
        " ON c.checkpoint_id = r.checkpoint_id AND c.state_json ->> '$.status' = r.status"
        " AND c.state_json ->> '$.error' = r.error"
    )
    stored = {run: (status, error) for run, status, error in rows}
    won = {run: int(number) for run, number, verdict in said if verdict == "won"}
    meant = {run: (OUTCOMES[number % 3].value, f"by {number}") for run, number in won.items()}
    told = {run: status for run, (status, _) in stored.items()}
    broken = [*_unfair(said, runs, told), *_differing(stored, meant)]
    return _race("transition by 8 processes", runs, said, broken)


def own_actors(path: Path, runs: int) -> Figure:
    """Let processes fail each run of an own database."""
    asyncio.run(_running(path, runs))
    return _acted("acting on an own database by 8 processes", "own", path, runs)


def guest_actors(path: Path, runs: int) -> Figure:
    """Let processes cancel each run of a guest."""
    with Guest(path, wal=True) as guest:
        for run in range(runs):
            guest.run(f"r{run}", "RUNNING")
    return _acted("acting on a guest by 8 processes", "guest", path, runs)


def starts(folder: Path, files: int, processes: int) -> Figure:
    """Let processes initialize one new file at once, and create a run each; `files` times."""
    broken: list[str] = []
    for file in range(files):
        path = folder / f"new-{file}.db"
        said = said_by(_FORKS, "initialize", path, processes)
        broken += [" ".join(words) for words in said if words[0] == "refused"]
        query = PlainSQL(str(path))
        runs = {run for (run,) in query("SELECT run_id FROM runs")}
        if runs != {f"r{number}" for number in range(processes)}:
            broken.append(f"{path.name} has {len(runs)} runs")
        versions = query(f"SELECT version_num FROM {schema.VERSION_TABLE}")
        if (versions, query("PRAGMA journal_mode")) != ([(schema.HEAD,)], [("wal",)]):
            broken.append(f"{path.name} has versions {versions}")
    return Figure(
        trial=f"{processes} processes initialize one new file",
        tried=files,
        counted=f"{files * processes} starts",
        wrong=len(broken),
        promise="failed",
        details=tuple(broken),
    )


def beside_workers(path: Path, runs: int) -> Figure:
    """Let people act at random beside workers as Zeroth's, in processes of their own."""
    with Guest(path, wal=True) as guest:
        for run in range(runs):
            guest.run(f"r{run}", "PENDING")
    said = said_by(_ACTING, "beside", path, PROCESSES)
    rows = PlainSQL(str(path))("SELECT run_id, status, execution_history, audit_refs FROM runs")
    whole = ("COMPLETED", list(NODES), len(NODES))
    broken = [
        f"{run} ends {status} after {history}, {audits}"
        for run, status, history, audits in rows
        if (status, json.loads(history), len(json.loads(audits))) != whole
    ]
    done = Counter(act for _, act, verdict in said if verdict == "done")
    return Figure(
        trial=f"{WORKERS} workers and {PROCESSES - WORKERS} people on the same runs",
        tried=min(runs, done.total()),
        counted=", ".join(f"{count:,} {act}" for act, count in sorted(done.items())),
        wrong=len(broken),
        promise="lost",
        details=tuple(broken),
    )


def lives(count: int) -> Figure:
    """Mix two workers' accesses, renewals, deaths and waits with a person's acts, at random."""
    broken: list[str] = []
    events = 0
    for seed in range(count):
        chance = random.Random(seed)  # noqa: S311 - the same lives each time
        life = chance.choices(EVENTS, k=chance.randrange(10, 40))
        events += len(life)
        with tempfile.TemporaryDirectory() as folder:
            try:
                asyncio.run(live(Path(folder, "guest.db"), life))
            except AssertionError as error:
                broken.append(f"{life}: {error}")
    return Figure(
        trial="a run's life beside workers in any order of events",
        tried=count,
        counted=f"{events:,} events",
        wrong=len(broken),
        promise="lost",
        details=tuple(broken),
    )


async def _running(path: Path, runs: int) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        repository = RunRepository(database)
        await repository.initialize()
        for run in range(runs):
            await repository.create(a_run(f"r{run}", status=RunStatus.RUNNING, thread_id="t"))


def _acted(trial: str, command: str, path: Path, runs: int) -> Figure:
    said = said_by(_ACTING, command, path, PROCESSES)
    rows = PlainSQL(str(path))("SELECT run_id, error FROM runs WHERE status = 'FAILED'")
    meant = {run: f"by {number}" for run, number, verdict in said if verdict == "won"}
    told = {f"r{run}": _LOST for run in range(runs)}
    return _race(trial, runs, said, [*_unfair(said, runs, told), *_differing(dict(rows), meant)])


def _race(trial: str, runs: int, said: list[list[str]], broken: list[str]) -> Figure:
    won = sum(verdict == "won" for *_, verdict in said)
    return Figure(
        trial=trial,
        tried=runs,
        counted=f"{won} winners, {len(said) - won:,} losers told",
        wrong=len(broken),
        promise=_PROMISE,
        details=tuple(broken),
    )


def _unfair(said: list[list[str]], runs: int, told: dict[str, str]) -> Iterator[str]:
    """Yield the runs that have not one winner, and all others told what they should be."""
    verdicts = {f"r{run}": Counter[str]() for run in range(runs)}
    for run, _, verdict in said:
        verdicts[run][verdict] += 1
    for run, found in verdicts.items():
        if found != {"won": 1, told.get(run, "nothing"): PROCESSES - 1}:
            yield f"{run}: {dict(found)}"


def _differing(stored: Mapping[str, object], meant: Mapping[str, object]) -> Iterator[str]:
    for run in sorted(stored.keys() | meant.keys()):
        if stored.get(run) != meant.get(run):
            yield f"{run} is {stored.get(run)}, its winner wrote {meant.get(run)}"
