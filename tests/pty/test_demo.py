"""The demo on a screen: it obeys the settings, and ends with a sentence when it cannot go on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.pty.terminal import Terminal
from zeroth_tui.cli import main
from zeroth_tui.session import make_store

SETTINGS = """\
read_only = true

[[views]]
name = "what went wrong today"
filter = "is:failed"
"""


@pytest.mark.parametrize("many", [0, 60], ids=["before it opens", "while it is open"])
def test_a_demo_that_cannot_write_ends_with_a_sentence(many: int, tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    asyncio.run(make_store(path))
    with closing(sqlite3.connect(path)) as connection:
        # The past is of some fifty runs.
        connection.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON runs WHEN (SELECT count(*) FROM runs) >= {many}"
            " BEGIN SELECT RAISE(ABORT, 'the disk is tired'); END"
        )
    words = ("demo", "--database", path, "--threads", "30", "--speed", "100")
    with Terminal(*words, home=tmp_path) as terminal:
        terminal.wait_for_bytes(b"demo.db: the disk is tired")
        assert terminal.left().code == 2


@pytest.mark.thorough
def test_a_demo_is_set_as_the_explorer_is(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SETTINGS)
    words = ("demo", "--config", tmp_path / "mine.toml")
    with Terminal(*words, home=tmp_path, environment={"TMPDIR": str(tmp_path)}) as terminal:
        terminal.wait_for("READ-ONLY")
        terminal.wait_for("Timeline")
        terminal.press("v")
        terminal.wait_for("what went wrong today")


def test_keys_that_clash_are_told_before_a_demo_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text('[keymap]\nexplorer.act = "t"\n')
    config = ["--config", str(tmp_path / "mine.toml")]
    assert (main(["demo", *config]), main(["config", *config])) == (2, 2)
    demo, config_ = capsys.readouterr().err.splitlines()
    assert demo == config_
    assert "explorer.mode" in demo
