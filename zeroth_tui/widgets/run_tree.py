"""The left half: threads with their runs, or runs alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from zeroth_store.browse import RunKey, RunSummary, ThreadKey
from zeroth_tui.views.flat_rows import FlatRows
from zeroth_tui.views.run_tree import Forest, More, Node, nodes
from zeroth_tui.views.tree_rows import TreeRows
from zeroth_tui.widgets.row_list import RowList


class RunTree(RowList):
    """Draws a Forest; says when more of it is wanted and which run the cursor is on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "unfold", "Unfold", show=False, id="tree.unfold"),
        Binding("left,h", "fold", "Fold", show=False, id="tree.fold"),
        Binding("n", "failure(1)", "Next failure", show=False, id="tree.next_failure"),
        Binding("N", "failure(-1)", "Previous failure", show=False, id="tree.previous_failure"),
    ]

    forest: reactive[Forest | None] = reactive(None, init=False)
    """What is loaded; None until the first page is there."""

    @dataclass
    class Toggled(Message):
        """A thread or run is to be opened or closed."""

        key: ThreadKey | RunKey

    @dataclass
    class MoreWanted(Message):
        """The cursor is on the row that stands for the next page."""

        after: int

    @dataclass
    class StretchWanted(Message):
        """Rows from this position on are in sight and not loaded."""

        start: int

        def can_replace(self, message: Message) -> bool:
            """Only where the list stands now matters."""
            return isinstance(message, RunTree.StretchWanted)

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Count ages by `clock`."""
        super().__init__(id="tree")
        self._clock = clock

    def watch_forest(self, forest: Forest | None) -> None:
        """Draw the tree as it is now."""
        if forest is None:
            return
        if forest.flat is not None:
            self.show(FlatRows(forest.flat, self._clock(), with_scope=forest.with_scope))
            self._ask_for_missing()
        else:
            rows, now = nodes(forest), self._clock()
            self.show(TreeRows(rows, forest.roll_ups, now, with_scope=forest.with_scope))

    def watch_top(self) -> None:
        """Draw what is in sight now, and ask for what is not loaded of it."""
        super().watch_top()
        self._ask_for_missing()

    def _ask_for_missing(self) -> None:
        stop = self.top + max(1, self.size.height)
        if isinstance(self.source, FlatRows) and self.source.runs.missing(self.top, stop):
            self.post_message(self.StretchWanted(self.top))

    def tick(self) -> None:
        """Count ages to now."""
        if isinstance(self.source, TreeRows | FlatRows):
            self.source.now = self._clock()
        super().tick()

    @property
    def node(self) -> Node | None:
        """What the cursor is on."""
        if isinstance(self.source, TreeRows) and len(self.source):
            return self.source.node(self.cursor)
        return None

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Ask for the next page when the cursor reaches its row."""
        if isinstance(event.item, More):
            self.post_message(self.MoreWanted(event.item.after))

    def action_open(self) -> None:
        """Open or close a thread; open a run on the right."""
        if isinstance(self.item, ThreadKey):
            self.post_message(self.Toggled(self.item))
        else:
            super().action_open()

    def action_unfold(self) -> None:
        """Open what the cursor is on; when it is open, go into it."""
        node = self.node
        if node is None or node.open is None:
            return
        if node.open:
            self.action_move(1)
        else:
            self._toggle(node)

    def action_fold(self) -> None:
        """Close what the cursor is on; when it is closed, go to what it hangs under."""
        node = self.node
        if node is None:
            return
        if node.open:
            self._toggle(node)
            return
        for at in range(self.cursor - 1, -1, -1):
            above = self._node_at(at)
            if above is not None and above.depth < node.depth:
                self.cursor = at
                return

    def action_failure(self, direction: int) -> None:
        """Move to the next or previous failed run in sight of the tree."""
        at = self.cursor + direction
        while 0 <= at < len(self.source):
            run = self._run_at(at)
            if run is not None and run.status == "FAILED":
                self.cursor = at
                return
            at += direction

    def _run_at(self, index: int) -> RunSummary | None:
        if isinstance(self.source, FlatRows):
            return self.source.runs.runs.get(index)
        node = self._node_at(index)
        return node.run if node is not None and node.kind == "run" else None

    def _node_at(self, index: int) -> Node | None:
        return self.source.node(index) if isinstance(self.source, TreeRows) else None

    def _toggle(self, node: Node) -> None:
        if isinstance(node.item, ThreadKey | RunKey):
            self.post_message(self.Toggled(node.item))
