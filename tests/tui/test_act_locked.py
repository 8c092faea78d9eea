"""An act that meets a lock or a broken disk waits in the background, and says what it changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from tests.store.faulty import Plan, failing
from tests.store.guests import Guest
from tests.tui import writer
from tests.tui.branching import ask, select, until
from tests.tui.harness import Explorer, exploring
from tests.tui.sample import run_id
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.actions import RunActor
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.acting.own_actor import OwnActor
from zeroth_tui.screens.opening import Opening
from zeroth_tui.views.named_views import NamedView

Kind = Literal["own", "guest"]
FLAT: Final = Opening(view=NamedView("all runs"))
"""Opens on a list of runs, with the cursor on the newest."""

NEWEST: Final = {"own": run_id("a03e5d"), "guest": "locked"}
"""The newest run of each kind of database, which is PENDING."""

BELOW: Final = {"own": "f28d2800", "guest": "beside"}
"""What stands on screen of the run below it, once that is open."""

FAIL: Final = {"own": "5", "guest": "1"}
"""The number of the act that makes it FAILED."""

BUSY: Final = "is busy: another process holds its lock; nothing changed"


@pytest.fixture(params=["guest", pytest.param("own", marks=pytest.mark.thorough)])
def kind(request: pytest.FixtureRequest) -> Kind:
    return "own" if request.param == "own" else "guest"


@pytest.fixture
def path(kind: Kind, database: Path, tmp_path: Path) -> Path:
    if kind == "own":
        return database
    made = tmp_path / "guest.db"
    with Guest(made, wal=True) as guest:
        guest.run("beside", "PENDING", started_at="2026-03-01T09:59:00+00:00")
        guest.run("locked", "PENDING")
        guest.thread("t-1", ["beside", "locked"])
    return made


@asynccontextmanager
async def acting_on(path: Path, kind: Kind, patience: float) -> AsyncIterator[RunActor]:
    """Act as the explorer does, but wait so many seconds for the lock."""
    if kind == "guest":
        yield GuestActor(path, patience=patience)
        return
    async with AsyncSQLiteDatabase(path, busy_timeout=patience) as database:
        runs = RunRepository(database)
        await runs.initialize()
        yield OwnActor(database, runs)


@asynccontextmanager
async def asked(path: Path, kind: Kind, patience: float) -> AsyncIterator[Explorer]:
    """Open the dialog that makes the newest run FAILED: only `y` is missing."""
    async with (
        acting_on(path, kind, patience) as actor,
        exploring(path, actor=actor, journal=journal(path), opening=FLAT) as explorer,
    ):
        await choose(explorer, kind)
        yield explorer


async def choose(explorer: Explorer, kind: Kind) -> None:
    await ask(explorer, "x", f"What to do to run {NEWEST[kind]}")
    await ask(explorer, FAIL[kind], "now ○ PENDING -> ✖ FAILED")


@contextmanager
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold the write lock on another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def journal(path: Path) -> Path:
    return path.with_name("journal.jsonl")


def noted(path: Path) -> list[tuple[bool, str, str | None]]:
    """Return of each act in the journal's file whether it was written, why not, and the status."""
    entries = [json.loads(line) for line in journal(path).read_text().splitlines()]
    return [(entry["written"], entry["problem"], entry["stored"]) for entry in entries]


def stored(path: Path) -> list[Any]:
    """Return every row that an act could change."""
    tables = ("runs", "threads", "run_checkpoints")
    return [select(path, f"SELECT * FROM {table} ORDER BY rowid") for table in tables]


def statuses(path: Path) -> dict[str, str]:
    return {row["run_id"]: row["status"] for row in select(path, "SELECT * FROM runs")}


def opened(explorer: Explorer) -> str:
    """Return the line on the right that names the open run."""
    return explorer.text.splitlines()[2].partition("││")[2]


def writes(explorer: Explorer) -> bool:
    """Whether a write is under way."""
    return any(worker.group == "write" for worker in explorer.app.workers)


@pytest.mark.thorough
async def test_keys_are_answered_while_a_write_waits_for_its_turn(path: Path, kind: Kind) -> None:
    before = stored(path)
    async with asked(path, kind, writer.PATIENCE) as explorer:
        with locked(path) as other:
            await explorer.pilot.press("y")
            await writer.until(explorer, lambda: writes(explorer))
            await explorer.pilot.press("down")
            await writer.until(explorer, lambda: BELOW[kind] in opened(explorer))
            assert writes(explorer)
            assert explorer.said == ""
            assert stored(path) == before
            other.execute("ROLLBACK")
        await until(explorer, "PENDING -> FAILED, read back")
    assert statuses(path)[NEWEST[kind]] == "FAILED"
    assert noted(path) == [(True, "", "FAILED")]


async def test_a_lock_that_is_kept_is_told_and_a_second_try_is_written(
    path: Path, kind: Kind
) -> None:
    before = stored(path)
    problem = f"{path.name} {BUSY}"
    async with asked(path, kind, 0.05) as explorer:
        with locked(path):
            await ask(explorer, "y", problem)
            assert explorer.said == f"{NEWEST[kind][:8]}: {problem}"
            assert stored(path) == before
            assert noted(path) == [(False, problem, None)]
            shown = await ask(explorer, "at", "Journal")
            assert f"outcome {problem}" in shown
            assert "undo no: nothing was written" in shown
            await explorer.press("escape")
        await choose(explorer, kind)
        await ask(explorer, "y", "PENDING -> FAILED, read back")
    assert noted(path) == [(False, problem, None), (True, "", "FAILED")]
    changed = {name for name, now in statuses(path).items() if now != was(before, name)}
    assert changed == {NEWEST[kind]}


def was(before: list[Any], name: str) -> Any:
    [status] = [row["status"] for row in before[0] if row["run_id"] == name]
    return status


class AtCommit(Plan):
    """Fails where a write would become durable."""

    def reached(self, connection: sqlite3.Connection | None, sql: str = "") -> None:
        """Let the commit be the call that fails, once that is asked for."""
        if sql == "COMMIT" and self.lasting:
            self.call, self.lasting = self.calls + 1, False
        super().reached(connection, sql)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("FULL", "the disk that holds {} is full; nothing changed"),
        ("IOERR", "{} could not be read or written: disk I/O error; nothing changed"),
    ],
)
async def test_a_disk_that_fails_is_told_and_nothing_is_changed(
    path: Path, kind: Kind, fault: str, words: str
) -> None:
    before = stored(path)
    problem = words.format(path.name)
    with failing(AtCommit(fault)) as plan:
        async with asked(path, kind, writer.PATIENCE) as explorer:
            plan.lasting = True
            await ask(explorer, "y", "nothing changed")
            assert explorer.said == f"{NEWEST[kind][:8]}: {problem}"
            assert stored(path) == before
            assert noted(path) == [(False, problem, None)]
            await choose(explorer, kind)
            await ask(explorer, "y", "PENDING -> FAILED, read back")
    assert statuses(path)[NEWEST[kind]] == "FAILED"
