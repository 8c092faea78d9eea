"""Lines for screen readers: words where others see glyphs, frames and bars."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import partial
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

_STATUS: Final = {
    "✔": {"COMPLETED"},
    "✖": {"FAILED"},
    "▶": {"RUNNING"},
    "▷": {"UNDER_WAY"},
    "◷": {"WAITING_APPROVAL", "APPROVAL"},
    "‖": {"WAITING_INTERRUPT", "INTERRUPT"},
    "○": {"PENDING"},
}
"""What a line may say of a status beside its glyph."""

_STORED: Final = frozenset({"key", "string"})
"""Roles of text as it is stored, whose characters mean themselves."""

_GLYPH: Final = re.compile(rf"[{''.join(WORDS)}]")
_NEXT: Final = re.compile(r"\s*(\w*)")
_DRAWN: Final = re.compile("[\u2500-\u259f·◀]")
"""Lines of frames and graphs, blocks of bars, dots between words, and what only catches the eye."""
_GAP: Final = re.compile(" {3,}")
_INNER_GAP: Final = re.compile(r"(?<=\S) {3,}")


def plain_line(line: Line) -> Line:
    """Return a line in words; the glyph of a status that the line names as well is left out.

    Stretches of blanks get shorter, which makes room for what gets longer.
    """
    pieces: list[Piece] = []
    gap = _INNER_GAP  # what the line begins with is its depth
    for piece in line:
        text = piece.text
        if piece.role not in _STORED:
            said = frozenset(other.text.strip() for other in line if other.role == piece.role)
            words = _GLYPH.sub(partial(_word, said), text)
            text = gap.sub("  ", _DRAWN.sub(" ", words))
        if text.strip():
            gap = _GAP
        pieces.append(Piece(text, piece.role))
    return tuple(pieces)


def plain_text(text: str) -> str:
    """Return text that is shown by itself in words."""
    return "".join(piece.text for piece in plain_line((Piece(text),)))


def _word(said: Set[str], found: re.Match[str]) -> str:
    """Return the word of a glyph, set apart from what is beside it.

    `said` are the pieces in the colour of the glyph: a name that is stored has another one.
    """
    glyph, text = found[0], found.string
    names: Set[str] = _STATUS.get(glyph, set())
    following = _NEXT.match(text, found.end())
    if names & said or (following is not None and following[1] in names):
        return ""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    apart = " " if before.strip() and before not in WORDS else ""
    return f"{apart}{WORDS[glyph]}{' ' if after.strip() else ''}"
