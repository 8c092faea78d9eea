"""Acting on one of several runs whose ids look alike changes that run and no other."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.store.guests import Guest
from tests.tui.branching import ask, select
from tests.tui.harness import WIDE, Explorer, exploring
from tests.tui.sample import NOW
from zeroth_store.run_order import RunOrder
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.summaries import NULL_SCOPE, RunKey
from zeroth_tui.screens.opening import Opening
from zeroth_tui.text import line
from zeroth_tui.views.named_views import NamedView

FLAT: Final = Opening(view=NamedView("by start", order=RunOrder("started")))
"""Opens on a list of runs, the newest on top."""


class Alike(NamedTuple):
    """A run that could be taken for another one."""

    run_id: str
    workspace: str | None = None

    @property
    def key(self) -> RunKey:
        """What names it, as Zeroth's scopes are spelled (ZEROTH.md)."""
        scope = NULL_SCOPE if self.workspace is None else f"value:{self.workspace}"
        return RunKey("default", scope, self.run_id)

    @property
    def words(self) -> str:
        """How the dialog names it: spaces at the end are the only thing that is not to be seen."""
        scope = "" if self.workspace is None else f" of default/{self.workspace}"
        return f"{line(self.run_id)}{scope}".rstrip()


ALIKE: Final = (
    *map(Alike, ("run-A", "run-A\u200b", "run-\u0410", "run-A\x00", "run-\u202eA")),
    *map(Alike, ("dup", "dup ", "Dup", " dup")),
    *map(Alike, ("caf\u00e9", "cafe\u0301", "1", "1.0", "a_%", "a_b")),
    Alike("twin"),
    Alike("twin", "w"),
    Alike("twin", "W"),
)
"""From the newest to the oldest."""


@pytest.fixture
def guest(tmp_path: Path) -> Path:
    path = tmp_path / "guest.db"
    with Guest(path) as made:
        for place, (run_id, workspace) in enumerate(ALIKE):
            started = (NOW - timedelta(minutes=place + 1)).isoformat()
            made.run(run_id, "PENDING", workspace_id=workspace, started_at=started)
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    """Return all runs, as many as there were and in the order in which they were made."""
    return select(path, "SELECT * FROM runs ORDER BY rowid")


def changed(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[int]:
    """Return the places of the rows that are not as they were."""
    assert len(before) == len(after)
    return [place for place, row in enumerate(before) if after[place] != row]


async def cancel(explorer: Explorer) -> str:
    """Cancel the run under the cursor; returns its name in the dialog."""
    await ask(explorer, "x", "What to do to run")
    await ask(explorer, "1", "while it is still PENDING")
    [named] = re.findall("│  run {7}(.*?) *│", explorer.text)
    await ask(explorer, "y", "PENDING -> FAILED, read back")
    assert isinstance(named, str)
    return named


@pytest.mark.parametrize("number", [1, pytest.param(len(ALIKE), marks=pytest.mark.thorough)])
async def test_each_is_cancelled_alone(guest: Path, tmp_path: Path, number: int) -> None:
    journal, named = tmp_path / "journal.jsonl", list[str]()
    async with exploring(
        guest, actor=GuestActor(guest), opening=FLAT, journal=journal, size=WIDE
    ) as explorer:
        await explorer.press("home")
        for place, alike in enumerate(ALIKE[:number]):
            before = rows(guest)
            explorer.app.clear_notifications()
            named.append(await cancel(explorer))
            after = rows(guest)
            assert changed(before, after) == [place], alike
            assert after[place]["run_id"] == alike.run_id
            assert after[place]["status"] == "FAILED"
            await explorer.press("down")
    assert named == [alike.words for alike in ALIKE[:number]]
    noted = [json.loads(entry)["key"] for entry in journal.read_text().splitlines()]
    assert noted == [list(alike.key) for alike in ALIKE[:number]]


@pytest.mark.thorough
async def test_only_those_that_are_marked_are_cancelled(guest: Path) -> None:
    """A zero-width space, a letter's case, and one of the two spellings of é."""
    chosen = [place for place, (run_id, _) in enumerate(ALIKE) if run_id in MARKED]
    before = rows(guest)
    async with exploring(guest, actor=GuestActor(guest), opening=FLAT, size=WIDE) as explorer:
        await explorer.press("home")
        for place in range(chosen[-1] + 1):
            await explorer.press("space" if place in chosen else "down")
        await ask(explorer, "x", "3 runs")
        await ask(explorer, "1", "while it is still PENDING")
        await ask(explorer, "y", "3 written, 0 not")
    after = rows(guest)
    assert changed(before, after) == chosen
    assert {after[place]["run_id"] for place in chosen} == MARKED


MARKED: Final = {"run-A\u200b", "Dup", "cafe\u0301"}


@pytest.mark.thorough
async def test_where_the_database_itself_takes_two_for_one_neither_is_changed(
    tmp_path: Path,
) -> None:
    """A column may compare as it likes: there is no way to name one of the two."""
    path = tmp_path / "guest.db"
    with Guest(path) as made:
        [[create]] = made.sql("SELECT sql FROM sqlite_master WHERE name = 'runs'")
        made.sql("DROP TABLE runs")
        loose = create.replace("run_id TEXT", "run_id TEXT COLLATE NOCASE", 1)
        made.sql(loose.replace(", PRIMARY KEY (tenant_id, workspace_scope, run_id)", ""))
        made.run("dup", "PENDING")
        made.run("DUP", "PENDING")
    before = rows(path)
    async with exploring(path, actor=GuestActor(path), opening=FLAT, size=WIDE) as explorer:
        await explorer.press("home", "x", "1")
        await ask(explorer, "y", "2 rows have this id, nothing done")
    assert rows(path) == before
