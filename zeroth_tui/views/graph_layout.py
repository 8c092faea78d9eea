"""Where nodes and edges stand: by the graph alone, so that nothing moves when a run goes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zeroth_store.browse import GraphEdge, GraphShape


class Slot(NamedTuple):
    """One row: a node, or below it one of the edges that leave it."""

    node: str
    """The node, or the one that the edge leaves."""
    edge: int | None = None
    """Position in the graph's edges."""


class Layout(NamedTuple):
    """A graph from top to bottom: every edge leads down, or back."""

    slots: tuple[Slot, ...]
    back: frozenset[int]
    """Edges that lead back into a loop, to their own node included."""
    lanes: dict[str, int]
    """The column, from 0 beside the text, in which the edges to a node come down."""


def layout(shape: GraphShape) -> Layout:
    """Place each node below all that lead to it, loops left aside, else in stored order."""
    leaving: defaultdict[str, list[int]] = defaultdict(list)
    for index, edge in enumerate(shape.edges):
        leaving[edge.source].append(index)
    back, finished = _walk(_roots(shape), shape.edges, leaving)
    layers = _layers(finished, shape.edges, leaving, back)
    stored = {node.id: at for at, node in enumerate(shape.nodes)}
    order = sorted(stored, key=lambda node: (layers[node], node != shape.entry, stored[node]))
    slots = tuple(_slots(order, leaving))
    return Layout(slots, back, _lanes(slots, shape.edges, back))


def _roots(shape: GraphShape) -> list[str]:
    """Return the nodes in the order in which the walk begins at them: the entry first."""
    reached = {edge.target for edge in shape.edges}
    names = [node.id for node in shape.nodes]
    return sorted(names, key=lambda name: (name != shape.entry, name in reached))


def _walk(
    roots: Sequence[str], edges: Sequence[GraphEdge], leaving: dict[str, list[int]]
) -> tuple[frozenset[int], list[str]]:
    """Go through the graph in depth: the edges back into the way here, and nodes as left."""
    back: set[int] = set()
    finished: list[str] = []
    seen: set[str] = set()
    on_the_way: set[str] = set()
    for root in roots:
        trail: list[tuple[str, Iterator[int]]] = []
        arrived: str | None = None if root in seen else root
        while arrived is not None or trail:
            if arrived is not None:
                seen.add(arrived)
                on_the_way.add(arrived)
                trail.append((arrived, iter(leaving.get(arrived, ()))))
                arrived = None
            node, rest = trail[-1]
            for index in rest:
                target = edges[index].target
                if target in on_the_way:
                    back.add(index)
                elif target not in seen:
                    arrived = target
                    break
            else:
                on_the_way.remove(node)
                finished.append(node)
                trail.pop()
    return frozenset(back), finished


def _layers(
    finished: Sequence[str],
    edges: Sequence[GraphEdge],
    leaving: dict[str, list[int]],
    back: frozenset[int],
) -> dict[str, int]:
    """Return how long the longest way to each node is."""
    layers: defaultdict[str, int] = defaultdict(int)
    for node in reversed(finished):
        for index in leaving.get(node, ()):
            if index not in back:
                target = edges[index].target
                layers[target] = max(layers[target], layers[node] + 1)
    return layers


def _slots(order: Sequence[str], leaving: dict[str, list[int]]) -> Iterator[Slot]:
    for node in order:
        yield Slot(node)
        for index in leaving.get(node, ()):
            yield Slot(node, index)


def _lanes(
    slots: Sequence[Slot], edges: Sequence[GraphEdge], back: frozenset[int]
) -> dict[str, int]:
    """Give each node that edges come down to a column, the short ways beside the text."""
    begins: dict[str, int] = {}
    ends: dict[str, int] = {}
    for at, slot in enumerate(slots):
        if slot.edge is None:
            ends[slot.node] = at
        elif slot.edge not in back:
            begins.setdefault(edges[slot.edge].target, at)
    taken: list[list[tuple[int, int]]] = []
    lanes: dict[str, int] = {}
    for target in sorted(begins, key=lambda name: (ends[name] - begins[name], begins[name])):
        span = (begins[target], ends[target])
        lane = next((at for at, spans in enumerate(taken) if _free(spans, span)), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append(span)
        lanes[target] = lane
    return lanes


def _free(spans: Sequence[tuple[int, int]], wanted: tuple[int, int]) -> bool:
    return all(end < wanted[0] or wanted[1] < begin for begin, end in spans)
