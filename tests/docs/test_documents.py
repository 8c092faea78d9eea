"""Every code block of the documents works, and every link leads somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, ROOT, Block, anchors, blocks, commands, links
from zeroth_store.filters import Filter, parse
from zeroth_tui import settings
from zeroth_tui.cli import command
from zeroth_tui.commands import COMMANDS, EXPLORE

LANGUAGES = {"python", "sh", "toml", "filter", "text", ""}
"""The last two hold pictures and what an example prints."""
TOOLS = {"make", "uv", "pip", "pipx", "zeroth-tui", ".venv/bin/pytest", "python"}
"""What the shell blocks start; who adds one says here how it is checked."""


def places(found: list[Block]) -> list[object]:
    return [pytest.param(block, id=block.place) for block in found]


def examples() -> list[object]:
    """The README's at once; each of the others starts a Python of its own, which takes long."""
    return [
        pytest.param(
            block,
            id=block.place,
            marks=() if block.document.name == "README.md" else pytest.mark.thorough,
        )
        for block in blocks("python")
    ]


def test_every_block_is_in_a_language_that_is_tested() -> None:
    """Filters are tested in tests/store/test_filter_document.py."""
    assert {block.language for block in blocks()} == LANGUAGES
    assert {block.document.name for block in blocks("filter")} == {"filter.md"}


@pytest.mark.parametrize("block", examples())
def test_python_runs_and_prints_what_stands_under_it(block: Block, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(block.text)
    done = subprocess.run(
        [sys.executable, "-W", "error", "example.py"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    if block.printed is not None:
        assert done.stdout == block.printed


def test_what_the_store_document_prints_is_there() -> None:
    printed = [block.printed for block in blocks("python") if block.document.name == "store.md"]
    assert len(printed) >= 6
    assert None not in printed


def shell_commands() -> list[object]:
    return [
        pytest.param(words, id=f"{block.place} {' '.join(words)}")
        for block in blocks("sh")
        for words in commands(block)
    ]


@pytest.mark.parametrize("words", shell_commands())
def test_a_shell_command_is_one_that_is_there(words: list[str]) -> None:
    assert words[0] in TOOLS
    if words[0] == "make":
        assert words[1] in targets()
    if "zeroth-tui" in words:
        parsed(words[words.index("zeroth-tui") + 1 :])


def targets() -> set[str]:
    """The targets that `make help` lists."""
    return set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))


def parsed(words: list[str]) -> None:
    """Read words with the real parsers, which end the program where they cannot."""
    name = words.pop(0) if words and words[0] in COMMANDS[1:] else EXPLORE
    options = command(name).parser().parse_args(words)
    if name == EXPLORE and options.filter:
        assert isinstance(parse(options.filter, now=datetime.now(UTC)), Filter)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_the_text_are_there_too(document: Path) -> None:
    """`make x` and `zeroth-tui x` in a sentence or a table."""
    spans = re.findall(r"`((?:make|zeroth-tui) [^`]+)`", document.read_text("utf-8"))
    for span in spans:
        words = span.split()
        if words[0] == "make":
            assert words[1] in targets(), span
        elif words[1].islower() and words[1].isalpha():
            assert words[1] in COMMANDS[1:], span


@pytest.mark.parametrize("block", places(blocks("toml")))
def test_settings_load(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(block.text)
    assert settings.load({}, file) != settings.load({}, empty(tmp_path))


def empty(folder: Path) -> Path:
    (folder / "empty.toml").touch()
    return folder / "empty.toml"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings(document: Path) -> None:
    for link in links(document):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / name) if name else document
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_there_are_links_to_check() -> None:
    local = [link for document in DOCUMENTS for link in links(document) if "://" not in link]
    assert len(local) > 5


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_named_in_the_text_exist(document: Path) -> None:
    """Paths of this repository in backticks, as `tests/pty` or `store/zeroth_store/schema.py`."""
    tops = "zeroth_tui|store|migrations|tests|docs|screenshots"
    for path in re.findall(rf"`((?:{tops})/[\w./-]*)`", document.read_text("utf-8")):
        assert (ROOT / path).exists(), path
