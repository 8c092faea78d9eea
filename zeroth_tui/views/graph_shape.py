"""Which graph to draw for a run: the deployed one, else what the history tells of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from zeroth_store.browse import ConditionEntry, GraphEdge, GraphNode, GraphShape, RunDetail
from zeroth_tui.views.edges import question
from zeroth_tui.views.step import Step

MOST_NODES: Final = 1_000
MOST_EDGES: Final = 5_000
"""How much of a graph is drawn: more would hold the screen up, and nobody would find his way."""


class DrawnGraph(msgspec.Struct, frozen=True, kw_only=True):
    """A graph whose edges all have both ends, in the names that it gives its nodes."""

    shape: GraphShape
    stored: bool
    """False when it was put together from the history."""
    dangling: frozenset[str] = frozenset()
    """Nodes that edges name and the stored graph does not have."""
    prefix: str = ""
    """What a child run writes before each name, as `subgraph:credit-check:1:`."""
    left_out: int = 0
    """How many nodes are not drawn because nobody could look at so many."""

    def known_as(self, written: str) -> str:
        """Return the graph's own name for a node or edge that the run names."""
        return written.removeprefix(self.prefix)


def drawn_graph(stored: GraphShape | None, detail: RunDetail, steps: Sequence[Step]) -> DrawnGraph:
    """Return the graph to draw; only the history changes one that is not stored."""
    if stored is None or not stored.nodes:
        return DrawnGraph(shape=_from_history(detail, steps), stored=False)
    nodes = {node.id: node for node in stored.nodes[:MOST_NODES]}
    hidden = {node.id for node in stored.nodes[MOST_NODES:]}
    edges = [edge for edge in stored.edges if hidden.isdisjoint((edge.source, edge.target))]
    edges = edges[:MOST_EDGES]
    ends = (end for edge in edges for end in (edge.source, edge.target))
    dangling = {end: GraphNode(id=end) for end in ends if end not in nodes}
    drawn = (*nodes.values(), *dangling.values())
    return DrawnGraph(
        shape=msgspec.structs.replace(stored, nodes=drawn, edges=tuple(edges)),
        stored=True,
        dangling=frozenset(dangling),
        prefix=_prefix(nodes, _written(detail, steps)),
        left_out=len(hidden),
    )


def edge_name(entry: ConditionEntry) -> str:
    """Return the name of the edge that a decision was about."""
    return entry.edge_id or entry.condition_id


def _from_history(detail: RunDetail, steps: Sequence[Step]) -> GraphShape:
    """Return the nodes that ran in the order they began, and the edges that were considered."""
    edges: dict[str, GraphEdge] = {}
    for entry in detail.conditions:
        if entry.source is not None and entry.target is not None:
            name = edge_name(entry)
            condition = None if entry.rule == "passthrough" else question(entry)
            edges.setdefault(
                name,
                GraphEdge(id=name, source=entry.source, target=entry.target, condition=condition),
            )
    names = [step.node_id for step in steps]
    names += [end for edge in edges.values() for end in (edge.source, edge.target)]
    nodes = tuple(GraphNode(id=name) for name in dict.fromkeys(names))
    return GraphShape(nodes=nodes, edges=tuple(edges.values()))


def _written(detail: RunDetail, steps: Sequence[Step]) -> Iterable[str]:
    yield from dict.fromkeys(step.node_id for step in steps)
    yield from detail.pending_nodes


def _prefix(nodes: dict[str, GraphNode], written: Iterable[str]) -> str:
    """Return what stands before the graph's names in the run's, if anything does."""
    for name in written:
        if name in nodes or not name.startswith("subgraph:"):
            continue
        cuts = (at + 1 for at, char in enumerate(name) if char == ":")
        if found := next((name[:cut] for cut in cuts if name[cut:] in nodes), None):
            return found
    return ""
