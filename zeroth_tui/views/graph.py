"""The graph pane: nodes in layers with the edges that leave them, and the way the run took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zeroth_store.browse import GraphEdge, GraphNode, GraphShape, RunDetail
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.views.graph_gutter import gutters
from zeroth_tui.views.graph_layout import Slot, layout
from zeroth_tui.views.graph_shape import DrawnGraph, drawn_graph
from zeroth_tui.views.graph_walk import Walk
from zeroth_tui.views.layout import join, paragraph, row, stored
from zeroth_tui.views.plain_steps import last_visits
from zeroth_tui.views.step import EdgeItem, Step, StepItem, find

_KINDS: Final = {"executable_unit": "unit", "human_approval": "approval"}
_LEGEND: Final = "◆ ━ taken  ◇ not taken  · never reached  ↺ leads back  x2 two visits"


def graph_rows(
    deployed: GraphShape | None, detail: RunDetail, steps: Sequence[Step], width: int
) -> tuple[Row, ...]:
    """Return a run's graph; a node's item is its last visit, an edge's its last decision.

    The rows of a deployed graph are the same at every moment of a run; nodes that ran and are not
    in it come behind them.
    """
    graph = drawn_graph(deployed, detail, steps)
    walk = Walk(graph, detail, steps)
    rows = _notes(graph, deployed, detail, width)
    if not graph.shape.nodes:
        return (*rows, *paragraph("No node is known: nothing has run.", width, "muted"))
    rows += _drawn(graph, walk, width)
    known = {node.id for node in graph.shape.nodes}
    if strangers := [node for node in walk.visited if node not in known]:
        rows += paragraph("These ran, and are not in the deployed graph:", width, "warning")
        rows += [_node(GraphNode(id=node), walk, (), width // 3, width) for node in strangers]
    return (*rows, *paragraph(_LEGEND, width, "muted"))


def last_visit(steps: Sequence[Step], index: int | None) -> StepItem | None:
    """Return what the graph's cursor is on when this step is the selected one."""
    here = None if index is None else find(steps, index)
    visits = [step.index for step in last_visits(steps) if here and step.node_id == here.node_id]
    return StepItem(visits[-1]) if visits else None


def _notes(
    graph: DrawnGraph, deployed: GraphShape | None, detail: RunDetail, width: int
) -> list[Row]:
    rows: list[Row] = []
    if deployed is not None and deployed.problem is not None:
        problem = text.line(deployed.problem)
        rows += paragraph(f"! the deployed graph is not readable: {problem}", width, "warning")
    if graph.left_out:
        rows += paragraph(
            f"! a very large graph: {fmt.count(graph.left_out)} nodes are not drawn",
            width,
            "warning",
        )
    if detail.erased:
        rows += paragraph("Retention erased which edges were taken.", width, "muted")
    if not graph.stored:
        rows += paragraph("From the history: only what ran is known.", width, "muted")
    return rows


def _drawn(graph: DrawnGraph, walk: Walk, width: int) -> Iterator[Row]:
    shape, plan = graph.shape, layout(graph.shape)
    nodes = {node.id: node for node in shape.nodes}
    taken = {index for index, edge in enumerate(shape.edges) if walk.taken(edge)}
    lines = gutters(plan, shape.edges, taken, max(2, width // 8))
    longest = max(text.cells(_name(node.id)) for node in shape.nodes)
    column = max(4, min(longest, width // 4))
    for slot, before in zip(plan.slots, lines, strict=True):
        if slot.edge is not None:
            back = slot.edge in plan.back
            yield _edge(shape.edges[slot.edge], walk, before, column, width, back=back)
        elif slot.node in graph.dangling:
            yield _missing(slot, walk, before, width)
        else:
            yield _node(nodes[slot.node], walk, before, column, width)


def _node(node: GraphNode, walk: Walk, before: tuple[Piece, ...], column: int, width: int) -> Row:
    step = walk.last(node.id)
    failed = step is not None and step.failed
    words = (*walk.node_words(node.id), Piece(_kind(node), "muted"))
    return row(
        width,
        *before,
        walk.node_mark(node.id),
        Piece(" "),
        Piece(
            text.pad(_name(node.id), column),
            "error" if failed else "strong" if step else "plain",
        ),
        *(Piece(f"  {piece.text}", piece.role) for piece in words if piece.text),
        item=StepItem(step.index) if step else None,
    )


def _missing(slot: Slot, walk: Walk, before: tuple[Piece, ...], width: int) -> Row:
    """Return the row of a node that only edges name."""
    step = walk.last(slot.node)
    name = Piece(f" {_name(slot.node)}", "warning")
    said = Piece("  not in the deployed graph", "warning")
    item = StepItem(step.index) if step else None
    return row(width, *before, walk.node_mark(slot.node), name, said, item=item)


def _edge(
    edge: GraphEdge,
    walk: Walk,
    before: tuple[Piece, ...],
    column: int,
    width: int,
    *,
    back: bool,
) -> Row:
    asked = walk.asked(edge)
    outcome = walk.edge_words(edge)
    role: Role = "plain" if walk.taken(edge) else "muted"
    way = "↺ to" if back else "->"
    condition = "always" if edge.condition is None else stored(edge.condition)
    return row(
        width,
        *before,
        walk.edge_mark(edge),
        Piece(f" {way} ", role),
        Piece(text.clip(_name(edge.target), column), role),
        Piece(f"  {outcome.text}", outcome.role),
        Piece(f"  {condition}", "string" if edge.condition else "muted"),
        Piece(f"  {text.line(edge.id, 80)}", "muted"),
        item=EdgeItem(asked.index) if asked else None,
    )


def _name(identity: str) -> str:
    return text.line(identity, 200) or "(empty)"


def _kind(node: GraphNode) -> str:
    """Return what a node is in words, and its author's name for it where that says more."""
    kind = _KINDS.get(node.kind or "") or text.line(node.kind, 40)
    if node.subgraph is not None:
        kind = f"{kind} {text.line(node.subgraph, 80)}"
    label = node.label if node.label and node.label.casefold() != node.id.casefold() else None
    named = f'"{stored(label, 80)}"' if label else None
    return join([kind, "fan-out" if node.fan_out else None, named], ", ")
