"""The manual page: it holds every command and option, and roff takes it as it is."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Iterable

import pytest

from tests.docs.documents import ROOT
from zeroth_tui import leaving
from zeroth_tui.cli import OUTPUT_CLOSED, USAGE_ERROR, command, main
from zeroth_tui.commands import COMMANDS
from zeroth_tui.commands.man import EXIT_CODES, page
from zeroth_tui.commands.outline import Argument, Command
from zeroth_tui.crash import CRASHED


@pytest.fixture
def roff(capsys: pytest.CaptureFixture[str]) -> str:
    """The page as it is printed."""
    assert main(["man"]) == 0
    return capsys.readouterr().out


def drawn(roff: str, *program: str) -> str:
    """Return what a formatter makes of a page, without bold and underline; skips if missing."""
    if shutil.which(program[0]) is None:
        pytest.skip(f"there is no {program[0]} here")
    done = subprocess.run(
        program, input=roff, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout)


GROFF = ("groff", "-man", "-Tutf8", "-ww", "-rLL=200n")


def test_mandoc_finds_no_error(roff: str) -> None:
    """Of what it calls a warning only the missing date is there: the page has none."""
    assert drawn(roff, "mandoc", "-T", "lint", "-W", "error") == ""


def _help(name: str) -> str:
    """Return a command's help up to the notes below it, which speak of other commands."""
    parts: tuple[str, ...] = command(name).parser().format_help().partition("\ncommands:\n")
    return parts[0]


def options() -> Iterable[tuple[str, str]]:
    """Every option of every command, by the help that argparse itself writes."""
    for name in COMMANDS:
        for flag in re.findall(r"(?<![\w-])--[a-z][\w-]*", _help(name)):
            yield name, flag


def test_every_command_and_option_is_there(roff: str) -> None:
    text = drawn(roff, *GROFF)
    parts = re.split(r"^ {3}zeroth-tui (\w+)$", text.partition("COMMANDS\n")[2], flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    sections["explore"] = text.partition("COMMANDS\n")[0]
    assert set(sections) == set(COMMANDS)
    found = {pair for pair in options() if pair[1] != "--help"}
    assert ("explore", "--allow-writes") in found
    assert {(name, flag) for name, flag in found if flag not in sections[name]} == set()


def test_it_reads_as_a_page(roff: str) -> None:
    text = drawn(roff, *GROFF)
    headings = re.findall(r"^[A-Z][A-Z ]+$", text, re.MULTILINE)
    assert headings == [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "COMMANDS",
        "EXIT STATUS",
        "ENVIRONMENT",
    ]
    assert "zeroth-tui - explore the runs of a Zeroth database" in text
    assert "zeroth-tui info [options] DATABASE\n" in text
    assert "--mode threads|runs|failures\n" in text
    assert "ZEROTH_TUI_DATABASE\n" in text


def test_text_that_means_something_to_roff_is_drawn_as_it_is() -> None:
    nasty = ".SH 'quoted' \\fBnot bold\\fR -dash \\"
    flag = Argument(("--x",), "", nasty, (), True)
    roff = "\n".join(page([Command("explore", nasty, (flag,), (), ())], "1", [("A", nasty)]))
    # As the name's summary, the description, the option's help and the variable's.
    assert drawn(roff, *GROFF).count(nasty) == 4


def test_every_exit_code_is_told_there_and_in_the_readme() -> None:
    told = {int(code) for codes, _ in EXIT_CODES for code in codes.split(",")}
    ended = {leaving.HUNG_UP, leaving.INTERRUPTED, 128 + signal.SIGTERM, OUTPUT_CLOSED}
    assert told == {0, CRASHED, USAGE_ERROR, *ended}
    readme = (ROOT / "README.md").read_text("utf-8").partition("Exit codes: ")[2]
    paragraph = readme.partition("\n\n")[0]
    assert {int(code) for code in re.findall(r"`(\d+)`", paragraph)} == told
