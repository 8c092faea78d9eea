"""The graph that a run walks through, as it was deployed."""

from __future__ import annotations

import msgspec


class GraphNode(msgspec.Struct, frozen=True, kw_only=True):
    """One node of a graph."""

    id: str
    kind: str | None = None
    """As stored: `agent`, `executable_unit`, `human_approval`, `subgraph`, or one unknown here."""
    label: str | None = None
    """The name that its author gave it to be shown."""
    subgraph: str | None = None
    """The graph that a node of kind `subgraph` runs."""
    fan_out: bool = False
    """Whether what it returns is worked on in parallel branches."""


class GraphEdge(msgspec.Struct, frozen=True, kw_only=True):
    """One edge of a graph. Its ends may name nodes that the graph does not have."""

    id: str
    source: str
    target: str
    condition: str | None = None
    """The expression, or the rule over its operands; None for an edge that is always taken."""
    enabled: bool = True


class GraphShape(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes and edges in stored order."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    entry: str | None = None
    """The node that a run begins with."""
    problem: str | None = None
    """What of the stored graph could not be read."""
