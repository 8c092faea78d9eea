"""Simulated time: many acts take turns in the order of their moments, one at a time.

An act is a coroutine that says how long it waits. Only the one whose moment has come runs, until
it waits again or ends; so the same seed gives the same writes in the same order, whether the time
between two moments is slept through or skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from types import TracebackType
from typing import Final, Protocol, Self

from zeroth_tui.demo.store import DemoStore

Clock = Callable[[], datetime]
"""Tells the real time."""
Sleep = Callable[[float], Awaitable[object]]
"""Lets real seconds pass."""

LOOK_SECONDS: Final = 1.0
"""How often, in real time, workers look whether a person has acted."""


class Unwritten(Protocol):
    """What has been noted while time was skipped."""

    async def write_alone(self) -> None:
        """Write it to the database."""
        ...


class Stage:
    """Where acts are played; leaving it stops them all, with no transaction left open."""

    def __init__(self, store: DemoStore, *, opens: datetime) -> None:
        """Play on `store`, beginning at the moment `opens`."""
        self.store = store
        self.store.moment = opens
        self.speed = 1.0
        """How many seconds of an act pass in one second."""
        self.curtain = opens
        """Until when time is skipped: before it nobody can watch or act."""
        self.playing: set[str] = set()
        """The ids of the runs that are in the hands of a worker."""
        self.unwritten: list[Unwritten] = []
        """Runs that changed while time was skipped and are not written yet, oldest first."""
        self._due: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn: asyncio.Future[None] | None = None

    @property
    def moment(self) -> datetime:
        """The moment of the act whose turn it is."""
        return self.store.moment

    @property
    def skipping(self) -> bool:
        """Whether time is skipped, so that only what is left at its end needs to be written."""
        return self.moment < self.curtain

    @property
    def patience(self) -> float:
        """Seconds that an act may wait before it looks again whether a person has acted."""
        return max(LOOK_SECONDS * self.speed, (self.curtain - self.moment).total_seconds())

    def cue(self, act: Callable[[], Awaitable[object]], at: datetime) -> asyncio.Task[None]:
        """Let an act begin at a moment; returns its task, to ask whether it is over."""
        task = asyncio.create_task(self._play(act, self._at(at)))
        self._tasks.add(task)
        return task

    async def wait(self, seconds: float) -> None:
        """Let an act pause; to be awaited by the act whose turn it is, and by no other."""
        called = self._at(self.moment + timedelta(seconds=seconds / self.speed))
        self._hand_back()
        await called

    async def skip_to(self, moment: datetime) -> None:
        """Play everything that is due up to `moment`, without letting real time pass."""
        self.curtain = moment
        while self._due and self._due[0][0] <= moment:
            await self._next()
        self.store.moment = max(self.moment, moment)
        for book in list(self.unwritten):
            await book.write_alone()

    async def live(self, clock: Clock, sleep: Sleep, over: Callable[[], bool]) -> None:
        """Play each act when its moment has really come, until `over()`."""
        while self._due and not over():
            ahead = (self._due[0][0] - clock()).total_seconds()
            if ahead > 0:
                await sleep(ahead)
            await self._next()

    async def close(self) -> None:
        """Stop all acts where they are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        self._due.clear()

    async def __aenter__(self) -> Self:
        """Open the stage."""
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close."""
        await self.close()

    def _at(self, moment: datetime) -> asyncio.Future[None]:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._due, (moment, next(self._order), called))
        return called

    async def _play(
        self, act: Callable[[], Awaitable[object]], called: asyncio.Future[None]
    ) -> None:
        try:
            await called
            await act()
        finally:
            self._hand_back()

    async def _next(self) -> None:
        """Give the turn to the act that is due first, and wait until it hands it back."""
        self.store.moment, _, called = heappop(self._due)
        self._turn = asyncio.get_running_loop().create_future()
        called.set_result(None)
        await self._turn
        for task in [task for task in self._tasks if task.done()]:
            self._tasks.remove(task)
            task.result()

    def _hand_back(self) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)
