"""One run, two workers as Zeroth's and a person who acts: whatever happens, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from tests.store.acting import KEY, assert_as_shown, everything
from tests.store.guests import Guest
from tests.store.support import Clock
from tests.store.worker import NODES, Worker
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, Write
from zeroth_store.sqlite.acting.guest_actor import GuestActor

ACTS: Final[tuple[Act, ...]] = ("cancel", "pause", "resume", "replay")
EVENTS: Final = ("work", "work", "work", "other", "renew", "write", "wait", "crash", *ACTS)
"""A worker's next access; the second worker's; a renewal; what was planned is written; time; a
worker's death; an act planned and written at once."""


class World:
    """Time stands still but for `wait`; each access to the database is an event of its own."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.clock = Clock()
        self.actor = GuestActor(guest.path, clock=self.clock)
        self.names = 0
        self.first, self.worker = self.hire()
        self.second, self.other = self.hire()
        self.planned: Write | None = None
        self.heeding = True
        """Whether a warning keeps the person from a replay."""

    def hire(self) -> tuple[Worker, Iterator[bool]]:
        self.names += 1
        worker = Worker(self.guest.connection, f"w-{self.names}", self.clock)
        return worker, worker.steps()

    @property
    def exposed(self) -> bool:
        """Whether a death or a long wait now would lose the run, whatever a person does."""
        return self.first.exposed or self.second.exposed

    async def happen(self, event: str) -> None:
        match event:
            case "work":
                next(self.worker)
            case "other":
                next(self.other)
            case "renew":
                self.first.renew()
                self.second.renew()
            case "wait" if not self.exposed:
                self.clock.now += timedelta(seconds=45)
            case "crash" if not self.exposed:
                self.first, self.worker = self.hire()
            case "write":
                await self.write_late()
            case "cancel" | "pause" | "resume" | "replay":
                write = await self.plan(event)
                if write is not None:
                    self.planned = write
                    await self.write(write)

    async def plan(self, act: Act) -> Write | None:
        """Return the write of an act that is allowed; a heeded warning keeps a replay back."""
        standing = await self.actor.standing(KEY)
        assert standing is not None
        (offer,) = [o for o in offers(standing, self.clock()) if o.act == act]
        if not offer.allowed or (act == "replay" and offer.warnings and self.heeding):
            return None
        return plan(offer, KEY, standing, Fields(), self.clock())

    async def write_late(self) -> None:
        """Write what was planned and written before once more, as the run was seen then."""
        write = self.planned
        if write is not None and (write.act != "replay" or await self.plan("replay")):
            await self.write(write)

    async def write(self, write: Write) -> None:
        """Write, and hold what was shown and what is said against what is stored."""
        before = everything(self.guest.path)
        outcome = await self.actor.write(write)
        after = everything(self.guest.path)
        if outcome.written:
            assert_as_shown(write, outcome, before, after, self.clock().isoformat())
        else:
            assert outcome.problem.endswith("nothing done")
            assert after == before
        ((status,),) = self.guest.sql("SELECT status FROM runs")
        assert outcome.stored == status

    def check(self) -> None:
        """Every step that is stored was done once and in order."""
        ((history,),) = self.guest.sql("SELECT execution_history FROM runs")
        done = json.loads(history)
        assert done == list(NODES[: len(done)])

    async def settle(self) -> str:
        """Let workers and person go on until the run is over; returns its last status."""
        self.heeding = False
        for worker, steps in ((self.first, self.worker), (self.second, self.other)):
            while worker.exposed:
                next(steps)
        for _ in range(6):
            self.clock.now += timedelta(seconds=90)
            for steps in (self.worker, self.other, self.hire()[1]):
                # A worker says once that it has found no orphan before it looks for PENDING ones.
                idle = 0
                while idle < 2:
                    idle = 0 if next(steps) else idle + 1
                    self.check()
            ((status,),) = self.guest.sql("SELECT status FROM runs")
            if status == "COMPLETED":
                break
            # A worker that died leaves RUNNING, or a lease that nobody gives back.
            for act in ("resume", "cancel", "replay"):
                await self.happen(act)
        return str(status)


async def live(path: Path, events: Iterable[str], *, heeding: bool = True) -> None:
    """Let events happen to a PENDING run; it must then become COMPLETED, each step done once."""
    with Guest(path, wal=True) as guest:
        guest.run("r1", "PENDING")
        world = World(guest)
        world.heeding = heeding
        for event in events:
            await world.happen(event)
            world.check()
        status = await world.settle()
        assert status == "COMPLETED", f"the run ends {status}"
        world.check()
        assert guest.sql("SELECT execution_history, final_output FROM runs") == [
            (json.dumps(list(NODES)), '"done"')
        ]
