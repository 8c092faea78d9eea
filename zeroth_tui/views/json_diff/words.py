"""The difference between two long strings, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from zeroth_tui.line import Piece

LIMIT: Final = 20_000
"""Characters of each string that are compared: the time grows with their square."""

_WORD: Final = re.compile(r"\n|[^\S\n]+|\w+|[^\w\s]+")
_WORDS: Final = 1500
_KEPT: Final = 40


def word_pieces(before: str, after: str) -> list[Piece]:
    """Return both strings as one: what stayed, what was removed and what was added.

    Only the surroundings of a change are kept of what stayed. Where too much changed for words to
    tell, the whole of it is shown as removed and then added.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    middle = _compared(left, right) if max(len(left), len(right)) <= _WORDS else _whole(left, right)
    head, tail = "".join(old[:start]), "".join(old[len(old) - end :])
    pieces = [Piece(_last(head)), *middle, Piece(_first(tail))]
    return [piece for piece in pieces if piece.text]


def _common(old: list[str], new: list[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _compared(old: list[str], new: list[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            pieces.append(Piece(_shortened("".join(old[a:b]))))
        else:
            pieces += _whole(old[a:b], new[c:d])
    return pieces


def _whole(old: list[str], new: list[str]) -> list[Piece]:
    return [Piece("".join(old), "removed"), Piece("".join(new), "added")]


def _first(kept: str) -> str:
    return kept if len(kept) <= _KEPT else f"{kept[:_KEPT]} …"


def _last(kept: str) -> str:
    return kept if len(kept) <= _KEPT else f"… {kept[-_KEPT:]}"


def _shortened(kept: str) -> str:
    return kept if len(kept) <= 2 * _KEPT else f"{kept[:_KEPT]} … {kept[-_KEPT:]}"
