"""Nothing that the explorer shows, copies or writes holds a secret that was stored."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.pty import databases
from tests.pty.escapes import copied, foreign
from tests.pty.mistakes import LOCAL_SECRET, QUOTED_SECRET, TYPED_SECRET
from tests.pty.poison import plant
from tests.pty.terminal import Terminal
from tests.pty.tour import CTRL_P, ENTER, tour
from tests.pty.ways import MISTAKEN, READY
from zeroth_tui.text import MASK

FAKE: Final = "FAKE"
"""Every planted secret holds this, and nothing else does."""

KEY: Final = f"sk-{FAKE}{'a1b2' * 6}"
SENTENCE: Final = (
    f"failed: password={FAKE}1 Authorization: Bearer {FAKE}2 at postgres://u:{FAKE}3@db/x, {KEY}"
)
MEMBERS: Final = {
    "password": f"{FAKE}4",
    "credentials": {"user": f"{FAKE}5", "list": [f"{FAKE}6"]},
    "x-api-key": f"{FAKE}7",
    "dsn": f"redis://:{FAKE}8@cache/0",
    "log": SENTENCE,
    "coloured": f"\x1b[31m{KEY}\x1b[0m",
    "nested": f'{{"client_secret": "{FAKE}9"}}',
}
STYLE: Final = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def planted(folder: Path) -> Path:
    """Make a database with secrets in every JSON value, error and failure."""
    path = databases.small(folder)
    plant(path, MEMBERS)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE runs SET error = ?", (SENTENCE,))
        connection.execute(
            "UPDATE runs SET failure_state = json_set(failure_state, '$.message', ?)"
            " WHERE failure_state IS NOT NULL",
            (SENTENCE,),
        )
    return path


@pytest.mark.thorough
def test_no_secret_is_in_anything_that_is_produced(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with Terminal(
        "key",
        planted(tmp_path / "db"),
        home=home,
        size=(160, 45),
        program=MISTAKEN,
        environment={"TEXTUAL_LOG": str(home / "textual.log")},
    ) as terminal:
        terminal.wait_for(READY)
        for _ in tour(terminal, quiet=0.06):
            pass
        for keys, shown in (
            ("3", "[State]"),
            ("e", MASK),
            (CTRL_P, "Search"),
            ("screenshot", "Save an SVG"),
            (ENTER, ""),
        ):
            terminal.press(keys)
            terminal.wait_for(shown)
            terminal.rest(0.5)
        terminal.wait_for("Wrote zeroth-tui-")
        terminal.press("r")
        assert terminal.left().code == 1
    output = terminal.output
    assert foreign(output) == []
    written = {
        str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()
    }
    pictures = [data for name, data in written.items() if name.endswith(".svg")]
    assert any(b"hidden" in picture for picture in pictures)
    assert "textual.log" in written
    assert b"stopped because" in output
    assert MASK.encode() in output
    places = {
        "screen": output,
        "screen without styles": STYLE.sub(b"", output),
        "clipboard": "\n".join(copied(output)).encode(),
        **written,
    }
    secrets = (FAKE, LOCAL_SECRET, QUOTED_SECRET, TYPED_SECRET)
    assert {
        (name, secret)
        for name, data in places.items()
        for secret in secrets
        if secret.encode() in data
    } == set()
