"""What a run did in its graph: how often each node was visited, what became of each edge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from zeroth_store.browse import ConditionEntry, GraphEdge, RunDetail
from zeroth_tui import text
from zeroth_tui.line import Piece
from zeroth_tui.views import edges
from zeroth_tui.views.graph_shape import DrawnGraph, edge_name
from zeroth_tui.views.step import Step
from zeroth_tui.views.step_words import step_look

NEVER = Piece("·", "muted")
"""Stands before what the run never came to."""

_WHY_NOT = {"visit_limit": "visit limit", "edge_disabled": "disabled"}


class Walk:
    """A run's steps and decisions by the names of its graph."""

    def __init__(self, graph: DrawnGraph, detail: RunDetail, steps: Sequence[Step]) -> None:
        self._visits: defaultdict[str, list[Step]] = defaultdict(list)
        for step in steps:
            self._visits[graph.known_as(step.node_id)].append(step)
        self._asked: defaultdict[str, list[ConditionEntry]] = defaultdict(list)
        for entry in detail.conditions:
            self._asked[graph.known_as(edge_name(entry))].append(entry)
        self._pending = frozenset(graph.known_as(node) for node in detail.pending_nodes)
        self._erased = detail.erased

    @property
    def visited(self) -> tuple[str, ...]:
        """The nodes that have steps."""
        return tuple(self._visits)

    def last(self, node: str) -> Step | None:
        """Return the last visit of a node."""
        visits = self._visits.get(node)
        return visits[-1] if visits else None

    def asked(self, edge: GraphEdge) -> ConditionEntry | None:
        """Return the last decision about an edge."""
        entries = self._asked.get(edge.id)
        return entries[-1] if entries else None

    def taken(self, edge: GraphEdge) -> bool:
        """Whether the run ever went along an edge."""
        return any(entry.taken for entry in self._asked.get(edge.id, ()))

    def node_mark(self, node: str) -> Piece:
        """Return the sign of a node: that of its last visit."""
        step = self.last(node)
        return NEVER if step is None else Piece(*step_look(step))

    def edge_mark(self, edge: GraphEdge) -> Piece:
        """Return the sign of an edge."""
        if self.asked(edge) is None:
            return NEVER
        taken = self.taken(edge)
        return Piece(edges.TAKEN, "ok") if taken else Piece(edges.NOT_TAKEN, "muted")

    def node_words(self, node: str) -> tuple[Piece, ...]:
        """Return how often a node was visited, and what is the matter with it now."""
        pending = Piece("pending", "pending") if node in self._pending else Piece("")
        visits = self._visits.get(node, [])
        if not visits:
            return (pending,)
        failed = sum(step.failed for step in visits[:-1])
        return (
            Piece(f"x{len(visits)}", "strong"),
            _state(visits[-1]) or pending,
            Piece(f"failed before x{failed}" if failed else "", "warning"),
        )

    def edge_words(self, edge: GraphEdge) -> Piece:
        """Return whether an edge was taken, and why it was not."""
        entries = self._asked.get(edge.id, [])
        if not entries:
            unknown = "erased" if self._erased else "never evaluated"
            return Piece(unknown if edge.enabled else "disabled", "muted")
        taken = sum(entry.taken for entry in entries)
        if taken == len(entries):
            return Piece("taken", "ok")
        why = _why_not(entries[-1])
        if taken:
            said = f", then {why}" if why not in {"", "false"} else ""
            return Piece(f"taken {taken} of {len(entries)}{said}", "ok")
        return Piece(f"not taken: {why}", edges.outcome_role(entries[-1]))


def _why_not(entry: ConditionEntry) -> str:
    """Return in a word or two why the edge was not taken; empty when it was."""
    if entry.taken:
        return ""
    reason = entry.suppression_reason
    if reason is not None:
        return _WHY_NOT.get(reason) or text.line(reason, 40)
    return "false" if entry.matched is False else "match not recorded"


def _state(step: Step) -> Piece | None:
    """Return the word that goes with a sign which needs one: failed, running, waiting."""
    if step.status == "completed" and not step.waiting:
        return None
    _, role = step_look(step)
    return Piece("denied" if step.denied else text.line(step.status, 40), role)
