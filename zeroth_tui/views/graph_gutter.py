"""The lines beside a graph's rows: heavy along the way that a run took, thin elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from zeroth_store.browse import GraphEdge
from zeroth_tui.line import Line, Piece
from zeroth_tui.views.graph_layout import Layout, Slot

TAIL: Final = 3
"""How many cells stand between the lanes and the name of an edge or a node."""

_DOWN: Final = {False: "│", True: "┃"}
_ACROSS: Final = {False: "─", True: "━"}
_BEGIN: Final = {False: "┌", True: "┏"}
_END: Final = {False: "└", True: "┗"}
_CROSS: Final = {
    (False, False): "┼",
    (False, True): "┿",
    (True, False): "╂",
    (True, True): "╋",
}
"""By the weight of the line down and of the one across."""
_JOIN: Final = {
    (False, False): "├",
    (False, True): "┢",
    (True, False): "┠",
    (True, True): "┣",
}
"""By the weight of the line from above and of the one that joins it."""


class _Cell(NamedTuple):
    char: str
    heavy: bool = False


def gutters(
    plan: Layout, edges: Sequence[GraphEdge], taken: Collection[int], most: int
) -> Iterator[Line]:
    """Yield what stands before each row; ways in lanes beyond `most` are not drawn.

    All are equally wide. Before a node stands an arrow where a way ends, before an edge the way
    to its lane.
    """
    count = min(most, max(plan.lanes.values(), default=-1) + 1)
    open_lanes: dict[int, bool] = {}
    for slot in plan.slots:
        lane = _lane(slot, plan, edges)
        if lane is not None and lane >= count:
            lane = None
        if slot.edge is None:
            cells = _node(lane, open_lanes, count)
        else:
            cells = _edge(lane, open_lanes, count, heavy=slot.edge in taken)
        yield _line(cells)


def _lane(slot: Slot, plan: Layout, edges: Sequence[GraphEdge]) -> int | None:
    if slot.edge is None:
        return plan.lanes.get(slot.node)
    return None if slot.edge in plan.back else plan.lanes.get(edges[slot.edge].target)


def _node(lane: int | None, open_lanes: dict[int, bool], count: int) -> list[_Cell]:
    if lane is None:
        return [*_lanes(open_lanes, count), _Cell(" ")]
    heavy = open_lanes.pop(lane)
    corner = _Cell(_END[heavy], heavy)
    return [*_way(lane, open_lanes, count, corner), _Cell(">", heavy)]


def _edge(lane: int | None, open_lanes: dict[int, bool], count: int, *, heavy: bool) -> list[_Cell]:
    if lane is None:
        return [*_lanes(open_lanes, count), *[_Cell(" ")] * TAIL]
    above = open_lanes.get(lane)
    corner = _BEGIN[heavy] if above is None else _JOIN[above, heavy]
    cells = _way(lane, open_lanes, count, _Cell(corner, bool(above) or heavy), across=heavy)
    open_lanes[lane] = bool(above) or heavy
    return [*cells, *[_Cell(_ACROSS[heavy], heavy)] * TAIL]


def _lanes(open_lanes: dict[int, bool], count: int) -> list[_Cell]:
    """Return the lanes from the outermost one, where nothing leaves or joins them."""
    weights = (open_lanes.get(lane) for lane in reversed(range(count)))
    return [_Cell(" ") if heavy is None else _Cell(_DOWN[heavy], heavy) for heavy in weights]


def _way(
    lane: int, open_lanes: dict[int, bool], count: int, corner: _Cell, across: bool | None = None
) -> list[_Cell]:
    """Return the lanes with a corner in one of them and a line from there to the text."""
    heavy = corner.heavy if across is None else across
    outside = _lanes(open_lanes, count)[: count - 1 - lane]
    inside = [
        _Cell(_ACROSS[heavy], heavy)
        if (down := open_lanes.get(at)) is None
        else _Cell(_CROSS[down, heavy], down or heavy)
        for at in reversed(range(lane))
    ]
    return [*outside, corner, *inside]


def _line(cells: Sequence[_Cell]) -> Line:
    return tuple(
        Piece("".join(cell.char for cell in same), "ok" if heavy else "muted")
        for heavy, same in groupby(cells, key=lambda cell: cell.heavy)
    )
