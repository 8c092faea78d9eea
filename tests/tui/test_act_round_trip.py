"""From the dialog to the database and back: what is shown is written, and an undo restores it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from textual.app import App

from tests.store.guests import Guest
from tests.tui.sample import NOW, run_id
from zeroth_store import AsyncSQLiteDatabase, RunRepository
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Outcome, RunActor, Write
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.acting.own_actor import OwnActor
from zeroth_store.summaries import RunKey
from zeroth_tui.journal import Journal, undo_of
from zeroth_tui.screens.act_dialog import ActDialog
from zeroth_tui.screens.journal_screen import JournalScreen, Undo
from zeroth_tui.views.act_choices import Candidate

Kind = Literal["own", "guest"]
TOUCHED = {"updated_at"}
"""Columns that every write changes."""


def now() -> Any:
    return NOW


def stored(path: Path, one: str) -> dict[str, Any]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        row = connection.execute("SELECT * FROM runs WHERE run_id = ?", (one,)).fetchone()
    return {name: row[name] for name in row.keys() if name not in TOUCHED}  # noqa: SIM118


@asynccontextmanager
async def acting_on(path: Path, kind: Kind) -> AsyncIterator[RunActor]:
    if kind == "guest":
        yield GuestActor(path, clock=now)
        return
    async with AsyncSQLiteDatabase(path) as database:
        runs = RunRepository(database, clock=now)
        await runs.initialize()
        yield OwnActor(database, runs, clock=now)


async def ask(actor: RunActor, one: str, press: Callable[[Any], tuple[str, ...]]) -> Write:
    """Open the dialog on a run, choose an act, and confirm it."""
    key = RunKey("default", "null", one)
    standing = await actor.standing(key)
    assert standing is not None
    run = Candidate(key, standing, offers(standing, NOW))
    app: App[None] = App()
    returned: list[tuple[Write, ...] | None] = []
    screen = ActDialog([run], partial(plan, now=NOW))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(screen, returned.append)
        for key_name in (*press([offer.act + (offer.to or "") for offer in run.offers]), "y"):
            await pilot.press(key_name)
            await pilot.pause()
    assert returned[0] is not None
    [write] = returned[0]
    return write


async def undone(kept: Journal) -> Undo:
    """Open the journal and ask for the undo of the newest entry."""
    app: App[None] = App()
    returned: list[Undo | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        screen = JournalScreen(kept, database="runs.db", clock=now, zone=UTC)
        await app.push_screen(screen, returned.append)
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("z")
        await pilot.pause()
    assert returned[0] is not None
    return returned[0]


def choose(act: str) -> Callable[[list[str]], tuple[str, ...]]:
    return lambda acts: (str(acts.index(act) + 1),)


def record(kept: Journal, kind: Kind, write: Write, outcome: Outcome) -> None:
    kept.record(write, outcome, database="runs.db", kind=kind)


@pytest.fixture
def kept(tmp_path: Path) -> Journal:
    ticks = iter(range(100))
    return Journal(tmp_path / "j.jsonl", lambda: NOW + timedelta(seconds=next(ticks)), "olga")


@pytest.fixture
def guest(tmp_path: Path) -> Path:
    path = tmp_path / "guest.db"
    with Guest(path) as database:
        database.run("r1", "PENDING", error=None)
        database.thread("t-1", ["r1"])
    return path


@pytest.mark.parametrize(("prefix", "act"), [("a03e5d", "moveFAILED"), ("81bc02", "movePENDING")])
async def test_an_own_run_is_moved_and_moved_back(
    database: Path, kept: Journal, prefix: str, act: str
) -> None:
    one = run_id(prefix)
    before = stored(database, one)
    async with acting_on(database, "own") as actor:
        write = await ask(actor, one, choose(act))
        outcome = await actor.write(write)
        assert outcome.written, outcome.problem
        after = stored(database, one)
        # Exactly the columns that were shown changed, to the values that were shown.
        assert after == {**before, **write.columns}
        assert after != before
        record(kept, "own", write, outcome)
        undo = await undone(kept)
        assert (await actor.write(undo.write)).written
        assert stored(database, one) == before


async def test_a_cancelled_guest_goes_back_to_the_workers(guest: Path, kept: Journal) -> None:
    before = stored(guest, "r1")
    async with acting_on(guest, "guest") as actor:
        write = await ask(actor, "r1", choose("cancelFAILED"))
        outcome = await actor.write(write)
        assert outcome.written, outcome.problem
        assert stored(guest, "r1") == {**before, **write.columns}
        record(kept, "guest", write, outcome)
        undo = await undone(kept)
        assert (await actor.write(undo.write)).written
        assert stored(guest, "r1") == before


async def test_an_undo_loses_against_whoever_was_faster(guest: Path, kept: Journal) -> None:
    async with acting_on(guest, "guest") as actor:
        write = await ask(actor, "r1", choose("cancelFAILED"))
        record(kept, "guest", write, await actor.write(write))
        [entry] = kept.entries()
        undo = undo_of(entry)
        assert isinstance(undo, Write)
        with closing(sqlite3.connect(guest)) as other, other:
            other.execute("UPDATE runs SET status = 'COMPLETED'")
        outcome = await actor.write(undo)
        assert (outcome.written, outcome.stored) == (False, "COMPLETED")
        assert stored(guest, "r1")["status"] == "COMPLETED"
