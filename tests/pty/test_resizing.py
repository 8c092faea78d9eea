"""From 200 columns to one and back: no size stops the explorer, and it looks the same again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pty import databases
from tests.pty.escapes import foreign
from tests.pty.terminal import Terminal
from tests.pty.tour import TABS
from tests.pty.ways import READY

SHRINKING = [(200 - 9 * step, 60 - 3 * step) for step in range(20)] + [
    (25, 2), (20, 1), (9, 9), (3, 24), (2, 2), (1, 40), (120, 1), (1, 1),
]  # fmt: skip
LARGE = (160, 45)
PATIENCE = 30.0
"""Seconds within which a busy machine draws the screen anew."""
CLOCK = re.compile(r"\d\d:\d\d:\d\d|\d+ ?s\b")

pytestmark = pytest.mark.thorough


def looks(terminal: Terminal) -> str:
    """Return the screen without what the passing of time changes."""
    return CLOCK.sub("", terminal.text)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        pytest.param("", READY, id="run"),
        pytest.param("x", "What to do", id="actions"),
        pytest.param("?", "Keys", id="help"),
        pytest.param("\x10", "Search", id="palette"),
        pytest.param("v", "failed", id="views"),
        pytest.param("@", "Journal", id="journal"),
        *(pytest.param(key, f"[{name}]", id=f"tab {key}") for key, name in TABS.items()),
    ],
)
def test_any_size_is_drawn(keys: str, shown: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with Terminal(databases.small(tmp_path / "db"), home=home, size=LARGE) as terminal:
        terminal.wait_for(READY)
        terminal.press(keys)
        terminal.wait_for(shown)
        terminal.rest()
        before = looks(terminal)
        for size in (*SHRINKING, *reversed(SHRINKING), LARGE):
            terminal.resize(size)
            terminal.rest(0.03, 2)
            assert terminal.process.poll() is None, f"ended at {size}"
        terminal.becomes(lambda: looks(terminal) == before, PATIENCE)
        assert looks(terminal) == before
        terminal.press("\x11")
        assert terminal.left().code == 0
    assert foreign(terminal.output) == []
