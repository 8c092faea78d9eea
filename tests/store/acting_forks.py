"""Real processes that act on one database through actors; a program of its own, since it forks.

`python -m tests.store.acting_forks guest|own|beside|kill PATH TIMES` prints what became of each
write, one a line. The journal of `kill` is beside its database.
"""

from __future__ import annotations

import random
import select
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import AsyncExitStack, closing
from itertools import count
from pathlib import Path
from typing import Final

from tests.store.forks import PATIENCE
from tests.store.processes import Say, all_at_once, killed
from tests.store.support import PlainSQL
from tests.store.worker import Worker
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, Offer, RunActor, Write
from zeroth_store.browse import RunKey
from zeroth_store.models import utc_now
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.acting.own_actor import OwnActor
from zeroth_tui.journal import Journal

WORKERS: Final = 4
"""How many of the processes of `beside` are workers; the others are people."""

TURN: Final[dict[str, tuple[Act, str]]] = {
    "RUNNING": ("pause", "WAITING_INTERRUPT"),
    "WAITING_INTERRUPT": ("resume", "PENDING"),
    "PENDING": ("cancel", "FAILED"),
    "FAILED": ("replay", "PENDING"),
    "COMPLETED": ("checkpoint", "COMPLETED"),
}
"""What `kill` does to a run of each status, and the status that it leads to."""

_ACTS_EACH: Final = 100
_TURNS: Final = 2_000
_NODE_SECONDS: Final = 0.02
"""How long a worker thinks between two accesses to the database."""


def journal_of(path: str | Path) -> Path:
    """Return where `kill` keeps its journal of a database."""
    return Path(path).with_suffix(".jsonl")


def statuses(path: str | Path) -> dict[str, str]:
    """Return the status of each run, by plain SQL."""
    return dict(PlainSQL(str(path))("SELECT run_id, status FROM runs ORDER BY rowid"))


def key_of(run_id: str) -> RunKey:
    """Return the identity of a run in the scope that all of them are in."""
    return RunKey("default", "null", run_id)


async def race(path: str, number: int, say: Say) -> None:
    """Cancel every run of a guest, as each was seen before the race; say what became of it."""
    await _race(GuestActor(path, patience=PATIENCE), path, "cancel", number, say)


async def own_race(path: str, number: int, say: Say) -> None:
    """Fail every run of an own database; say what became of it."""
    async with AsyncExitStack() as stack:
        database = AsyncSQLiteDatabase(path, busy_timeout=PATIENCE)
        await stack.enter_async_context(database)
        runs = RunRepository(database)
        await runs.initialize()
        await _race(OwnActor(database, runs), path, "move", number, say)


async def _race(actor: RunActor, path: str, act: Act, number: int, say: Say) -> None:
    """Act on every run as it stood while all of them were RUNNING."""
    for run in statuses(path):
        columns = {"status": "FAILED", "error": f"by {number}"}
        write = Write(act=act, key=key_of(run), seen="RUNNING", columns=columns)
        outcome = await actor.write(write)
        verdict = "won" if outcome.written else outcome.problem.replace(" ", "_")
        say(f"{run} {number} {verdict}")


async def act_for_ever(path: str, cycle: int, say: Say) -> None:
    """Say how each run is stored, then act on one after another; say each act in the journal."""
    say(" ".join(("stored", *(f"{run}={status}" for run, status in statuses(path).items()))))
    actor = GuestActor(path, patience=PATIENCE)
    journal = Journal(journal_of(path), utc_now, "olga")
    runs = list(statuses(path))
    for number in count(cycle):
        key = key_of(runs[number % len(runs)])
        standing, now = await actor.standing(key), utc_now()
        if standing is None:
            sys.exit(f"{key} is gone")
        act, _ = TURN[str(standing.status)]
        (offer,) = [offer for offer in offers(standing, now) if offer.act == act]
        write = plan(offer, key, standing, Fields(), now)
        outcome = await actor.write(write)
        if not outcome.written:
            sys.exit(outcome.problem)
        entry = journal.record(write, outcome, database=path, kind="guest")
        made = outcome.checkpoint_id or "-"
        say(f"wrote {key.run_id} {outcome.stored} {made} {entry.session}")


async def beside(path: str, number: int, say: Say) -> None:
    """Be a worker, or a person who acts at random and then sees to it that all runs go on."""
    if number < WORKERS:
        _drive(path, f"w-{number}")
        return
    actor = GuestActor(path, patience=PATIENCE)
    chance = random.Random(number)  # noqa: S311 - the same choices each time
    for turn in range(_TURNS):
        waiting = [run for run, status in statuses(path).items() if status != "COMPLETED"]
        if not waiting:
            return
        acts: tuple[Act, ...] = ("resume", "replay")
        if turn < _ACTS_EACH:
            acts = (*acts, "cancel", "pause")
        await _act(actor, chance.choice(waiting), acts, chance, say)
    sys.exit(f"never completed: {waiting}")


def _drive(path: str, name: str) -> None:
    """Claim and drive runs until all of them are completed."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as connection:
        connection.execute("PRAGMA synchronous = NORMAL").fetchall()
        idle = 0
        for found in Worker(connection, name, utc_now).steps():
            idle = 0 if found else idle + 1
            if not found and (idle > _TURNS or set(statuses(path).values()) == {"COMPLETED"}):
                return
            select.select([], [], [], _NODE_SECONDS)


async def _act(
    actor: GuestActor, run: str, acts: Iterable[Act], chance: random.Random, say: Say
) -> None:
    """Do one of these acts to a run, if it is offered and does not warn of a repetition."""
    standing, now = await actor.standing(key_of(run)), utc_now()
    if standing is None:
        sys.exit(f"{run} is gone")
    found = [o for o in offers(standing, now) if o.act in acts and _is_safe(o)]
    if found:
        write = plan(chance.choice(found), key_of(run), standing, Fields(), now)
        outcome = await actor.write(write)
        say(f"{run} {write.act} {'done' if outcome.written else 'refused'}")


def _is_safe(offer: Offer) -> bool:
    return offer.allowed and not (offer.act == "replay" and offer.warnings)


if __name__ == "__main__":
    _, command, location, times = sys.argv
    match command:
        case "guest":
            all_at_once(location, race, int(times))
        case "own":
            all_at_once(location, own_race, int(times))
        case "beside":
            all_at_once(location, beside, int(times))
        case "kill":
            killed(location, act_for_ever, int(times), range(2, 17), 0.05)
