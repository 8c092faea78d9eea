"""Lets each call of the driver fail in turn, and disks fill; looks for what is half written."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from tests.reliability.figure import Figure
from tests.store.acting import actor_on, planned
from tests.store.fault_cases import ERRORS, case_of, outcome_of
from tests.store.faulty import FAULTS, Plan, failing
from tests.store.guests import Guest
from tests.store.own_writes import Write, prepared
from tests.store.support import START, TABLES, PlainSQL
from zeroth_store import AsyncSQLiteDatabase, RunRepository, schema
from zeroth_store.actions import Act

GUEST_ACTS: Final[dict[Act, str]] = {
    "cancel": "RUNNING",
    "pause": "RUNNING",
    "resume": "WAITING_INTERRUPT",
    "replay": "FAILED",
    "checkpoint": "RUNNING",
}
"""What is done to a guest, and to a run of which status."""

_WHOLE: Final = {*TABLES, schema.VERSION_TABLE}


def trial() -> Iterable[Figure]:
    """Fail with each error at each call of each write, once and for good; then fill the disk."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for fault in FAULTS:
            yield asyncio.run(own_writes(home / f"own-{fault}.db", fault))
            yield asyncio.run(guest_writes(home / f"guest-{fault}.db", fault))
            yield asyncio.run(starts(home / f"new-{fault}", fault))
        yield asyncio.run(full_own_writes(home / "own-full.db"))
        yield asyncio.run(full_guest_writes(home / "guest-full.db", wal=True))
        yield asyncio.run(full_guest_writes(home / "rolling-full.db", wal=False))


@dataclass
class _Seen:
    """What was tried and what went wrong."""

    tried: int = 0
    kinds: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, name: str, tried: int, broken: Iterable[str]) -> None:
        self.kinds += 1
        if not tried:
            self.broken.append(f"{name}: no fault ever reached it")
        self.tried += tried
        self.broken += broken

    def figure(self, trial: str) -> Figure:
        return Figure(
            trial=trial,
            tried=self.tried,
            counted=f"{self.kinds} kind{'' if self.kinds == 1 else 's'} of write",
            wrong=len(self.broken),
            promise="half written, wrongly told or stuck",
            details=tuple(self.broken),
        )


async def own_writes(path: Path, fault: str) -> Figure:
    """Fail at each call of each write to an own database."""
    seen = _Seen()
    with failing(Plan(fault)) as plan:
        async with prepared(path) as writes:
            for name, write in writes.items():
                case = await case_of(name, path, write)
                seen.add(case.name, *await case.at_every_call(plan))
    return seen.figure(f"{fault} at each call of a write to an own database")


async def guest_writes(path: Path, fault: str) -> Figure:
    """Fail at each call of each act on a guest."""
    seen = _Seen()
    make_guest(path, wal=True)
    with failing(Plan(fault)) as plan:
        for act in GUEST_ACTS:
            case = await case_of(act, path, await guest_write(path, act))
            seen.add(case.name, *await case.at_every_call(plan))
    return seen.figure(f"{fault} at each call of an act on a guest")


async def starts(folder: Path, fault: str, step: int = 1) -> Figure:
    """Fail at each call, or at one in `step`, of making a new database; then make it."""
    seen = _Seen(kinds=1)
    for call in count(1, step):
        path = folder / str(call) / "own.db"
        with failing(Plan(fault, call)) as plan:
            said = await outcome_of(partial(_initialized, path))
        if plan.calls < call:
            break
        again = await outcome_of(partial(_initialized, path))
        found = _tables(path)
        seen.tried += 1
        if said is not None and not isinstance(said, ERRORS[fault]):
            seen.broken.append(f"call {call}: {type(said).__name__} {said}")
        if again is not None or found != _WHOLE:
            seen.broken.append(f"call {call}: {again}, there is {sorted(found)}")
    return seen.figure(f"{fault} at each call of initialize")


async def full_own_writes(path: Path) -> Figure:
    """Let the disk be full after each half page that a write to an own database needs."""
    seen = _Seen()
    async with prepared(path) as writes:
        for name, write in writes.items():
            case = await case_of(name, path, write)
            PlainSQL(str(path))("PRAGMA wal_checkpoint(TRUNCATE)")
            seen.add(case.name, *await case.at_every_size())
    return seen.figure("disk full in the middle of a write to an own database")


async def full_guest_writes(path: Path, *, wal: bool) -> Figure:
    """Let the disk be full after each half page that an act on a guest needs."""
    seen = _Seen()
    make_guest(path, wal=wal)
    for act in GUEST_ACTS:
        case = await case_of(act, path, await guest_write(path, act))
        seen.add(case.name, *await case.at_every_size())
    mode = "WAL" if wal else "rollback"
    return seen.figure(f"disk full in the middle of an act on a guest in {mode} mode")


def make_guest(path: Path, *, wal: bool) -> None:
    """Make a guest with one run."""
    with Guest(path, wal=wal) as guest:
        guest.thread("t-1", ["r1"], checkpoint_refs="[]")
        guest.run("r1")


async def guest_write(path: Path, act: Act) -> Write:
    """Return an act on the guest's run, which gets a status that allows it."""
    failure = '{"reason":"x"}' if act == "replay" else None
    values = (GUEST_ACTS[act], failure)
    PlainSQL(str(path))("UPDATE runs SET status = ?, failure_state = ?", values)
    write = await planned(actor_on(path), act, START)
    return lambda: actor_on(path).write(write)


async def _initialized(path: Path) -> None:
    async with AsyncSQLiteDatabase(path) as database:
        await RunRepository(database).initialize()


def _tables(path: Path) -> set[str]:
    sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name for (name,) in PlainSQL(str(path))(sql)}
