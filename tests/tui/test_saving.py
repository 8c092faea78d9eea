"""Writing a value or a picture of the screen into a new file of the current folder."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.harness import WIDE, exploring
from zeroth_tui.saving import write_new
from zeroth_tui.text import MASK


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder, which is the current one, whose name would be markup."""
    made = tmp_path / "here [i]x"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def remove(folder: Path) -> None:
    folder.rmdir()


async def test_w_writes_the_value_under_the_cursor_without_its_secrets(
    database: Path, folder: Path
) -> None:
    login = "postgres://olga:hunter2@db.invalid/runs"
    output = {"note": "\x1b]0;x\x07 \ud800", "password": "hunter2", "big": 2**70, "at": login}
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "UPDATE runs SET execution_history = json_set(execution_history,"
            " '$[#-1].output_snapshot', json(?)) WHERE run_id LIKE '7f3a%'",
            (json.dumps(output),),
        )
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run("7f3a", "3", "w")
        (written,) = files(folder)
        assert f"Wrote {written.name} in " in explorer.said
    assert written.name == "zeroth-tui-20260301-100500-7f3a1100-output.json"
    assert written.stat().st_mode & 0o777 == 0o600
    text = written.read_text("utf-8")
    masked = f"postgres://olga:{MASK}@db.invalid/runs"
    assert json.loads(text) == {**output, "password": MASK, "at": masked}
    assert text.removesuffix("\n").isprintable()


async def test_ctrl_s_writes_what_is_on_the_screen(database: Path, folder: Path) -> None:
    async with exploring(database) as explorer:
        await explorer.press("ctrl+s", "ctrl+s")
        written = [path.name for path in files(folder)]
        picture = (folder / written[-1]).read_text("utf-8")
    name = "zeroth-tui-20260301-100500-screenshot"
    assert written == [f"{name}-2.svg", f"{name}.svg"]
    assert picture.startswith("<svg")
    assert "nightly-report" in picture


async def test_where_nothing_can_be_written_it_says_so(database: Path, folder: Path) -> None:
    async with exploring(database) as explorer:
        remove(folder)
        await explorer.press("ctrl+s")
        assert "cannot be written in the current folder" in explorer.said


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    paths = [write_new(tmp_path, "a.b.json", text) for text in ("one", "two", "three")]
    assert [path.name for path in paths] == ["a.b.json", "a.b-2.json", "a.b-3.json"]
    assert [path.read_text() for path in paths] == ["one", "two", "three"]
