"""The demo as a whole: a past to look at, then runs that go on living while somebody watches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from zeroth_store.models import utc_now
from zeroth_tui.demo.attendance import attend
from zeroth_tui.demo.performance import tell
from zeroth_tui.demo.scenario import Story
from zeroth_tui.demo.stage import Clock, Sleep, Stage
from zeroth_tui.demo.store import DemoStore
from zeroth_tui.demo.stories import OPEN, REPERTOIRE

PAST = timedelta(hours=5)
"""How far back the history goes that a new demo begins with."""

_PAST_ENDS = timedelta(minutes=30)
STORIES: Final = (*REPERTOIRE, *(story for story, _ in OPEN))
"""All stories that are told."""

_PAST_PASSES = 2
_NEXT_RUN_SECONDS = 6.0
_FIRST_RUNS_SECONDS = 0.7


async def seed_history(store: DemoStore, now: datetime) -> None:
    """Write a history that ends at `now`: finished runs, and some that wait or run still.

    Deterministic for a store's seed and `now`; nothing is slept, nothing goes on afterwards.
    """
    async with Stage(store, opens=now - PAST) as stage:
        await _play_past(stage, now)


async def play(
    store: DemoStore,
    *,
    speed: float = 1.0,
    clock: Clock = utc_now,
    sleep: Sleep = asyncio.sleep,
    rounds: int | None = None,
    threads: int | None = None,
    new: bool | None = None,
    seconds: float | None = None,
    past_written: asyncio.Event | None = None,
) -> None:
    """Write the past of a `new` database, then let runs live in real time.

    A database without runs is new unless `new` says otherwise. `past_written` is set in between.

    `speed` is how many seconds of a run pass in one of `clock`. A story begins every few seconds,
    or so that `threads` of them live at any time. It returns after `rounds` new stories have begun
    and ended, or `seconds` after the past was written; without either it goes on until it is
    cancelled. Runs that a person cancels or pauses are left as they are, until they are replayed or
    resumed. Raises a DatabaseError when it cannot write.
    """
    async with Stage(store, opens=clock() - PAST) as stage:
        if new is True or (new is None and not await store.count_runs()):
            await _play_past(stage, clock())
        else:
            await stage.skip_to(clock())
        if past_written is not None:
            past_written.set()
        stage.speed = speed
        begun: list[asyncio.Task[None]] = []
        stage.cue(partial(attend, stage, STORIES), clock())
        season = stage.cue(partial(_season, stage, rounds, threads, begun), clock())
        try:
            async with asyncio.timeout(seconds) as limit:
                await stage.live(
                    clock, sleep, over=lambda: season.done() and all(t.done() for t in begun)
                )
        except TimeoutError:
            if not limit.expired():
                raise


async def _play_past(stage: Stage, now: datetime) -> None:
    """Spread the repertoire over the past; the open stories are the last to begin."""
    first, last = now - PAST, now - _PAST_ENDS
    stories = _shuffled(stage.store, REPERTOIRE * _PAST_PASSES)
    for number, story in enumerate(stories):
        stage.cue(partial(tell, stage, story), first + (last - first) * (number / len(stories)))
    for story, ago in OPEN:
        stage.cue(partial(tell, stage, story), now - timedelta(seconds=ago))
    await stage.skip_to(now)


async def _season(
    stage: Stage, rounds: int | None, threads: int | None, begun: list[asyncio.Task[None]]
) -> None:
    """Begin story after story, each of the repertoire before any comes again.

    One begins every few seconds; or, where so many `threads` are to live, as soon as fewer do.
    """
    left = rounds
    pause = _NEXT_RUN_SECONDS if threads is None else _FIRST_RUNS_SECONDS
    while True:
        for story in _shuffled(stage.store, REPERTOIRE):
            if left == 0:
                return
            left = None if left is None else left - 1
            begun[:] = [task for task in begun if not task.done()]
            while threads is not None and len(begun) >= threads:
                await stage.wait(_FIRST_RUNS_SECONDS)
                begun[:] = [task for task in begun if not task.done()]
            begun.append(stage.cue(partial(tell, stage, story), stage.moment))
            await stage.wait(stage.store.vary(pause))


def _shuffled(store: DemoStore, stories: Sequence[Story]) -> list[Story]:
    return store.random.sample(stories, len(stories))
