"""How the rows of the run tree read at a given width."""

from __future__ import annotations

from datetime import datetime

from zeroth_store.browse import RollUp, RunKey
from zeroth_store.status import RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.status import by_urgency, look
from zeroth_tui.views.layout import fit, short
from zeroth_tui.views.run_cells import mark, reason, scope_words, thread_name
from zeroth_tui.views.run_lines import AGE_CELLS, fold_mark, run_line
from zeroth_tui.views.run_tree import CHILD, Forest, Node, has_position
from zeroth_tui.views.short_ids import ShortIds
from zeroth_tui.views.tree_index import TreeIndex

_WITH_AGE = 40
"""From this width on a thread says when it was last written."""


class TreeRows:
    """The rows of a Forest's tree; one is laid out when it comes in sight."""

    def __init__(
        self, forest: Forest, now: datetime, *, marks: frozenset[RunKey] = frozenset()
    ) -> None:
        self.forest = forest
        self._index = TreeIndex(forest, now)
        self.marks = marks
        """The runs that are marked."""
        self.awaited = frozenset[RunKey]()
        """The runs whose end is waited for."""
        shown = (*forest.runs.values(), *forest.children.values(), forest.loose)
        self._ids = ShortIds(run.key.run_id for runs in shown for run in runs)
        self.now = now
        """What ages are counted to."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._index)

    def node(self, index: int) -> Node:
        """Return what a row stands for."""
        return self._index.node(index)

    def find(self, item: object) -> int | None:
        """Return where the first row of an item is, or None."""
        return self._index.find(item)

    def position(self, index: int) -> int:
        """Return the position of the thread that a row belongs to."""
        return self._index.position(index)

    def missing(self, start: int, stop: int) -> bool:
        """Whether a thread in any row from `start` up to `stop` is not loaded."""
        rows = range(start, min(stop, len(self)))
        return any(not has_position(self.forest, self.position(row)) for row in rows)

    def row(self, index: int, width: int) -> Row:
        """Return one row in `width` cells."""
        node = self.node(index)
        first = mark(marked=node.item in self.marks, awaited=node.item in self.awaited)
        return Row(fit((first, *self._line(node, width - 1)), width), node.item)

    def _line(self, node: Node, width: int) -> Line:
        indent = Piece("  " * node.depth)
        if node.kind == "thread":
            return self._thread(node, width)
        if node.run is not None and node.kind == "run":
            room = width - 2 * node.depth - 2
            line = run_line(node.run, room, self.now, self._ids, _extra(node))
            return (indent, fold_mark(node.open), *line)
        if node.run is not None and node.kind == "reason":
            return (indent, Piece("    "), reason(node.run, self.now) or Piece(""))
        return (indent, Piece("    "), Piece(node.note, "warning" if node.item else "muted"))

    def _thread(self, node: Node, width: int) -> Line:
        if node.thread is None or not node.thread.found:
            return (fold_mark(node.open), Piece(node.note, "warning"))
        thread = node.thread
        roll_up = self.forest.roll_ups.get(thread.key)
        tail = _roll_up_pieces(roll_up) or (Piece(f"{thread.run_count}", "muted"),)
        if width >= _WITH_AGE:
            written = fmt.age(thread.updated.instant, self.now)
            age = f"{text.clip(written, AGE_CELLS - 1):>{AGE_CELLS}}"
            tail = (*tail, Piece(age, "muted"))
        name = thread_name(thread.key.thread_id)
        if self.forest.with_scope:
            name = f"{name}  {scope_words(thread.key.tenant_id, thread.key.workspace_scope)}"
        room = width - 2 - sum(text.cells(piece.text) for piece in tail) - 2
        return (
            fold_mark(node.open),
            Piece(text.pad(text.clip(name, room), room), "strong"),
            Piece("  "),
            *tail,
        )


def _extra(node: Node) -> str:
    """Say what a run's row has room for: its graph, and a parent that is not shown above it."""
    run = node.run
    if run is None:
        return ""
    graph = text.line(run.graph, 80)
    if node.note == CHILD:
        return f"{graph}  {CHILD} {short(run.parent_run_id or '')}"
    return graph


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
