"""The nasty databases of the shared folder in the real app: what stands on the screen is right."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.guests import listing
from tests.tui.conftest import shared
from tests.tui.harness import Explorer, exploring
from tests.tui.test_real_databases import made
from zeroth_store.actions import Write
from zeroth_store.errors import DatabaseBusy
from zeroth_store.run_order import RunOrder
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_store.summaries import NULL_SCOPE, RunKey
from zeroth_tui.screens.opening import Opening
from zeroth_tui.views.named_views import NamedView

pytestmark = pytest.mark.thorough

SIZE = (220, 50)
FLAT = Opening(location="case.db", view=NamedView("all runs"))
"""Opens on a list without threads."""

MARKUP = (
    "[bold]x",
    "[/]",
    "[/red]",
    "ZLEX z [b + should",
    "[type=missing, input_value={'a': 1}, input_type=dict]",
    'latvec[0] = [1, "3"]',
    "tail\\[x]\\",
    "[@click=app.quit]press[/]",
    "[link='http://evil.invalid']docs[/link]",
    "[$error]x[/] $text",
    ":skull: :bell:",
    "[" * 40,
)


def left(explorer: Explorer) -> list[str]:
    """Return the rows of the list."""
    lines = [line.split("│")[1] for line in explorer.text.splitlines() if line.startswith("│")]
    return [line.strip() for line in lines if line.strip()][1:]


def right(explorer: Explorer) -> list[str]:
    """Return the lines of the open run."""
    return [line.split("││")[1].strip(" │") for line in explorer.text.splitlines() if "││" in line]


async def test_01_markup_is_shown_letter_by_letter(tmp_path: Path) -> None:
    path = made("01", tmp_path)
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        assert len(left(explorer)) == 13
        for text in reversed(MARKUP):  # the newest is on top, and each opens at its failure
            assert f"message     {text}" in right(explorer)
            await explorer.press("down")
    async with exploring(path, size=SIZE) as explorer:
        await explorer.filter("[")
        assert len(left(explorer)) == sum("[" in text for text in MARKUP) == 11


async def test_03_ids_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    path = made("03", tmp_path)
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        rows = left(explorer)
        assert len(set(rows)) == len(rows) == 9
        assert any("run-\\u202e1000" in row for row in rows)
        assert any("run-A\\u200b" in row for row in rows)
    async with exploring(path, size=SIZE) as explorer:
        await explorer.filter("caf\u00e9")
        assert len(left(explorer)) == 1


async def test_05_a_control_character_hides_no_word_and_makes_no_line(tmp_path: Path) -> None:
    path = made("05", tmp_path)
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        rows = left(explorer)
        assert len(rows) == 12
        assert any("FAILED␀" in row for row in rows)
        assert any(row.startswith("✔ cc-newline␊") for row in rows)
    async with exploring(path, size=SIZE) as explorer:
        await explorer.open_run("cc-cr-spoof", "5")
        assert "FAILED␍COMPLETED" in explorer.text
    async with exploring(path, size=SIZE) as explorer:
        await explorer.filter("status:FAILED")
        assert len(left(explorer)) == 9
        assert not any("cc-nul" in row for row in left(explorer))


async def test_07_what_is_no_text_hides_no_row_and_is_not_acted_on(tmp_path: Path) -> None:
    path = made("07", tmp_path)
    actor = GuestActor(path)
    async with exploring(path, size=SIZE, opening=FLAT, actor=actor) as explorer:
        assert len(left(explorer)) == 5
        await explorer.press("home", "x")
        assert "its stored id is no text that can name it" in " ".join(explorer.text.split())
    async with exploring(path, size=SIZE) as explorer:
        await explorer.open_run("blob-text", "6")
        assert "<blob 4096 bytes>" in explorer.text


async def test_09_json_of_any_depth_unfolds_level_by_level(tmp_path: Path) -> None:
    path = made("09", tmp_path)
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        assert len(left(explorer)) == 6
    async with exploring(path, size=SIZE) as explorer:
        await explorer.open_run("deep-3000", "3", "right", "right", "right")
        assert "2 cells are not readable" in explorer.text
        assert "▾ [1]" in explorer.text  # the outermost of 3,000 lists holds one value


async def test_11_entries_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    path = made("11", tmp_path)
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        assert len(left(explorer)) == 14
    async with exploring(path, size=SIZE) as explorer:
        await explorer.open_run("bad-history-items", "1")
        assert "7 of 7 entries not readable" in explorer.text


async def test_13_times_sort_by_instant_and_what_is_assumed_is_marked(tmp_path: Path) -> None:
    path = made("13", tmp_path)
    by_start = NamedView("by start", order=RunOrder("started"))
    async with exploring(path, size=SIZE, opening=Opening(view=by_start)) as explorer:
        order = [row.split()[1] for row in left(explorer)]
        assert len(order) == 19
        at = {name: place for place, name in enumerate(order)}
        # 12:00+02:00 is the moment of 10:00Z, between 29 March and midnight of 1 March.
        for same in ("ts-00", "ts-02", "ts-03", "ts-04"):
            assert at["ts-16"] < at[same] < at["ts-05"]
        # What names no moment comes last.
        for never in ("ts-09", "ts-10", "ts-11", "ts-14", "ts-17"):
            assert at[never] > at["ts-05"]
    async with exploring(path, size=SIZE) as explorer:
        await explorer.open_run("ts-00")
        assert "≈2026-03-01 10:00:00.000 UTC" in explorer.text


async def test_15_a_status_nobody_knows_is_counted_and_not_acted_on(tmp_path: Path) -> None:
    path = made("15", tmp_path)
    actor = GuestActor(path)
    async with exploring(path, size=SIZE, actor=actor) as explorer:
        chips = re.findall(r"[?✔] (\d+)", explorer.text.splitlines()[0])
        assert sum(map(int, chips)) == 10
        await explorer.open_run("st-0")
        await explorer.press("x")
        assert "its status ZOMBIE is none that this version knows" in explorer.text


async def test_17_orphans_and_cycles_end_and_every_id_opens(tmp_path: Path) -> None:
    path = made("17", tmp_path)
    async with exploring(path, size=SIZE) as explorer:
        assert any("thread not found" in row for row in left(explorer))
    async with exploring(path, size=SIZE, opening=FLAT) as explorer:
        rows = left(explorer)
        assert len(rows) == 11
        assert any("(empty)" in row for row in rows)
        for row in rows:
            name = "(empty)" if "(empty)" in row else row.split()[1]
            assert name in right(explorer)[0]
            await explorer.press("down")


async def test_19_rows_in_the_log_of_a_dead_writer_are_seen(tmp_path: Path) -> None:
    path = made("19", tmp_path)
    main = path.read_bytes()
    async with exploring(path, size=SIZE) as explorer:
        assert "51 runs" in explorer.text.splitlines()[0]
    assert path.read_bytes() == main


async def test_21_a_writer_that_holds_the_lock_keeps_no_reader_out(tmp_path: Path) -> None:
    path = made("21", tmp_path)
    actor = GuestActor(path, patience=0.2)
    async with exploring(path, size=SIZE, actor=actor) as explorer:
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            await explorer.open_run("locked", "6", "1")
            assert "▶ RUNNING" in explorer.text
            assert check_up(path).refusal == ""
            key = RunKey("default", NULL_SCOPE, "locked")
            columns = {"status": "WAITING_INTERRUPT"}
            with pytest.raises(DatabaseBusy, match="nothing changed"):
                await actor.write(Write(act="pause", key=key, seen="RUNNING", columns=columns))
    with closing(sqlite3.connect(path)) as connection:
        stored = connection.execute("SELECT status FROM runs WHERE run_id = 'locked'").fetchall()
    assert stored == [("RUNNING",)]


def test_25_every_corrupt_file_is_checked_without_a_trace(tmp_path: Path) -> None:
    case = next(shared("cases").glob("25-*"))
    subprocess.run([sys.executable, str(case / "make.py"), str(tmp_path)], check=True)
    before = listing(tmp_path)
    checked = {path.name: check_up(path) for path in sorted(tmp_path.glob("*.db"))}
    assert listing(tmp_path) == before
    refused = {name for name, checkup in checked.items() if checkup.refusal}
    nothing = {"zero.db", "text.db", "header-only.db"}
    assert nothing <= refused
    assert not refused & {"seed.db", "garbage-wal.db"}
    assert len(checked) == 27
