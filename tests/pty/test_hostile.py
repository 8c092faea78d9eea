"""Stored text, typed text and pasted text: none of it acts on the terminal or stops the app."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pty import databases
from tests.pty.escapes import foreign
from tests.pty.poison import FAMILIES, poison
from tests.pty.terminal import Terminal
from tests.pty.tour import SHORT, STEPS, TABS, tour
from tests.pty.ways import READY

WORST = "".join(FAMILIES[name] for name in ("clipboard", "C1", "character sets", "bidi"))
PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        pytest.param(WORST, SHORT, id="worst"),
        *(
            pytest.param(text, STEPS, id=name, marks=pytest.mark.thorough)
            for name, text in FAMILIES.items()
        ),
    ],
)
def test_stored_text_does_not_act_on_the_terminal(
    text: str, steps: Sequence[tuple[str, tuple[str, ...]]], tmp_path: Path, home: Path
) -> None:
    database = databases.small(tmp_path / "db")
    poison(database, text)
    with Terminal(database, home=home, size=(160, 45)) as terminal:
        terminal.wait_for("8 runs")
        seen = dict(tour(terminal, quiet=0.06, steps=steps))
        terminal.press("q")
        assert terminal.left().code == 0
    assert foreign(terminal.output) == []
    silent = {name for name in TABS.values() if not seen[f"tab {name}"]}
    assert silent == {"Conditions"}  # the run that failed took no decision


def test_bytes_that_are_no_text_are_typed(tmp_path: Path, home: Path) -> None:
    with Terminal(databases.small(tmp_path / "db"), home=home) as terminal:
        terminal.wait_for(READY)
        terminal.press(b"\xff\xfe\x80\xc3")
        terminal.press("/")
        terminal.wait_for("filter:")
        terminal.press(b"ab\xff\xfec\x9b31m")
        terminal.wait_for("ab\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}c")
        terminal.press("\x11")
        assert terminal.left().code == 0
    assert foreign(terminal.output) == []


@pytest.mark.parametrize("place", ["list", pytest.param("filter", marks=pytest.mark.thorough)])
def test_a_megabyte_is_pasted(place: str, tmp_path: Path, home: Path) -> None:
    # Keys of the list that would change much, escape codes, and bytes that are no UTF-8.
    text = (b"xcq1y\r\x1b]52;c;UFdORUQ=\x07\xff\xfe\x9b[/]" * 50_000)[: 1024 * 1024]
    with Terminal(databases.small(tmp_path / "db"), home=home) as terminal:
        terminal.wait_for(READY)
        if place == "filter":
            terminal.press("/")
            terminal.wait_for("filter:")
        terminal.press(PASTE + text + PASTED)
        terminal.rest(0.5)
        if place == "list":
            terminal.press("/")
        terminal.press("\x1b[H")
        terminal.wait_for("filter:")
        terminal.press("\x11")
        assert terminal.left().code == 0
    assert foreign(terminal.output) == []
