"""What a demo plays into a file: how many stories, how fast, and what is there before."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from os import PathLike

from zeroth_store.models import utc_now
from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
from zeroth_tui.demo.fill import fill
from zeroth_tui.demo.player import play
from zeroth_tui.demo.store import DemoStore
from zeroth_tui.demo.stories import REPERTOIRE


@dataclass(frozen=True)
class Programme:
    """How a demo goes."""

    seed: int = 1
    """Decides ids, order, durations and costs."""
    speed: float = 1.0
    """How many seconds of a run pass in one."""
    loop: bool = True
    """Whether the stories are told again and again; else each once."""
    threads: int | None = None
    """How many stories live at the same time; None for one that begins every few seconds."""
    filled: int = 0
    """How many finished runs are written first."""
    seconds: float | None = None
    """When it ends; None for not before it is left."""


async def run_demo(
    path: str | PathLike[str],
    programme: Programme,
    *,
    past_written: asyncio.Event | None = None,
) -> None:
    """Play into a file, made when missing, until the programme is over or it is cancelled.

    Meanwhile others may watch the file and act on its runs. Raises a StoreError when it cannot be
    written.
    """
    async with AsyncSQLiteDatabase(str(path)) as database:
        store = DemoStore(database, seed=programme.seed)
        await store.initialize()
        new = not await store.count_runs()
        if programme.filled:
            await fill(database, programme.filled, seed=programme.seed, now=utc_now())
        await play(
            store,
            speed=programme.speed,
            rounds=None if programme.loop else len(REPERTOIRE),
            threads=programme.threads,
            new=new,
            seconds=programme.seconds,
            past_written=past_written,
        )
