"""What every view hands to a widget: lines of text pieces, each with a role instead of a colour."""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal[
    "plain",  # ordinary text
    "muted",  # units, labels, what matters least
    "strong",  # what matters most on a line
    "key",  # JSON keys, field names
    "string",
    "number",
    "keyword",  # true, false, null, operators
    "ok",
    "running",
    "waiting",
    "error",
    "warning",
    "pending",
    "unknown",
    "added",
    "removed",
    "changed",
    "link",  # something that enter opens
]


class Piece(NamedTuple):
    """A stretch of one line in one role. The text is clean: it came through `text.py`."""

    text: str
    role: Role = "plain"


Line = tuple[Piece, ...]


class Row(NamedTuple):
    """One line of a pane, and what the cursor is on when it is on this line."""

    line: Line
    item: object | None = None
    """A hashable that names the thing shown here (a step, an edge, a JSON path); None for
    headings and notes, which the cursor may rest on but which open nothing."""
