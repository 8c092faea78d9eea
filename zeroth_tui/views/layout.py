"""Fitting pieces of text into a width: cut with a mark, or wrapped into several rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role, Row

MASK_LIMIT: Final = 65_536
"""How many stored characters are searched for secrets; nothing behind them is shown."""

SHORT_CELLS: Final = 16
"""How wide a shortened id is at the most."""

_NARROWEST: Final = 8
_RANDOM_ID: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def stored(value: object, limit: int = text.LINE_LIMIT) -> str:
    """Return stored free text as one clean line, its obvious secrets hidden."""
    if isinstance(value, str):
        value = text.mask_text(value[:MASK_LIMIT]) + value[MASK_LIMIT:]
    return text.line(value, min(limit, MASK_LIMIT))


def fit(line: Line, width: int) -> Line:
    """Return the line in at most `width` cells; what is cut ends in `…`."""
    if sum(text.cells(piece.text) for piece in line) <= width:
        return line
    room = width
    kept: list[Piece] = []
    for piece in line:
        size = text.cells(piece.text)
        if size >= room:
            # The added cell makes the mark show where only the pieces behind are cut off.
            cut = text.clip(piece.text + " ", room)
            return (*kept, Piece(cut, piece.role))
        kept.append(piece)
        room -= size
    return tuple(kept)


def row(width: int, *pieces: Piece, item: object | None = None) -> Row:
    """Return one row, cut to the width."""
    return Row(fit(pieces, width), item)


def heading(words: str, width: int) -> Row:
    """Return a heading."""
    return row(width, Piece(words, "strong"))


def field(name: str, value: str, width: int, role: Role = "plain", *, at: int = 12) -> list[Row]:
    """Return `name  value` with the value wrapped beside its name; `value` must be clean."""
    at = min(at, max(0, width // 3))
    lines = list(wrap(value, width - at)) or [""]
    first = Row(fit((Piece(text.pad(name, at), "key"), Piece(lines[0], role)), width))
    return [first, *(Row((Piece(" " * at), Piece(words, role))) for words in lines[1:])]


def paragraph(words: str, width: int, role: Role = "plain", indent: int = 0) -> list[Row]:
    """Return clean text as rows: its own lines kept, long ones wrapped."""
    return [
        Row((Piece(" " * indent + part, role),))
        for own in words.split("\n")
        for part in (list(wrap(own, width - indent)) or [""])
    ]


def wrap(words: str, width: int) -> Iterator[str]:
    """Cut one clean line into parts of at most `width` cells, at spaces where there are any."""
    width = max(_NARROWEST, width)
    rest = words
    while text.cells(rest) > width:
        head = _head(rest, width)
        at_word_end = rest[len(head)] == " "
        space = len(head) if at_word_end else head.rfind(" ")
        cut = space if space > 0 and head[:space].strip() else len(head)
        yield rest[:cut]
        rest = rest[cut:].lstrip(" ")
    if rest:
        yield rest


def join(parts: Iterable[str | None], separator: str = "  ") -> str:
    """Return the parts that are there, with a separator between them."""
    return separator.join(part for part in parts if part)


def is_random(identity: str) -> bool:
    """Whether an id is a UUID, whose start tells enough."""
    return _RANDOM_ID.fullmatch(identity) is not None


def short(identity: str) -> str:
    """Return an id for a list: random ones by their first 8 digits, others as far as they fit."""
    if is_random(identity):
        return identity[:8]
    return text.clip(text.line(identity), SHORT_CELLS) or "(empty)"


def _head(words: str, width: int) -> str:
    """Return the longest start of `words` that takes at most `width` cells."""
    used = 0
    for at, char in enumerate(words):
        used += text.cells(char)
        if used > width:
            return words[:at]
    return words
