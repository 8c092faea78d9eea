"""Real processes that act on one database through actors; a program of its own, since it forks.

`python -m tests.store.acting_forks guest|own|kill PATH` prints what became of each write.
"""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from itertools import count

from tests.store.forks import PATIENCE, Say, all_at_once, killed
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, RunActor, Write
from zeroth_store.browse import RunKey
from zeroth_store.models import utc_now
from zeroth_store.sqlite.guest_actor import GuestActor
from zeroth_store.sqlite.own_actor import OwnActor

RUNS = 12
KILLS = 20
LINES = 6
SECONDS = 0.05


def key_of(run: int) -> RunKey:
    """The identity of one of the runs that are raced for."""
    return RunKey("default", "null", f"r{run}")


async def race(path: str, number: int, say: Say) -> None:
    """Cancel every run of a guest, as each was seen before the race; say what became of it."""
    await _race(GuestActor(path, patience=PATIENCE), "cancel", number, say)


async def own_race(path: str, number: int, say: Say) -> None:
    """Fail every run of an own database; say what became of it."""
    async with AsyncExitStack() as stack:
        database = AsyncSQLiteDatabase(path, busy_timeout=PATIENCE)
        await stack.enter_async_context(database)
        runs = RunRepository(database)
        await runs.initialize()
        await _race(OwnActor(database, runs), "move", number, say)


async def _race(actor: RunActor, act: Act, number: int, say: Say) -> None:
    """Act on every run as it stood while all of them were RUNNING."""
    for run in range(RUNS):
        key = key_of(run)
        write = Write(
            act=act,
            key=key,
            seen="RUNNING",
            columns={"status": "FAILED", "error": f"by {number}"},
        )
        outcome = await actor.write(write)
        verdict = "won" if outcome.written else outcome.problem.replace(" ", "_")
        say(f"r{run} {number} {verdict}")


async def act_for_ever(path: str, cycle: int, say: Say) -> None:
    """Pause, resume or checkpoint the runs of a guest in turn; say each write that returned."""
    actor = GuestActor(path, patience=PATIENCE)
    for number in count(cycle):
        key = key_of(number % RUNS)
        standing, now = await actor.standing(key), utc_now()
        if standing is None:
            sys.exit(f"{key} is gone")
        for offer in offers(standing, now):
            if offer.allowed and offer.act in ("pause", "resume", "checkpoint"):
                write = plan(offer, key, standing, Fields(), now)
                outcome = await actor.write(write)
                if not outcome.written:
                    sys.exit(outcome.problem)
                say(f"{key.run_id} {outcome.stored} {outcome.checkpoint_id or '-'}")
                break


if __name__ == "__main__":
    _, command, location = sys.argv
    match command:
        case "guest":
            all_at_once(location, race)
        case "own":
            all_at_once(location, own_race)
        case "kill":
            killed(location, act_for_ever, KILLS, LINES, SECONDS)
