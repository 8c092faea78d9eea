"""The documents as a reader uses them: their code, and where their links lead."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
)


_CODE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""A block of code, and the block of text right under it, if there is one."""


@dataclass(frozen=True)
class Block:
    """A piece of code in a document."""

    document: Path
    line: int
    language: str
    text: str
    printed: str | None
    """What stands right under it as its output, if anything does."""

    @property
    def place(self) -> str:
        """Where it is, for the name of a test."""
        return f"{self.document.name}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    """Return the blocks of all documents in these languages; in all of them where none is named."""
    return [
        block
        for document in DOCUMENTS
        for block in _blocks(document)
        if not languages or block.language in languages
    ]


def _blocks(document: Path) -> Iterator[Block]:
    text = document.read_text("utf-8")
    for found in _CODE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(document, line, found[1], found[2], found[3])


def commands(block: Block) -> list[list[str]]:
    """Return the words of each command of a shell block, without comments."""
    lines = (shlex.split(line, comments=True) for line in block.text.splitlines())
    return [part for words in lines if words for part in _parts(words)]


def _parts(words: list[str]) -> Iterator[list[str]]:
    """Split a line where the shell would, and leave out where its output goes."""
    part: list[str] = []
    for word in words:
        if word in {"&&", "||", ";", "|"}:
            yield part
            part = []
        else:
            part.append(word)
    yield part[: part.index(">")] if ">" in part else part


def prose(document: Path) -> str:
    """Return a document without its code blocks and code spans."""
    text = _CODE.sub("", document.read_text("utf-8"))
    return re.sub(r"`[^`\n]*`", "", text)


def links(document: Path) -> list[str]:
    """Return every target that a document links to or shows."""
    return re.findall(r"\]\(([^)\s]+)\)", prose(document))


def anchors(document: Path) -> set[str]:
    """Return what GitHub calls the headings of a document."""
    text = _CODE.sub("", document.read_text("utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }
