"""A database in a folder of another user is a snapshot: said so, never called live, untouched."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import Guest, listing
from tests.tui.branching import ask
from tests.tui.harness import NARROW, WIDE, Explorer, exploring
from tests.tui.writer import seen
from zeroth_store.sqlite.acting.guest_actor import GuestActor

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")

OWNER = 4242


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A database of an owner who has closed it, with the log that it needs switched on."""
    path = tmp_path / "theirs" / "g.db"
    path.parent.mkdir()
    with Guest(path, wal=True) as guest:
        guest.run("first", "RUNNING")
        guest.thread("t-1", ["first"])
    for given in (path, path.parent):
        os.chown(given, OWNER, OWNER)
    assert list(listing(path.parent)) == ["g.db"]
    return path


def top(explorer: Explorer) -> str:
    """Return the first line of the screen, which says how old the data is."""
    return explorer.text.splitlines()[0]


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.thorough)])
async def test_it_says_snapshot_and_leaves_no_trace(foreign: Path, size: tuple[int, int]) -> None:
    before = listing(foreign.parent)
    async with exploring(foreign, size=size) as explorer:
        assert "snapshot of 10:05:00" in top(explorer)
        assert "live" not in top(explorer)
        await explorer.press(*"123456", "r")
        await explorer.filter("first")
        assert "1 of 1" in explorer.text
        assert listing(foreign.parent) == before
    assert listing(foreign.parent) == before


@pytest.mark.thorough
@pytest.mark.parametrize("stays", [True, False])
async def test_what_the_owner_commits_later_is_not_shown_as_live(
    foreign: Path, stays: bool
) -> None:
    """The owner may keep the database open, or close it at once."""
    async with exploring(foreign, size=WIDE) as explorer:
        assert "▶ RUNNING" in explorer.text
        with closing(sqlite3.connect(foreign, isolation_level=None)) as owner:
            owner.execute("UPDATE runs SET status = 'FAILED'")
            if not stays:
                owner.close()
            await seen(explorer, "✖ FAILED")
            assert "snapshot of" in top(explorer)
            assert "live" not in top(explorer)
        await explorer.press("r")
        assert "live" not in top(explorer)
    # Whatever lies there now is the owner's, who is not locked out and takes it away.
    assert {path.stat().st_uid for path in foreign.parent.iterdir()} == {OWNER}
    with closing(sqlite3.connect(foreign, isolation_level=None)) as owner:
        assert owner.execute("UPDATE runs SET status = 'COMPLETED'").rowcount == 1
    assert list(listing(foreign.parent)) == ["g.db"]


@pytest.mark.thorough
async def test_nothing_is_written_there(foreign: Path) -> None:
    before = listing(foreign.parent)
    async with exploring(foreign, size=WIDE, actor=GuestActor(foreign)) as explorer:
        await ask(explorer, "x", "What to do to run first")
        await ask(explorer, "1", "RUNNING -> ✖ FAILED")
        await ask(explorer, "y", "g.db lies in a folder that is not yours")
        assert "act on it as its owner; nothing changed" in explorer.said
        assert listing(foreign.parent) == before
    assert listing(foreign.parent) == before
