"""The completions, asked in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from zeroth_tui.cli import main

SHELLS = ("bash", "zsh", "fish")
COMMANDS = {"info", "check", "config", "demo", "serve", "completion", "man"}
MODES = {"threads", "runs", "failures"}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the three scripts, as they are printed."""
    folder = tmp_path_factory.mktemp("scripts")
    for shell in SHELLS:
        with (folder / shell).open("w") as script, redirect_stdout(script):
            assert main(["completion", shell]) == 0
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files to complete."""
    (tmp_path / "runs one.db").touch()
    (tmp_path / "runs*.db").touch()
    (tmp_path / "info.db").touch()
    return tmp_path


def shell(name: str, *words: str, cwd: Path) -> str:
    """Run a shell that knows nothing of the person's settings; skips where it is missing."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"there is no {name} here")
    done = subprocess.run(
        [program, *words],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd / "home"), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def bash(scripts: Path, folder: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    script = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zeroth_tui;'
        ' for one in "${COMPREPLY[@]}"; do printf "%s\\n" "$one"; done'
    )
    told = shell(
        "bash", "-uc", script, "-", str(scripts / "bash"), "zeroth-tui", *words, cwd=folder
    )
    return set(told.splitlines())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("--mode", ""), MODES),
        (("--mode", "r"), {"runs"}),
        (("runs.db", "--mode", "=", "f"), {"failures"}),
        (("runs.db", "--mode", "="), MODES),
        (("--se",), set()),
        (("--fi",), {"--filter"}),
        (("info", "--"), {"--help", "--json"}),
        (("serve", "--p"), {"--port"}),
        (("completion", ""), set(SHELLS)),
        (("runs.db", "--filter", ""), set()),
        (("man", ""), set()),
        (("",), COMMANDS | {"runs one.db", "runs*.db", "info.db"}),
        (("i",), {"info", "info.db"}),
        (("info", "i"), {"info.db"}),
        (("check", "--key-file", "r"), {"runs one.db", "runs*.db"}),
        (("./info",), {"./info.db"}),
        (("none",), set()),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else None,
)
def test_bash_offers(
    scripts: Path, folder: Path, words: tuple[str, ...], offered: set[str]
) -> None:
    assert bash(scripts, folder, *words) == offered


def fish(scripts: Path, folder: Path, line: str) -> set[str]:
    """What fish offers at the end of the line, without the explanations."""
    told = shell(
        "fish",
        "-Nc",
        "source $argv[1]; complete -C $argv[2]",
        str(scripts / "fish"),
        line,
        cwd=folder,
    )
    return {row.partition("\t")[0] for row in told.splitlines()}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("--mode ", MODES),
        ("--mode=r", {"--mode=runs"}),
        ("--fi", {"--filter"}),
        ("info --j", {"--json"}),
        ("info --fi", set()),
        ("completion ", set(SHELLS)),
        ("man ", set()),
        ("runs.db --filter ", set()),
        ("check i", {"info.db"}),
        ("i", {"info", "info.db"}),
    ],
)
def test_fish_offers(scripts: Path, folder: Path, line: str, offered: set[str]) -> None:
    assert fish(scripts, folder, f"zeroth-tui {line}") == offered


ZSH = r"""
zmodload zsh/zpty
zpty asked zsh -f -i
# A line of the shell that is asked, and its answer up to a mark.
tell() { zpty -w asked "$1"; }
read_to() { local text; zpty -r asked text "*$1*"; print -r -- "$text"; }
tell "PS1= PROMPT_EOL_MARK= ; unset zle_bracketed_paste; stty columns 200"
tell "autoload -U compinit; compinit -u -D"
tell "source $1; echo rea''dy"
read_to ready >/dev/null
zpty -w -n asked "zeroth-tui $2"$'\t'" @"
read_to @
zpty -d asked
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("--mode r", "zeroth-tui --mode runs "),
        ("che", "zeroth-tui check "),
        ("info --j", "zeroth-tui info --json "),
        ("completion z", "zeroth-tui completion zsh "),
        ("serve inf", "zeroth-tui serve info.db "),
        ("info.", "zeroth-tui info.db "),
    ],
)
def test_zsh_completes(scripts: Path, folder: Path, typed: str, completed: str) -> None:
    told = shell("zsh", "-fc", ZSH, "-", str(scripts / "zsh"), typed, cwd=folder)
    assert completed in told


def test_every_script_is_well_formed(scripts: Path, folder: Path) -> None:
    for name in filter(shutil.which, SHELLS):
        assert shell(name, "-n", str(scripts / name), cwd=folder) == ""


def test_a_shell_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", "tcsh"])
    assert ended.value.code == 2
    assert "bash" in capsys.readouterr().err
