"""What the demo's tests share: time that passes only when asked, and independent looks at rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
from zeroth_tui.demo.attendance import attend
from zeroth_tui.demo.performance import tell
from zeroth_tui.demo.player import seed_history
from zeroth_tui.demo.scenario import Story
from zeroth_tui.demo.stage import Stage
from zeroth_tui.demo.store import DemoStore

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)

Row = dict[str, Any]


class FakeTime:
    """A clock that moves when somebody sleeps, and people who act at given moments."""

    def __init__(self) -> None:
        self.now = NOON
        self.last = NOON
        """When somebody acts for the last time."""
        self._people: list[tuple[datetime, Callable[[], Awaitable[object]]]] = []

    def clock(self) -> datetime:
        return self.now

    def after(self, seconds: float, act: Callable[[], Awaitable[object]]) -> None:
        self.last = max(self.last, NOON + timedelta(seconds=seconds))
        self._people.append((NOON + timedelta(seconds=seconds), act))
        self._people.sort(key=lambda person: person[0])

    async def sleep(self, seconds: float) -> None:
        until = self.now + timedelta(seconds=seconds)
        while self._people and self._people[0][0] <= until:
            self.now, act = self._people.pop(0)
            await act()
        self.now = until


@asynccontextmanager
async def opened(path: Path, seed: int = 7) -> AsyncIterator[DemoStore]:
    async with AsyncSQLiteDatabase(path) as database:
        store = DemoStore(database, seed=seed)
        await store.initialize()
        yield store


async def seeded(path: Path, seed: int) -> None:
    """Write the past of a demo that begins at NOON."""
    async with opened(path, seed) as store:
        await seed_history(store, NOON)


async def play_story(
    store: DemoStore, story: Story, time: FakeTime, *, seconds: float = 900.0, speed: float = 1.0
) -> None:
    """Play one story from NOON on, each write visible, for so many seconds at most.

    It is over when nobody acts any more, and what they did last was seen and played.
    """
    end = NOON + timedelta(seconds=seconds)
    async with Stage(store, opens=NOON) as stage:
        stage.speed = speed
        told = stage.cue(partial(tell, stage, story), NOON)
        stage.cue(partial(attend, stage, (story,)), NOON)

        def over() -> bool:
            seen = time.now > time.last + timedelta(seconds=2)
            return (told.done() and seen and not stage.playing) or time.now > end

        await stage.live(time.clock, time.sleep, over)


async def live_on(
    store: DemoStore, stories: Sequence[Story], time: FakeTime, *, seconds: float
) -> None:
    """Let a new demo's workers attend to the runs of these stories, and begin none."""
    end = time.now + timedelta(seconds=seconds)
    async with Stage(store, opens=time.now) as stage:
        stage.cue(partial(attend, stage, stories), time.now)
        await stage.live(time.clock, time.sleep, over=lambda: time.now > end)


def rows(path: Path, sql: str, *values: object) -> list[Row]:
    """Query with a connection of our own."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(sql, values)]
    finally:
        connection.close()


def runs(path: Path) -> list[Row]:
    """Return all runs, oldest first, with their JSON read."""
    found = rows(path, "SELECT * FROM runs ORDER BY started_at, rowid")
    return [
        {name: json.loads(cell) if _is_json(cell) else cell for name, cell in row.items()}
        for row in found
    ]


def _is_json(cell: object) -> bool:
    return isinstance(cell, str) and cell[:1] in {"[", "{"}


def watch_statuses(path: Path) -> None:
    """Let the database itself keep every change of a status, in a table of its own."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE seen (run_id TEXT, old TEXT, new TEXT);"
        "CREATE TRIGGER watch AFTER UPDATE OF status ON runs WHEN old.status <> new.status"
        " BEGIN INSERT INTO seen VALUES (new.run_id, old.status, new.status); END;"
    )
    connection.close()


def can_be_written(path: Path) -> bool:
    """Say whether nobody holds the write lock."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True
