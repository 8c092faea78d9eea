"""Draws the bar of one step: exactly as many cells as it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple

from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role
from zeroth_tui.views.axis import Axis, Viewport
from zeroth_tui.views.timeline import Bar, Kind


class _Ink(NamedTuple):
    body: str
    tip: str
    role: Role


_INK: Final[Mapping[Kind, _Ink]] = MappingProxyType(
    {
        "waiting": _Ink("░", "░", "waiting"),
        "work": _Ink("▇", "▇", "ok"),
        "point": _Ink("◆", "◆", "muted"),
        "failed": _Ink("▇", "✖", "error"),
        "running": _Ink("▇", "▶", "running"),
    }
)
_BREAK: Final = Piece("┄", "muted")
_BLANK: Final = Piece(" ")


def draw(
    bars: Iterable[Bar], breaks: Iterable[tuple[int, int]], width: int, waited: timedelta | None
) -> Line:
    """Return a bar of `width` cells; a wait carries its length where that fits."""
    cells = [_BLANK] * width
    for start, end in breaks:
        _paint(cells, start, [_BREAK] * (end - start))
    for start, end, kind in bars:
        ink = _INK[kind]
        size = end - start
        body = [Piece(ink.body, ink.role)] * (size - 1) + [Piece(ink.tip, ink.role)]
        _paint(cells, start, body)
        if kind == "waiting" and waited is not None:
            _label(cells, start, size, f" {fmt.duration(waited.total_seconds())} ", ink.role)
    return _merged(cells)


def break_line(axis: Axis, width: int, viewport: Viewport) -> Line:
    """Return the line above the bars that says how long each collapsed stretch is."""
    cells = [_BLANK] * width
    for stretch in axis.breaks:
        columns = axis.columns(stretch, width, viewport)
        if columns is not None:
            start, end = columns
            _paint(cells, start, [_BREAK] * (end - start))
            words = fmt.duration((stretch.end - stretch.start).total_seconds())
            _label(cells, start, end - start, words, "muted")
    return _merged(cells)


def break_columns(axis: Axis, width: int, viewport: Viewport) -> list[tuple[int, int]]:
    """Return the columns of the collapsed stretches that are in view."""
    found = (axis.columns(stretch, width, viewport) for stretch in axis.breaks)
    return [columns for columns in found if columns is not None]


def _paint(cells: list[Piece], start: int, pieces: list[Piece]) -> None:
    pieces = pieces[: max(0, len(cells) - start)]
    cells[start : start + len(pieces)] = pieces


def _label(cells: list[Piece], start: int, size: int, words: str, role: Role) -> None:
    """Write words in the middle of a stretch if they fit."""
    if (room := size - text.cells(words)) >= 0:
        _paint(cells, start + room // 2, [Piece(char, role) for char in words])


def _merged(cells: list[Piece]) -> Line:
    """Join neighbours of one role."""
    return tuple(
        Piece("".join(piece.text for piece in same), role)
        for role, same in groupby(cells, key=lambda piece: piece.role)
    )
