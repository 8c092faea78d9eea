"""The journal on screen: what was done, newest first, and what can be undone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from tests.tui.driver import Driver
from tests.tui.journals import KEY, NOON, entry, journal
from zeroth_store.actions import Outcome, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.journal import Entry, Journal, JournalError
from zeroth_tui.screens.act_results import ActResults
from zeroth_tui.screens.journal_screen import JournalScreen, Undo

pytestmark = pytest.mark.thorough

NARROW, WIDE = (80, 24), (160, 45)
DATABASE = "runs.db"


def now() -> datetime:
    return NOON + timedelta(minutes=5)


def cancelled(run_id: str, **changes: Any) -> Entry:
    fields: dict[str, Any] = {
        "key": RunKey("default", "null", run_id),
        "seen": "PENDING",
        "columns": ("status", "error"),
        "before": {"status": "PENDING", "error": None},
        "after": {"status": "FAILED", "error": "by hand"},
        "reason": "no longer needed",
    }
    return entry(**{**fields, **changes})


class Opened(Driver):
    """The journal open over an empty application."""

    def __init__(self, kept: Journal, **options: Any) -> None:
        self.app = App()
        defaults: dict[str, Any] = {"database": DATABASE, "clock": now, "zone": UTC}
        self.screen = JournalScreen(kept, **{**defaults, **options})
        self.returned: list[Undo | None] = []


@asynccontextmanager
async def showing(
    kept: Journal, size: tuple[int, int] = NARROW, **options: Any
) -> AsyncIterator[Opened]:
    opened = Opened(kept, **options)
    async with opened.app.run_test(size=size, notifications=True) as pilot:
        opened.pilot = pilot
        await opened.app.push_screen(opened.screen, opened.returned.append)
        await opened.app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.pause()
        yield opened


@pytest.fixture
def kept(tmp_path: Path) -> Journal:
    """Return a journal of another session, and one of this one that continues it."""
    path = tmp_path / "journal.jsonl"
    earlier = journal(path)
    earlier.add(cancelled("old"))
    earlier.add(cancelled("new", time=NOON + timedelta(minutes=3)))
    return journal(path)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_entries_are_listed_newest_first_and_shown_whole(
    kept: Journal, size: tuple[int, int]
) -> None:
    async with showing(kept, size) as opened:
        assert (
            "✔ 2m Move new ○ PENDING -> ✖ FAILED ✔ 5m Move old ○ PENDING -> ✖ FAILED"
            in opened.words
        )
        for shown in (
            "when 2026-03-01 12:03:00.000 UTC, 2m ago",
            "who olga",
            "database runs.db",
            "run new of default",
            "reason no longer needed",
            "outcome written and read back",
        ):
            assert shown in opened.words
        await opened.press("down")
        assert "run old of default" in opened.words


async def test_an_entry_shows_each_column_before_and_after_and_its_undo(kept: Journal) -> None:
    async with showing(kept, WIDE) as opened:
        assert "status before PENDING after FAILED" in opened.words
        assert "error before NULL after by hand" in opened.words
        assert "undo ✖ FAILED -> ○ PENDING" not in opened.words
        assert "undo FAILED -> PENDING" in opened.words


async def test_z_returns_the_write_that_undoes_and_writes_nothing(kept: Journal) -> None:
    async with showing(kept) as opened:
        await opened.press("down", "z")
        [undo] = opened.returned
        assert undo is not None
        assert undo.entry.key.run_id == "old"
        assert undo.write == Write(
            act="move",
            key=RunKey("default", "null", "old"),
            seen="FAILED",
            columns={"status": "PENDING", "error": None},
        )


@pytest.mark.parametrize(
    ("changes", "options", "words"),
    [
        ({"seen": "RUNNING"}, {}, "a FAILED run cannot become RUNNING again, only PENDING"),
        ({"database": "[/]\x1b.db"}, {}, "it was done to [/]␛.db: open that to undo it"),
        ({}, {"may_write": False}, "this database is open read-only"),
        ({"written": False, "problem": "busy"}, {}, "nothing was written"),
    ],
)
async def test_what_cannot_be_undone_says_why(
    tmp_path: Path, changes: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    kept = journal(tmp_path / "journal.jsonl")
    kept.add(cancelled("r1", **changes))
    async with showing(kept, WIDE, **options) as opened:
        assert f"undo no: {words}" in opened.words
        await opened.press("z")
        assert opened.returned == []
        assert words in opened.said


async def test_the_last_act_on_a_run_is_undone_first(kept: Journal) -> None:
    kept.add(cancelled("old", time=NOON + timedelta(minutes=4)))
    async with showing(kept) as opened:
        await opened.press("end", "z")
        assert "a later act on this run has to be undone first" in opened.said
        await opened.press("home", "z")
        assert opened.returned[0] is not None


async def test_an_empty_journal_says_what_would_fill_it(tmp_path: Path) -> None:
    async with showing(journal(tmp_path / "journal.jsonl")) as opened:
        assert "Nothing was done to any run yet" in opened.words
        await opened.press("z", "down", "enter")
        assert opened.returned == []
        await opened.press("escape")
        assert opened.returned == [None]


async def test_lines_that_cannot_be_read_are_counted(kept: Journal) -> None:
    with kept.path.open("a") as file:
        file.write("{\n[1]\n")
    async with showing(kept, WIDE) as opened:
        assert "2 of its lines unreadable" in opened.words
        assert "Move new" in opened.words


async def test_a_file_that_cannot_be_read_still_shows_this_session(tmp_path: Path) -> None:
    folder = tmp_path / "journal.jsonl"
    folder.mkdir()
    kept = journal(folder)
    with pytest.raises(JournalError):
        kept.add(cancelled("mine"))
    async with showing(kept, WIDE) as opened:
        assert "journal.jsonl cannot be read" in opened.words
        assert "Move mine ○ PENDING -> ✖ FAILED" in opened.words


async def test_hostile_and_secret_text_is_harmless(tmp_path: Path) -> None:
    hostile = "[/] [red]x\x1b]52;c\u202e"
    kept = journal(tmp_path / "journal.jsonl")
    kept.add(
        cancelled(
            hostile,
            user=hostile,
            reason=f"{hostile} password=hunter2",
            seen=hostile,
            before={"status": hostile, "error": "api_key=hunter2"},
            problem=hostile,
        )
    )
    async with showing(kept, WIDE) as opened:
        assert r"who [/] [red]x␛]52;c\u202e" in opened.words
        assert "\x1b" not in opened.text
        assert "hunter2" not in opened.text


@pytest.mark.parametrize("key", ["escape", "at"])
async def test_looking_is_no_action(kept: Journal, key: str) -> None:
    before = kept.path.read_bytes()
    async with showing(kept) as opened:
        await opened.press("down", "up", key)
        assert opened.returned == [None]
    assert kept.path.read_bytes() == before


async def test_results_are_listed_and_one_can_be_opened() -> None:
    other = RunKey("default", "null", "other")
    writes = [Write(act="move", key=key, seen="PENDING", columns={}) for key in (KEY, other)]
    results = [
        (writes[0], Outcome(key=KEY, written=True, stored="PENDING")),
        (writes[1], Outcome(key=other, written=False, stored=None, problem="[/]\x1b busy")),
    ]
    app: App[None] = App()
    returned: list[RunKey | None] = []
    async with app.run_test(size=NARROW) as pilot:
        await app.push_screen(ActResults(results), returned.append)
        await pilot.pause()
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        shown = "\n".join(strip.text for strip in strips)
        assert "1 written, 1 not" in shown
        assert "other: [/]␛ busy" in shown
        await pilot.press("down", "enter")
        await pilot.pause()
    assert returned == [other]
