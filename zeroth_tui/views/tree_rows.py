"""How the rows of the run tree read at a given width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from zeroth_store.browse import RollUp, RunSummary, ThreadKey
from zeroth_store.status import RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.status import by_urgency, look
from zeroth_tui.views.header import run_length
from zeroth_tui.views.layout import fit, is_random, short
from zeroth_tui.views.run_tree import Node

_STATUS_CELLS = 10
"""Wide enough for COMPLETED and a blank; the waiting statuses are shortened to fit."""
_SHORT_WORDS = {"WAITING_APPROVAL": "APPROVAL", "WAITING_INTERRUPT": "INTERRUPT"}


class TreeRows:
    """The nodes of a tree as rows; one is laid out when it comes in sight."""

    def __init__(
        self,
        nodes: Sequence[Node],
        roll_ups: Mapping[ThreadKey, RollUp],
        now: datetime,
        *,
        with_scope: bool = False,
        flat: bool = False,
    ) -> None:
        """Lay out `nodes`; `with_scope` names each thread's tenant and workspace."""
        self._nodes = nodes
        self._roll_ups = roll_ups
        self._with_scope = with_scope
        self._flat = flat
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
            return (indent, *self._run(node, node.run, width - 2 * node.depth))
        if node.run is not None and node.kind == "reason":
            return (indent, Piece("  " if self._flat else "    "), *_reason(node.run))
        return (indent, Piece(node.note, "muted"))

    def _thread(self, node: Node, width: int) -> Line:
        if node.thread is None or not node.thread.found:
            return (_fold(node.open), Piece(node.note, "warning"))
        thread = node.thread
        roll_up = self._roll_ups.get(thread.key)
        tail = _roll_up_pieces(roll_up) or (Piece(f"{len(thread.run_ids)}", "muted"),)
        name = thread_name(thread.key.thread_id)
        if self._with_scope:
            name = f"{name}  {scope_words(thread.key.tenant_id, thread.key.workspace_scope)}"
        room = width - 2 - sum(text.cells(piece.text) for piece in tail) - 2
        return (
            _fold(node.open),
            Piece(text.pad(text.clip(name, room), room), "strong"),
            Piece("  "),
            *tail,
        )

    def _run(self, node: Node, run: RunSummary, width: int) -> Line:
        seen = look(run.status)
        word = _SHORT_WORDS.get(seen.word, seen.word)
        times = f"{fmt.duration(run_length(run, self.now)):>7}{_age(run, self.now):>5}"
        name = short(run.key.run_id)
        middle = [Piece(text.pad(text.clip(word, _STATUS_CELLS - 1), _STATUS_CELLS), seen.role)]
        fold = () if self._flat else (_fold(node.open),)
        fixed = 2 * len(fold) + 2 + text.cells(name) + 1 + _STATUS_CELLS + len(times)
        rest = width - fixed - 2
        extra = self._extra(node, run) if rest >= 8 else ""
        return (
            *fold,
            Piece(f"{seen.glyph} ", seen.role),
            Piece(f"{name} "),
            *middle,
            Piece(times, "muted"),
            Piece(f"  {text.clip(extra, rest)}" if extra else "", "muted"),
        )

    def _extra(self, node: Node, run: RunSummary) -> str:
        """Say what there is room for: the oddity, else the graph."""
        graph = text.line(run.graph, 80)
        if node.note == "child of":
            return f"{graph}  child of {short(run.parent_run_id or '')}"
        if node.note:
            return node.note
        if self._with_scope and self._flat:
            scope = scope_words(run.key.tenant_id, run.key.workspace_scope)
            return f"{graph}  {scope}"
        return graph


def thread_name(thread_id: str) -> str:
    """Return a thread's id whole, but a random one by its first digits."""
    return short(thread_id) if is_random(thread_id) else text.line(thread_id, 200) or "(empty)"


def scope_words(tenant_id: str, workspace_scope: str) -> str:
    """Return a scope as `tenant` or `tenant/workspace`."""
    tenant = text.line(tenant_id, 60)
    if workspace_scope == "null":
        return tenant
    return f"{tenant}/{text.line(workspace_scope.removeprefix('value:'), 60)}"


def _fold(is_open: bool | None) -> Piece:
    if is_open is None:
        return Piece("  ")
    return Piece("▾ " if is_open else "▸ ", "muted")


def _reason(run: RunSummary) -> Line:
    parts = [Piece(text.line(run.failure_reason, 80), "error")]
    if run.failed_node:
        parts.append(Piece(f" {text.line(run.failed_node, 80)}", "muted"))
    return tuple(parts)


def _age(run: RunSummary, now: datetime) -> str:
    return fmt.age(run.started.instant, now)


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
