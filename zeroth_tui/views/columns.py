"""The columns of a flat run list: which of them there is room for, and how wide each is."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from zeroth_store.browse import OrderBy, RunOrder
from zeroth_tui import text
from zeroth_tui.line import Line, Piece

Name = Literal["run", "status", "took", "age", "written", "cost", "scope", "graph", "thread", "why"]
"""What a column says; the name is also its heading."""

SORTS: Final[dict[Name, OrderBy]] = {
    "status": "status",
    "took": "duration",
    "age": "started",
    "written": "updated",
    "cost": "cost",
    "graph": "graph",
}
"""By what a click on a column's heading sorts."""

LEAD: Final = 3
"""Cells in front of the id: a mark, the status glyph, and `!` where a run is stuck."""

_RIGHT: Final[frozenset[Name]] = frozenset({"took", "age", "written", "cost"})


class Column(msgspec.Struct, frozen=True):
    """One column at one width of the list."""

    name: Name
    start: int
    width: int

    @property
    def right(self) -> bool:
        """Whether its values end at its right edge, as numbers do."""
        return self.name in _RIGHT

    def cell(self, value: str) -> str:
        """Return a clean text in exactly the column's width; what is cut ends in `…`."""
        shown = text.clip(value, self.width)
        return shown.rjust(self.width) if self.right else text.pad(shown, self.width)


class Columns(msgspec.Struct, frozen=True):
    """The columns of a list, from left to right."""

    every: tuple[Column, ...]

    def has(self, name: Name) -> bool:
        """Whether there is room for a column."""
        return any(column.name == name for column in self.every)

    def at(self, x: int) -> Column | None:
        """Return the column whose heading is at a cell of the line."""
        return next((c for c in self.every if c.start <= x < c.start + c.width), None)

    def heading(self, order: RunOrder) -> Line:
        """Return the names of the columns, with an arrow at the one that sorts."""
        line: list[Piece] = []
        used = 0
        for column in self.every:
            sorts = SORTS.get(column.name) == order.by
            words = column.name + (("↓" if order.descending else "↑") if sorts else "")
            line.append(Piece(" " * (column.start - used)))
            line.append(Piece(column.cell(words), "strong" if sorts else "muted"))
            used = column.start + column.width
        return tuple(line)


class _Wish(msgspec.Struct, frozen=True):
    """A column that is shown where it fits: cells that it needs, would like, and can use."""

    name: Name
    least: int
    ideal: int
    most: int


_STATUS = _Wish("status", 9, 9, 9)
_TOOK = _Wish("took", 6, 6, 6)
_AGE = _Wish("age", 4, 4, 4)
_SCOPE = _Wish("scope", 8, 14, 20)
_GRAPH = _Wish("graph", 10, 14, 22)
_THREAD = _Wish("thread", 8, 12, 18)
_COST = _Wish("cost", 7, 7, 7)
_WRITTEN = _Wish("written", 8, 8, 8)
_WHY = _Wish("why", 14, 34, 200)
_SHORT_WHY = _Wish("why", 10, 34, 200)

_RUNS: Final = (_AGE, _STATUS, _TOOK, _GRAPH, _WHY, _COST, _THREAD, _WRITTEN)
_FAILURES: Final = (_AGE, _TOOK, _SHORT_WHY, _GRAPH, _THREAD, _COST, _WRITTEN)
_LEFT_TO_RIGHT: Final[tuple[Name, ...]] = (
    "status",
    "took",
    "age",
    "written",
    "cost",
    "scope",
    "graph",
    "thread",
    "why",
)


_BY_NAME: Final = {wish.name: wish for wish in (*_RUNS, _SCOPE)}


def columns(
    width: int,
    id_cells: int,
    order: RunOrder,
    *,
    failures: bool,
    with_scope: bool,
    chosen: tuple[Name, ...] = (),
) -> Columns:
    """Return the columns that fit in `width` cells, the most important ones first.

    What sorts the list is shown wherever it can be, and the scope where there are several. Where
    a person has `chosen` columns there are no others, and the first of them go before the rest.
    """
    wishes = [_BY_NAME[name] for name in chosen] or list(_FAILURES if failures else _RUNS)
    if with_scope and not chosen:
        wishes.insert(wishes.index(_TOOK) + 1, _SCOPE)
    # Python's sort keeps the rest in order: False comes before True.
    wishes.sort(key=lambda wish: SORTS.get(wish.name) != order.by)
    ids = min(id_cells, max(1, width - LEAD))
    room = width - LEAD - ids
    cells: dict[Name, int] = {}
    for wish in wishes:
        free = room - _gap(wish.name)
        if free >= wish.least:
            cells[wish.name] = min(free, wish.ideal)
            room = free - cells[wish.name]
    for wish in wishes:
        if wish.name in cells:
            more = min(room, wish.most - cells[wish.name])
            cells[wish.name] += more
            room -= more
    return Columns(_placed(ids, cells, chosen or _LEFT_TO_RIGHT))


def _placed(ids: int, cells: dict[Name, int], in_order: tuple[Name, ...]) -> tuple[Column, ...]:
    every = [Column("run", LEAD, ids)]
    start = LEAD + ids
    for name in in_order:
        if name in cells:
            every.append(Column(name, start + _gap(name), cells[name]))
            start += _gap(name) + cells[name]
    return tuple(every)


def _gap(name: Name) -> int:
    """Return the cells in front of a column; numbers bring blanks of their own."""
    return 1 if name in _RIGHT or name == "status" else 2
