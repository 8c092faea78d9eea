"""Finds a Python traceback in stored text and shows it with its own frames marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from zeroth_tui import text
from zeroth_tui.line import Role, Row
from zeroth_tui.views.layout import MASK_LIMIT, paragraph

LINES: Final = 200
"""How many lines of a traceback are shown; the last ones, which name the error."""

_START: Final = "Traceback (most recent call last)"
_FRAME: Final = re.compile(r'\s*File "(?P<path>[^"]*)", line ')
_LIBRARY: Final = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python|^<", re.IGNORECASE
)


def split(words: str) -> tuple[str, str | None]:
    r"""Return what stands before a traceback, and the traceback with real line ends.

    A traceback that was stored with `\n` spelled out gets its lines back.
    """
    before, found, after = words.partition(_START)
    if not found:
        return words, None
    if "\n" not in after:
        after = after.replace("\\n", "\n")
    return before.strip(), found + after


def cause(traceback: str) -> str:
    """Return the line that names the error: the last one."""
    return traceback.rstrip().rpartition("\n")[2]


def inside(value: Any) -> Iterator[str]:
    """Return every traceback in a decoded JSON value."""
    pending = [value]
    while pending:
        inner = pending.pop()
        if isinstance(inner, str):
            traceback = split(inner)[1]
            if traceback is not None:
                yield traceback
        elif isinstance(inner, dict):
            pending += inner.values()
        elif isinstance(inner, list):
            pending += inner


def without(value: Any) -> Any:
    """Return a decoded JSON value with its tracebacks replaced by a pointer to where they are."""
    if isinstance(value, dict):
        return {key: without(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without(inner) for inner in value]
    if isinstance(value, str) and split(value)[1] is not None:
        return "(traceback below)"
    return value


def traceback_rows(traceback: str, width: int) -> list[Row]:
    """Return a traceback's lines: frames of the user's own code stand out, others recede."""
    lines = text.block(text.mask_text(traceback[-MASK_LIMIT:]), MASK_LIMIT).rstrip().split("\n")
    rows: list[Row] = []
    if len(lines) > LINES:
        rows += paragraph(f"… {len(lines) - LINES:,} lines before these", width, "muted")
    role: Role = "plain"
    for line in lines[-LINES:]:
        role = _role(line, role)
        own = role == "strong" and _FRAME.match(line)
        rows += paragraph(f"{'▸' if own else ' '} {line}", width, role)
    return rows


def _role(line: str, before: Role) -> Role:
    """Return a line's role: a frame decides for its source lines, the rest is the error."""
    frame = _FRAME.match(line)
    if frame:
        return "muted" if _LIBRARY.search(frame["path"]) else "strong"
    if line.startswith(" "):
        return before
    return "muted" if line.startswith(_START) else "error"
