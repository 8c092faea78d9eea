"""Every way out ends soon, with the right exit code, the terminal as it was and nothing behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pty import databases
from tests.pty.escapes import modes_left
from tests.pty.leaving import wrong
from tests.pty.terminal import ABLE, Terminal, clean
from tests.pty.ways import READY, WAYS, Way

QUICK = {"q", "SIGTERM", "closed terminal", "mistake in a key"}
"""One of each kind; the others take a thorough run."""

PATIENCE = 8.0
"""Seconds that leaving may take while other tests keep the machine busy; `make reliability` tells
whether it takes two."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Make each database once."""
    paths: dict[str, Path] = {}
    folder = tmp_path_factory.mktemp("made")

    def make(kind: str) -> Path:
        if kind not in paths:
            paths[kind] = databases.MAKERS[kind](folder / kind)
        return paths[kind]

    return make


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(way, id=way.name, marks=() if way.name in QUICK else (pytest.mark.thorough,))
        for way in WAYS
    ],
)
def test_a_way_out(way: Way, tmp_path: Path, made: Callable[[str], Path]) -> None:
    database = None
    if way.database:
        database = tmp_path / "db" / "runs.db"
        database.parent.mkdir()
        shutil.copy(made(way.database), database)
    assert wrong(way, tmp_path, database, PATIENCE) == []


def test_a_terminal_that_can_do_more_is_restored_too(
    tmp_path: Path, made: Callable[[str], Path]
) -> None:
    with Terminal(made("small"), home=tmp_path, answers=ABLE) as terminal:
        terminal.wait_for_bytes(b"\x1b[?1016h")
        terminal.wait_for(READY)
        terminal.press("q")
        assert terminal.left().code == 0
    assert modes_left(terminal.output) == {}


@pytest.mark.parametrize(
    ("words", "instead"),
    [(("DATABASE",), "info DATABASE"), (("demo",), "demo --headless")],
    ids=["explorer", "demo"],
)
def test_without_a_terminal_it_says_so(
    words: tuple[str, ...], instead: str, tmp_path: Path, made: Callable[[str], Path]
) -> None:
    database = str(made("small"))
    done = subprocess.run(
        [sys.executable, "-m", "zeroth_tui", *(database if w == "DATABASE" else w for w in words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        env=clean(tmp_path),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("zeroth-tui: the explorer needs a terminal")
    assert f"`zeroth-tui {instead}` works without one" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_cleans_up_too_slowly_leaves_no_temporary_folder(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    (folder / "demo.db").write_text("rows")
    program = (
        "import sys, threading; from zeroth_tui import leaving;"
        " leaving.remove_at_end(sys.argv[1]); leaving.end_soon(7); threading.Event().wait()"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], timeout=60, check=False)
    assert done.returncode == 7
    assert not folder.exists()
