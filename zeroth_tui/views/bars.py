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
_BREAK: Final = "┄"


def draw(
    bars: Iterable[Bar], breaks: Iterable[tuple[int, int]], width: int, waited: timedelta | None
) -> Line:
    """Return a bar of `width` cells; a wait carries its length where that fits."""
    canvas = _Canvas(width)
    for start, end in breaks:
        canvas.paint(start, _BREAK * (end - start), "muted")
    for start, end, kind in bars:
        ink = _INK[kind]
        canvas.paint(start, ink.body * (end - start - 1) + ink.tip, ink.role)
        if kind == "waiting" and waited is not None:
            words = f" {fmt.duration(waited.total_seconds())} "
            canvas.label(start, end - start, words, ink.role)
    return canvas.line


def break_line(axis: Axis, width: int, viewport: Viewport) -> Line:
    """Return the line above the bars that says how long each collapsed stretch is."""
    canvas = _Canvas(width)
    for stretch in axis.breaks:
        columns = axis.columns(stretch, width, viewport)
        if columns is not None:
            start, end = columns
            canvas.paint(start, _BREAK * (end - start), "muted")
            words = fmt.duration((stretch.end - stretch.start).total_seconds())
            # A cell is left free on either side: stretches may touch.
            canvas.label(start + 1, end - start - 2, words, "muted")
    return canvas.line


def break_columns(axis: Axis, width: int, viewport: Viewport) -> list[tuple[int, int]]:
    """Return the columns of the collapsed stretches that are in view."""
    found = (axis.columns(stretch, width, viewport) for stretch in axis.breaks)
    return [columns for columns in found if columns is not None]


class _Canvas:
    """A line of cells, each one character wide, being painted."""

    def __init__(self, width: int) -> None:
        self._chars = [" "] * width
        self._roles: list[Role] = ["plain"] * width

    def paint(self, start: int, chars: str, role: Role) -> None:
        """Put characters into the cells from `start` on; what goes beyond the last is cut off."""
        chars = chars[: max(0, len(self._chars) - start)]
        self._chars[start : start + len(chars)] = chars
        self._roles[start : start + len(chars)] = [role] * len(chars)

    def label(self, start: int, size: int, words: str, role: Role) -> None:
        """Write words in the middle of a stretch if they fit."""
        if (room := size - text.cells(words)) >= 0:
            self.paint(start + room // 2, words, role)

    @property
    def line(self) -> Line:
        """What has been painted, neighbours of one role joined."""
        pieces: list[Piece] = []
        at = 0
        for role, same in groupby(self._roles):
            end = at + len(list(same))
            pieces.append(Piece("".join(self._chars[at:end]), role))
            at = end
        return tuple(pieces)
