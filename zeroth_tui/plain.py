"""Lines for screen readers: words where others see glyphs, frames and bars."""

from __future__ import annotations

import re
from typing import Final

from zeroth_tui.line import Line, Piece

PLAIN: Final = "-plain"
"""The class of an app that shows words alone."""

WORDS: Final = {
    "✔": "completed",
    "✖": "failed",
    "▶": "running",
    "▷": "under way",
    "◷": "waiting",
    "‖": "interrupted",
    "○": "pending",
    "◆": "moment",
    "◇": "decision",
    "●": "marked",
    "♪": "awaited",
    "▸": "closed",
    "▾": "open",
    "→": "to",
    "←": "from",
    "↑": "ascending",
    "↓": "descending",
    "↺": "again",
    "⇧": "shift",
    "≈": "about",
    "≡": "thread",
    "■": "here",
    "⏎": "enter",
}
"""What glyphs mean."""

_SAID: Final = {"◷": "APPROVAL"}
"""What says the same as a glyph in other words."""

_STORED: Final = frozenset({"key", "string"})
"""Roles of text as it is stored, whose characters mean themselves."""

_GLYPH: Final = re.compile(rf"(\S?)([{''.join(WORDS)}])(?=(\S?))")
_DRAWN: Final = re.compile("[\u2500-\u259f·]")
"""Lines of frames and graphs, blocks of bars, dots between words."""
_GAP: Final = re.compile(" {3,}")
_INNER_GAP: Final = re.compile(r"(?<=\S) {3,}")


def plain_line(line: Line) -> Line:
    """Return a line in words; a glyph whose word stands on the line anyway is left out.

    Stretches of blanks get shorter, which makes room for what gets longer.
    """
    whole = "".join(piece.text for piece in line).upper()
    pieces: list[Piece] = []
    gap = _INNER_GAP  # what the line begins with is its depth
    for piece in line:
        text = piece.text
        if piece.role not in _STORED:
            text = gap.sub("  ", _DRAWN.sub(" ", _GLYPH.sub(lambda f: _word(f, whole), text)))
        if text.strip():
            gap = _GAP
        pieces.append(Piece(text, piece.role))
    return tuple(pieces)


def _word(found: re.Match[str], whole: str) -> str:
    before, glyph, after = found.groups()
    word = WORDS[glyph]
    if word.upper() in whole or _SAID.get(glyph, word.upper()) in whole:
        return before
    return f"{before}{' ' if before else ''}{word}{' ' if after else ''}"
