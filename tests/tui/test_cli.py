"""The command line as a person or a program meets it: real processes, exit codes, sentences."""

from __future__ import annotations

import errno
import json
import os
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

from tests.store.guests import Guest, listing
from tests.tui.conftest import shared
from tests.tui.test_real_databases import DATABASES, copied
from zeroth_tui.commands import explore
from zeroth_tui.widgets.run_tabs import TABS


def run(
    *words: str | Path, home: Path, stdout: IO[bytes] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run the command with nothing of the tester's own settings."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    return subprocess.run(
        [sys.executable, "-m", "zeroth_tui", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        env=environment,
        cwd=home,
    )


def refused(path: Path, home: Path) -> str:
    """Return the one sentence with which the explorer and `info` both refuse a path."""
    explorer, info = run(path, home=home), run("info", path, home=home)
    assert (explorer.returncode, info.returncode) == (2, 2)
    assert explorer.stdout == info.stdout == ""
    assert explorer.stderr == info.stderr
    assert explorer.stderr.startswith("zeroth-tui: ")
    assert len(explorer.stderr.splitlines()) == 1
    return explorer.stderr


@pytest.mark.thorough
def test_what_is_no_run_database_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("hello, not a database\n" * 50)
    (tmp_path / "zero.db").touch()
    with closing(sqlite3.connect(tmp_path / "notes.db")) as connection:
        connection.execute("CREATE TABLE notes (id)")
        connection.execute("CREATE TABLE tags (id)")
    before = sorted(tmp_path.iterdir())
    assert "does not exist" in refused(tmp_path / "missing.db", tmp_path)
    assert "is a folder" in refused(tmp_path, tmp_path)
    assert "is not an SQLite database" in refused(tmp_path / "text.db", tmp_path)
    assert "is an empty database" in refused(tmp_path / "zero.db", tmp_path)
    sentence = refused(tmp_path / "notes.db", tmp_path)
    assert "notes.db is not a run database: it has tables notes, tags" in sentence
    assert "zeroth-tui demo" in sentence
    assert sorted(tmp_path.iterdir()) == before


def test_info_on_an_own_database(database: Path, tmp_path: Path) -> None:
    done = run("info", database, "--json", home=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "kind": "own",
        "revision": "0001",
        "journal_mode": "wal",
        "runs": 8,
        "runs_by_status": {
            "COMPLETED": 4,
            "FAILED": 1,
            "PENDING": 1,
            "RUNNING": 1,
            "WAITING_APPROVAL": 1,
        },
        "threads": 5,
        "checkpoints": 8,
        "checkpoints_encrypted": 0,
        "oldest_run": "2026-03-01T10:00:00+00:00",
        "newest_run": "2026-03-01T10:04:50+00:00",
        "warnings": [],
    }
    text = run("info", database, home=tmp_path)
    assert "own, schema revision 0001" in text.stdout


@pytest.mark.parametrize("name", DATABASES)
def test_info_agrees_with_plain_sql(name: str, tmp_path: Path) -> None:
    path = copied(name, tmp_path)
    done = run("info", path, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:

        def one(sql: str) -> int:
            return int(connection.execute(sql).fetchone()[0])

        assert facts["runs"] == one("SELECT count(*) FROM runs")
        assert sum(facts["runs_by_status"].values()) == facts["runs"]
        assert facts["threads"] == one("SELECT count(*) FROM threads")
        assert facts["checkpoints"] == one("SELECT count(*) FROM run_checkpoints")
        assert facts["checkpoints_encrypted"] == one(
            "SELECT count(*) FROM run_checkpoints WHERE state_json LIKE 'gAAAA%'"
        )
    assert facts["kind"] == "guest"
    assert facts["revision"] == name[3:6]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("make", "code", "end"),
    [
        ("", 0, "nothing in the way"),
        ("CREATE VIEW odd AS SELECT 1", 1, "1 thing to know, marked !"),
        ("ALTER TABLE runs RENAME TO notes", 2, "cannot be used as it is"),
    ],
)
def test_check_says_by_its_code_how_bad_it_is(
    tmp_path: Path, make: str, code: int, end: str
) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r1")
        guest.sql(make or "SELECT 1")
    before = listing(tmp_path)
    text = run("check", guest.path, home=tmp_path)
    assert (text.returncode, text.stderr) == (code, "")
    assert text.stdout.splitlines()[-1].endswith(end)
    report = run("check", guest.path, "--json", home=tmp_path)
    assert report.returncode == code
    assert report.stdout.isascii()
    facts = json.loads(report.stdout)
    assert facts["verdict"] == ("fine", "know", "unusable")[code]
    assert bool(facts["refusal"]) == (code == 2)
    assert listing(tmp_path) == before


def test_check_takes_the_key_as_the_explorer_does(tmp_path: Path) -> None:
    path = copied("rev026-encrypted.db", tmp_path)
    key = shared("data", "zeroth", "encryption-key.txt")
    assert run("check", path, home=tmp_path).returncode == 1
    assert run("check", path, "--key-file", key, home=tmp_path).returncode == 0
    refused = run("check", path, "--key-file", path, home=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "holds no encryption key" in refused.stderr


def test_check_loads_neither_screen_nor_models(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r1")
    code = (
        "import sys; from zeroth_tui.cli import main; main(sys.argv[1:]);"
        "print([m for m in ('textual', 'rich', 'pydantic', 'alembic') if m in sys.modules])"
    )
    command = [sys.executable, "-c", code, "check", str(guest.path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [("info",), ("man",)], ids=["at the end", "on the way"])
def test_output_that_cannot_be_written_is_one_sentence(
    words: tuple[str, ...], database: Path, tmp_path: Path
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    given = [*words, database] if words == ("info",) else [*words]
    with Path("/dev/full").open("wb") as full:
        done = run(*given, home=tmp_path, stdout=full)
    why = os.strerror(errno.ENOSPC)
    assert done.stderr == f"zeroth-tui: standard output cannot be written: {why}\n"
    assert done.returncode == 2


def test_without_an_output_nothing_is_wrong(database: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "zeroth_tui", "info", str(database)]
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(words)} >&-"],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_tab_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        explore.parser().parse_args(["runs.db", "--tab", "nonsense"])
    assert left.value.code == 2
    assert "invalid choice: 'nonsense'" in capsys.readouterr().err
    assert tuple(tab.lower() for tab in TABS) == explore.TABS
    assert explore.parser().parse_args(["--tab", "State"]).tab == "state"


def test_unknown_and_missing_statuses_are_counted(tmp_path: Path) -> None:
    case = next(shared("cases").glob("15-*"))
    subprocess.run([sys.executable, case / "make.py", tmp_path], check=True, capture_output=True)
    facts = json.loads(run("info", tmp_path / "case.db", "--json", home=tmp_path).stdout)
    assert facts["runs_by_status"]["(null)"] == 1
    assert facts["runs_by_status"]["running"] == 1
    assert facts["runs_by_status"][" RUNNING"] == 1
    assert sum(facts["runs_by_status"].values()) == facts["runs"] == 10


@pytest.mark.thorough
def test_a_headless_demo_writes_runs_that_info_sees(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    done = run("demo", "--database", path, "--headless", "--for", "1", home=tmp_path)
    assert done.returncode == 0, done.stderr
    facts = json.loads(run("info", path, "--json", home=tmp_path).stdout)
    assert facts["kind"] == "own"
    assert facts["runs"] > 20
    assert {"COMPLETED", "FAILED"} <= set(facts["runs_by_status"])


def test_a_bad_settings_file_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "zeroth-tui"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("databse = 'x'\n")
    done = run(home=tmp_path)
    assert done.returncode == 2
    assert "settings.toml" in done.stderr
    assert "databse" in done.stderr
