"""Processes that write checkpoints of a guest's runs while others cancel them.

`python -m tests.store.checkpoint_forks race PATH TIMES` prints what became of each write, one a
line; a program of its own, since it forks.
"""

from __future__ import annotations

import sys

from tests.store.acting_forks import key_of, statuses
from tests.store.forks import PATIENCE
from tests.store.processes import Say, all_at_once
from zeroth_store.actions import Write
from zeroth_store.sqlite.acting.guest_actor import GuestActor


async def race(path: str, number: int, say: Say) -> None:
    """Save every run from the first to the last, or cancel them from the last to the first."""
    actor = GuestActor(path, patience=PATIENCE)
    runs = list(statuses(path))
    for run in runs if number % 2 else reversed(runs):
        write = Write(act="cancel", key=key_of(run), seen="RUNNING", columns={"status": "FAILED"})
        if number % 2:
            write = Write(act="checkpoint", key=key_of(run), seen="RUNNING", columns={})
        outcome = await actor.write(write)
        verdict = "won" if outcome.written else outcome.problem.replace(" ", "_")
        say(f"{write.act} {run} {verdict} {outcome.checkpoint_id or '-'}")


if __name__ == "__main__":
    _, _, location, count = sys.argv
    all_at_once(location, race, int(count))
