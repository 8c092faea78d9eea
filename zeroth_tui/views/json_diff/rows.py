"""The lines that a difference is drawn with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role, Row
from zeroth_tui.views.json_diff.compare import Change, Kind
from zeroth_tui.views.json_diff.words import LIMIT, word_pieces
from zeroth_tui.views.json_tree.path import Again, Path, path_text

_SIGNS: Final[dict[Kind, tuple[str, Role]]] = {
    "added": ("+ ", "added"),
    "removed": ("- ", "removed"),
    "changed": ("~ ", "changed"),
}
_VALUE_LIMIT: Final = 200
_LONG: Final = 60
_INDENT: Final = Piece("    ")


def diff_rows(changes: tuple[Change, ...]) -> tuple[Row, ...]:
    """Return the lines of a difference; a row's item is the path of what changed.

    Secrets are masked, so of one that changed only that it did is told.
    """
    if not changes:
        return (Row((Piece("no difference", "muted"),)),)
    rows: list[Row] = []
    for change in changes:
        rows += _rows(change, len(changes) - 1)
    return tuple(rows)


def _rows(change: Change, shown: int) -> list[Row]:
    if change.kind == "more":
        said = f"… {fmt.count(shown)} shown, there are more changes"
        return [Row((Piece(said, "muted"),))]
    sign, role = _SIGNS[change.kind]
    head: Line = (Piece(sign, role), Piece(path_text(change.path), "key"), Piece("  "))
    if change.kind != "changed":
        stored = change.after if change.before is None else change.before
        return [Row((*head, Piece(_value(change.path, stored), role)), change.path)]
    old, new = _string(change.path, change.before), _string(change.path, change.after)
    if old is not None and new is not None and max(len(old), len(new)) > _LONG:
        return [Row(head, change.path), *_word_rows(old, new, change.path)]
    before, after = _value(change.path, change.before), _value(change.path, change.after)
    arrow = Piece(" → ", "muted")
    return [Row((*head, Piece(before, "removed"), arrow, Piece(after, "added")), change.path)]


def _word_rows(old: str, new: str, path: Path) -> list[Row]:
    """Return two strings word by word, each line of theirs on a line."""
    before, after = text.mask_text(old[:LIMIT]), text.mask_text(new[:LIMIT])
    lines: list[list[Piece]] = [[]]
    for piece in word_pieces(before, after):
        first, *others = text.block(piece.text).split("\n")
        lines[-1].append(Piece(first, piece.role))
        lines += [[Piece(other, piece.role)] for other in others]
    rows = [Row((_INDENT, *pieces), path) for pieces in lines]
    more = max(len(old), len(new)) - LIMIT
    if more > 0:
        said = f"… {fmt.count(more)} more characters not compared"
        rows.append(Row((_INDENT, Piece(said, "warning")), path))
    return rows


def _value(path: Path, stored: str | None) -> str:
    """Return a stored value in one line, as the reader of a difference may see it."""
    if stored is None:
        return ""
    if _is_secret(path) and stored not in {"null", "true", "false"}:
        return text.MASK
    start = text.mask_text(text.mask_json(stored[:_VALUE_LIMIT]))
    more = len(stored) - _VALUE_LIMIT
    shown = text.line(start, len(start))
    return f"{shown}… +{fmt.count(more)}" if more > 0 else shown


def _string(path: Path, stored: str | None) -> str | None:
    """Return what a stored string says; None for any other value, and for a secret."""
    if stored is None or not stored.startswith('"') or _is_secret(path):
        return None
    try:
        decoded = json.loads(stored)
    except ValueError:
        return None
    return decoded if isinstance(decoded, str) else None


def _is_secret(path: Path) -> bool:
    return any(text.is_secret(name) for name in _names(path))


def _names(path: Path) -> Iterable[str]:
    for step in path:
        if isinstance(step, Again):
            yield step.key
        elif isinstance(step, str):
            yield step
