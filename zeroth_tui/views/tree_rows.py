"""How the rows of the run tree read at a given width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from zeroth_store.browse import RollUp, ThreadKey
from zeroth_store.status import RunStatus
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.status import by_urgency, look
from zeroth_tui.views.layout import fit, short
from zeroth_tui.views.run_lines import (
    fold_mark,
    reason_line,
    run_line,
    scope_words,
    thread_name,
)
from zeroth_tui.views.run_tree import Node


class TreeRows:
    """The nodes of a tree as rows; one is laid out when it comes in sight."""

    def __init__(
        self,
        nodes: Sequence[Node],
        roll_ups: Mapping[ThreadKey, RollUp],
        now: datetime,
        *,
        with_scope: bool = False,
    ) -> None:
        """Lay out `nodes`; `with_scope` names each thread's tenant and workspace."""
        self._nodes = nodes
        self._roll_ups = roll_ups
        self._with_scope = with_scope
        self.now = now
        """What ages are counted to."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._nodes)

    def node(self, index: int) -> Node:
        """Return what a row stands for."""
        return self._nodes[index]

    def find(self, item: object) -> int | None:
        """Return where the first row of an item is, or None."""
        return next((at for at, node in enumerate(self._nodes) if node.item == item), None)

    def row(self, index: int, width: int) -> Row:
        """Return one row in `width` cells."""
        node = self._nodes[index]
        return Row(fit(self._line(node, width), width), node.item)

    def _line(self, node: Node, width: int) -> Line:
        indent = Piece("  " * node.depth)
        if node.kind == "thread":
            return self._thread(node, width)
        if node.run is not None and node.kind == "run":
            room = width - 2 * node.depth - 2
            return (indent, fold_mark(node.open), *run_line(node.run, room, self.now, _extra(node)))
        if node.run is not None and node.kind == "reason":
            return (indent, Piece("    "), *reason_line(node.run))
        return (indent, Piece(node.note, "muted"))

    def _thread(self, node: Node, width: int) -> Line:
        if node.thread is None or not node.thread.found:
            return (fold_mark(node.open), Piece(node.note, "warning"))
        thread = node.thread
        roll_up = self._roll_ups.get(thread.key)
        tail = _roll_up_pieces(roll_up) or (Piece(f"{len(thread.run_ids)}", "muted"),)
        name = thread_name(thread.key.thread_id)
        if self._with_scope:
            name = f"{name}  {scope_words(thread.key.tenant_id, thread.key.workspace_scope)}"
        room = width - 2 - sum(text.cells(piece.text) for piece in tail) - 2
        return (
            fold_mark(node.open),
            Piece(text.pad(text.clip(name, room), room), "strong"),
            Piece("  "),
            *tail,
        )


def _extra(node: Node) -> str:
    """Say what a run's row has room for: what is odd about it, else its graph."""
    run = node.run
    if run is None:
        return ""
    graph = text.line(run.graph, 80)
    if node.note == "child of":
        return f"{graph}  child of {short(run.parent_run_id or '')}"
    return node.note or graph


def _roll_up_pieces(roll_up: RollUp | None) -> Line:
    """Return the number of runs and, worst first, how many are in each status but COMPLETED."""
    if roll_up is None:
        return ()
    counts = {status: n for status, n in roll_up.by_status if status != RunStatus.COMPLETED}
    pieces = [Piece(f"{roll_up.total}", "muted")]
    for status in by_urgency(counts):
        seen = look(status)
        pieces.append(Piece(f" {seen.glyph}{counts[status]}", seen.role))
    return tuple(pieces)
