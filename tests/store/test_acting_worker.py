"""Whatever a person does to a run beside its worker, and whenever, the run is not lost."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from tests.store.acting import KEY
from tests.store.guests import Guest
from tests.store.support import Clock
from tests.store.worker import NODES, Worker
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, Write
from zeroth_store.sqlite.guest_actor import GuestActor

pytestmark = pytest.mark.thorough

ACTS: Final[tuple[Act, ...]] = ("cancel", "pause", "resume", "replay")
EVENTS = st.one_of(
    st.sampled_from(["work", "work", "work", "other", "write", "wait", "crash"]),
    st.sampled_from(ACTS),
)
"""A worker's next access; the second worker's; what was planned is written; time; an act planned
and written at once."""


class World:
    """One run, two workers and a person; time stands still but for `wait`."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.clock = Clock()
        self.actor = GuestActor(guest.path, clock=self.clock)
        self.names = 0
        self.first, self.worker = self.hire()
        _, self.other = self.hire()
        self.planned: Write | None = None
        self.heeding = True

    def hire(self) -> tuple[Worker, Iterator[bool]]:
        self.names += 1
        worker = Worker(self.guest.connection, f"w-{self.names}", self.clock)
        return worker, worker.steps()

    async def happen(self, event: str) -> None:
        match event:
            case "work":
                next(self.worker)
            case "other":
                next(self.other)
            case "wait":
                self.clock.now += timedelta(seconds=45)
            case "crash":
                # Between audit and row no later worker can go on, whatever a person does.
                if not self.first.exposed:
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
        """Write, and hold what is said against what is stored."""
        outcome = await self.actor.write(write)
        ((status,),) = self.guest.sql("SELECT status FROM runs")
        assert outcome.stored == status
        if outcome.written:
            assert status == write.columns["status"]
        else:
            assert outcome.problem.endswith("nothing done")

    def check(self) -> None:
        """Every step that is stored was done once and in order."""
        ((history,),) = self.guest.sql("SELECT execution_history FROM runs")
        done = json.loads(history)
        assert done == list(NODES[: len(done)])

    async def settle(self) -> str:
        """Let workers and person go on until the run is over; returns its last status."""
        self.heeding = False
        for _ in range(6):
            self.clock.now += timedelta(seconds=90)
            for worker in (self.worker, self.other, self.hire()[1]):
                while next(worker):
                    self.check()
            ((status,),) = self.guest.sql("SELECT status FROM runs")
            if status == "COMPLETED":
                break
            # A worker that died leaves RUNNING, or a lease that nobody gives back.
            for act in ("resume", "cancel", "replay"):
                await self.happen(act)
        return str(status)


async def live(path: Path, events: Iterable[str], *, heeding: bool = True) -> None:
    with Guest(path, wal=True) as guest:
        guest.run("r1", "PENDING")
        world = World(guest)
        world.heeding = heeding
        for event in events:
            await world.happen(event)
            world.check()
        assert await world.settle() == "COMPLETED"
        world.check()
        assert guest.sql("SELECT execution_history, final_output FROM runs") == [
            (json.dumps(list(NODES)), '"done"')
        ]


@share(2)
@given(st.lists(EVENTS, min_size=10, max_size=40))
def test_no_order_of_events_loses_a_run(events: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder, "guest.db"), events))


@pytest.mark.parametrize("acts", [("cancel", "replay"), ("pause", "resume")])
@pytest.mark.parametrize("before", range(8))
async def test_no_moment_between_a_workers_steps_loses_a_run(
    tmp_path: Path, before: int, acts: tuple[str, str]
) -> None:
    """A claim and a hop are seven steps: every moment of them, each with every delay of one."""
    for between in range(6):
        events = [*["work"] * before, acts[0], *["work"] * between, acts[1], "other"]
        await live(tmp_path / f"guest-{between}.db", events, heeding=False)


async def test_a_worker_that_is_left_alone_completes_a_run(tmp_path: Path) -> None:
    await live(tmp_path / "guest.db", ["work"] * 30)
