"""What `info` and `check` print of hostile databases and names: printable characters alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.store.guests import Guest
from zeroth_tui.commands import COMMANDS

ACTS: Final = "\x1b]52;c;UFdORUQ=\x07\x1b[2J\x9b31m\x9d0;PWNED\x9c\x7f\x0e\r\t\u202e\u2028\ufeff"
"""Sets the clipboard, clears the screen, colours it, sets the title, overwrites, turns around."""

NO_TEXT: Final = b"\xed\xa0\x80\xff"
"""A lone surrogate as CESU-8 spells it, and a byte that is in no UTF-8."""

ASCII: Final = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
"""What a minimal container sets."""

KNOW, UNUSABLE = 1, 2
"""Exit codes of `check`; 2 is also that of everything that is refused."""

UTF_8: Final[dict[str, str]] = {}
"""What a person's machine adds: nothing."""

JSON_OPENED: Final = "{" + ACTS

EXPLORER: Final[tuple[str, ...]] = ()
"""The command that needs no name."""


def said(folder: Path, *words: str | Path, code: int, **environment: str) -> str:
    """Run the command, and return what it printed: only what no terminal acts on."""
    done = subprocess.run(
        [sys.executable, "-m", "zeroth_tui", *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **environment},
        cwd=folder,
    )
    told = (done.stdout + done.stderr).decode("ascii" if environment else "utf-8")
    assert "Traceback" not in told
    assert "stopped because" not in told
    assert [char for char in told if not char.isprintable() and char != "\n"] == []
    assert done.returncode == code, told
    return told


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which every name and word acts on terminals, beside one harmless run."""
    path = tmp_path_factory.mktemp("hostile") / "g.db"
    with Guest(path) as guest:
        guest.run("harmless")
        guest.run(f"r{ACTS}", f"RUN{ACTS}\0", thread_id=f"t{ACTS}", error=ACTS)
        guest.run("odd", "x", metadata=JSON_OPENED)
        for column in ("run_id", "status", "graph_version_ref", "deployment_ref", "thread_id"):
            guest.sql(
                f"UPDATE runs SET {column} = CAST(? AS TEXT) WHERE metadata = ?",
                NO_TEXT + f"{column}{ACTS}\0".encode(),
                JSON_OPENED,
            )
        guest.sql("UPDATE runs SET graph_version_ref = ? WHERE error = ?", f"g{ACTS}", ACTS)
        guest.thread(f"t{ACTS}", [f"r{ACTS}"], graph_version_ref=f"g{ACTS}")
        guest.checkpoint(f"c{ACTS}", f"r{ACTS}", JSON_OPENED, thread_id=f"t{ACTS}")
        guest.audit(f"a{ACTS}", f"r{ACTS}", JSON_OPENED, created_at=ACTS)
        guest.sql(f'CREATE TABLE "odd{ACTS}" (id)')
        guest.sql(f'CREATE VIEW "seen{ACTS}" AS SELECT 1')
        guest.sql("UPDATE alembic_version SET version_num = ?", f"026{ACTS}")
    return path


def some(*values: object, quick: object) -> list[Any]:
    """Return parameters of which a quick run takes one."""
    return [
        pytest.param(value, marks=() if value == quick else (pytest.mark.thorough,))
        for value in values
    ]


@pytest.mark.parametrize("environment", [UTF_8, ASCII], ids=["utf-8", "ascii"])
def test_info_prints_nothing_that_acts(hostile: Path, environment: dict[str, str]) -> None:
    text = said(hostile.parent, "info", hostile, code=0, **environment)
    assert "RUN\\u241b]52" in text if environment else "RUN\N{SYMBOL FOR ESCAPE}]52" in text
    assert " COMPLETED\n" in text
    # A surrogate that is no character of its own is spelled as an escape everywhere.
    assert "\\udced\\udca0\\udc80\\udcffstatus" in text


@pytest.mark.parametrize("environment", some(UTF_8, ASCII, quick=UTF_8))
def test_info_as_json_holds_what_is_stored(hostile: Path, environment: dict[str, str]) -> None:
    facts: dict[str, Any] = json.loads(
        said(hostile.parent, "info", hostile, "--json", code=0, **environment)
    )
    no_text = NO_TEXT.decode("utf-8", "surrogateescape")
    assert facts["runs_by_status"] == {
        "COMPLETED": 1,
        f"RUN{ACTS}\0": 1,
        f"{no_text}status{ACTS}\0": 1,
    }
    assert facts["revision"] == f"026{ACTS}"


@pytest.mark.parametrize("words", some((), ("--json",), quick=()))
@pytest.mark.parametrize("environment", some(UTF_8, ASCII, quick=ASCII))
def test_check_prints_nothing_that_acts(
    hostile: Path, words: tuple[str, ...], environment: dict[str, str]
) -> None:
    text = said(hostile.parent, "check", hostile, *words, code=KNOW, **environment)
    assert "3 of 3 runs read" in text
    assert "view seen" in text
    if words:
        assert json.loads(text)["verdict"] == "know"


@pytest.fixture(params=some("utf-8", "no utf-8", quick="no utf-8"))
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that is no database, and whose name acts on terminals."""
    name = f"a{ACTS}.db".encode() if request.param == "utf-8" else b"a\xff\x9b31m\x1b[2J.db"
    path = tmp_path / os.fsdecode(name)
    path.write_text("no database, however long it may be" * 50)
    return path


@pytest.mark.parametrize("environment", some(UTF_8, ASCII, quick=UTF_8))
@pytest.mark.parametrize(
    "command", some(("info",), ("check",), ("check", "--json"), EXPLORER, quick=("check",))
)
def test_a_refused_name_does_not_act(
    named: Path, command: tuple[str, ...], environment: dict[str, str]
) -> None:
    folder = named.parent
    text = said(folder, *command, named, code=UNUSABLE, **environment)
    assert "is not an SQLite database" in text


@pytest.mark.thorough
@pytest.mark.parametrize("command", [("info",), ("check",), ("serve",), EXPLORER], ids=str)
def test_a_name_that_does_not_exist_does_not_act(named: Path, command: tuple[str, ...]) -> None:
    gone = named.with_name(f"{named.name}.gone")
    assert "does not exist" in said(named.parent, *command, gone, code=UNUSABLE)


@pytest.mark.parametrize("command", some(*COMMANDS[1:], quick="info"))
def test_names_that_a_shell_has_put_in_do_not_act(named: Path, command: str) -> None:
    """As `info *.db` does where there are several."""
    told = said(named.parent, command, named, named, f"--{named.name}", code=UNUSABLE)
    assert f"zeroth-tui {command}: error: " in told


@pytest.mark.thorough
def test_the_explorer_takes_no_second_name_either(named: Path) -> None:
    told = said(named.parent, named, named, f"--{named.name}", code=UNUSABLE)
    assert "zeroth-tui: error: " in told


def test_output_without_symbols_is_whole(tmp_path: Path) -> None:
    """Nothing hostile: even a tick is more than ASCII has."""
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r", "COMPLETED")
    text = said(tmp_path, "info", tmp_path / "g.db", code=0, **ASCII)
    assert "\\u2714 COMPLETED" in text
    assert text.splitlines()[-1].startswith("newest run   2026-03-01T10:00:00")
