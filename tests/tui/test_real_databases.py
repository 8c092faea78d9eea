"""Databases that real Zeroth wrote, looked at in the real app and compared with plain SQL."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.conftest import shared
from tests.tui.harness import NARROW, WIDE, Explorer, exploring

DATABASES = (
    "rev001.db",
    "rev004-v0.1.0.db",
    "rev015-v0.13.14.db",
    "rev021.db",
    "rev022-v0.22.4.db",
    "rev026-crashed.tar",
    "rev026-edges.db",
    "rev026-encrypted.db",
    "rev026-main.db",
    "rev026-repositories-only.db",
    "rev026-tenants.db",
)
CASES = ("01", "03", "05", "07", "09", "11", "13", "15", "17", "19", "21", "23")

VISIT_LIMIT = "a70e859061f84ba8bb5b68feb2eb9e75"
PARENT = "37ed6f1ced65489a88365f703fea0bde"
CHILD = "29749b9ba67f4118b5cbb0effa8115d3"
ERASED = "ac3595f6cedb426f872a78dea6b2adce"
FAILED = "5a25b806968a4270b53812e963aa8aa4"
CHAT = "d6048c37ef07402b84bd0ce25f20811c"


QUICK = {"rev001.db", "rev026-crashed.tar", "rev026-tenants.db"}


def copied(name: str, folder: Path) -> Path:
    """Return a copy of one of the shared databases."""
    source = shared("data", "zeroth", name)
    if source.suffix != ".tar":
        return Path(shutil.copy(source, folder / name))
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.rglob("*.db"))


def made(number: str, folder: Path) -> Path:
    """Return the database that a case makes."""
    case = next(shared("cases").glob(f"{number}-*"))
    subprocess.run(
        [sys.executable, str(case / "make.py"), str(folder)], check=True, capture_output=True
    )
    return folder / "case.db"


def digests(folder: Path) -> dict[str, str]:
    """Return every file below a folder with what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


async def look_everywhere(explorer: Explorer) -> None:
    """Page through all runs and look at every tab of the first and the last."""
    last = ("end", "1", "3", "5", "7", "t", "t")
    await explorer.press("t", "home", "1", "2", "3", "4", "5", "6", "7", *last)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in DATABASES],
)
async def test_every_real_database_opens_and_stays_as_it_is(name: str, tmp_path: Path) -> None:
    path = copied(name, tmp_path)
    before = digests(tmp_path)
    async with exploring(path, size=NARROW) as explorer:
        await look_everywhere(explorer)
        assert f"guest rev {name[3:6]}" in explorer.text
    assert digests(tmp_path) == before


@pytest.mark.thorough
@pytest.mark.parametrize("number", CASES)
async def test_every_nasty_database_opens_and_stays_as_it_is(number: str, tmp_path: Path) -> None:
    path = made(number, tmp_path)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        total = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    before = digests(tmp_path)
    async with exploring(path, size=(120, 40)) as explorer:
        await look_everywhere(explorer)
        assert f"{total} run" in explorer.text.splitlines()[0]
    assert digests(tmp_path) == before


async def open_run(explorer: Explorer, run_id: str, tab: str) -> str:
    """Find a run by its id, open a tab of it and return the screen."""
    await explorer.open_run(run_id[:8], tab)
    return explorer.text


async def test_a_failed_run_says_why(tmp_path: Path) -> None:
    path = copied("rev026-main.db", tmp_path)
    async with exploring(path, size=WIDE) as explorer:
        screen = await open_run(explorer, FAILED, "5")
    assert "node_execution_failed" in screen
    assert "warehouse refused row 1: [red]ERROR[/red] <timeout> ünïcode" in screen


async def test_a_visit_limit_is_not_taken(tmp_path: Path) -> None:
    path = copied("rev026-main.db", tmp_path)
    async with exploring(path, size=WIDE) as explorer:
        await open_run(explorer, VISIT_LIMIT, "2")
        await explorer.press("end")
        screen = explorer.text
    stored = json.loads(column(path, VISIT_LIMIT, "condition_results"))
    limited = [c for c in stored if c["details"].get("suppression_reason") == "visit_limit"]
    assert [c["matched"] for c in limited] == [True]
    said = [line for line in screen.splitlines() if "visit limit" in line]
    assert len(said) == 1
    assert "not taken" in said[0]


async def test_a_parent_shows_its_child(tmp_path: Path) -> None:
    path = copied("rev026-main.db", tmp_path)
    assert json.loads(column(path, CHILD, "metadata"))["parent_run_id"] == PARENT
    async with exploring(path, size=WIDE) as explorer:
        screen = await open_run(explorer, PARENT, "1")
    assert any("child run" in line and CHILD[:8] in line for line in screen.splitlines())


async def test_an_erased_run_says_so(tmp_path: Path) -> None:
    path = copied("rev026-main.db", tmp_path)
    async with exploring(path, size=WIDE) as explorer:
        screen = await open_run(explorer, ERASED, "1")
    assert "erased by retention" in screen


async def test_a_chat_thread_holds_its_states_and_no_pseudo_thread_is_listed(
    tmp_path: Path,
) -> None:
    path = copied("rev026-main.db", tmp_path)
    async with exploring(path, size=WIDE) as explorer:
        assert "chat-77" in explorer.text
        assert "thread-state" not in explorer.text
        screen = await open_run(explorer, CHAT, "4")
    assert screen.count("agent state  ") == 3


async def test_equal_ids_of_several_tenants_stay_apart(tmp_path: Path) -> None:
    path = copied("rev026-tenants.db", tmp_path)
    async with exploring(path, size=WIDE) as explorer:
        await explorer.filter("shared-run-id")
        await explorer.press("enter")
        left = [line.split("│")[1] for line in explorer.text.splitlines() if "│" in line]
    assert len({row for row in left if "shared-run-id" in row}) == 6


def column(path: Path, run_id: str, name: str) -> str:
    """Return one cell by plain SQL."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        row = connection.execute(f"SELECT {name} FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    return str(row[0])
