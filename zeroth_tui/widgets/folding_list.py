"""A list whose rows fold, and in which the failures are a key apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from zeroth_store.browse import RunKey, RunSummary, ThreadKey
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.views.run_cells import ticks
from zeroth_tui.views.run_tree import Node
from zeroth_tui.widgets.flashing_list import FlashingList


class FoldingList(FlashingList):
    """Keys for the tree of threads and runs; what its rows are is up to the class below."""

    BINDING_GROUP_TITLE = "List"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "Unfold what the cursor is on, fold it",
            ("tree.unfold", "right,l", "unfold", "Unfold"),
            ("tree.fold", "left,h", "fold", "Fold"),
        ),
        *hidden("The run's parent, or else its thread", ("tree.parent", "u", "parent", "Parent")),
        *hidden(
            "The next failure, the one before",
            ("tree.next_failure", "n", "failure(1)", "Next failure"),
            ("tree.previous_failure", "N", "failure(-1)", "Previous failure"),
        ),
    ]

    _still: tuple[object, int, int] | None = None
    """What was in sight when nothing of it went on."""

    @dataclass
    class Toggled(Message):
        """A thread or run is to be opened or closed."""

        key: ThreadKey | RunKey

    @dataclass
    class ParentWanted(Message):
        """What a run hangs under is to be gone to: its parent, or else its thread."""

        run: RunSummary

    def node_at(self, index: int) -> Node | None:
        """Return what a row of the tree stands for."""
        raise NotImplementedError

    def run_at(self, index: int) -> RunSummary | None:
        """Return the run of a row; None for the other rows of a tree."""
        raise NotImplementedError

    def is_unread(self, index: int) -> bool:
        """Whether a row is not loaded yet."""
        raise NotImplementedError

    def is_still(self, now: datetime) -> bool:
        """Whether what is shown of the runs in sight is the same every second.

        As long as the same rows are in sight that stays so: a run that is over does not go on.
        """
        sight = (self.source, self.top, self.size.height)
        if self._still != sight:
            rows = range(self.top, min(self.top + self.size.height, len(self.source)))
            runs = (self.run_at(index) for index in rows)
            goes_on = any(run is not None and ticks(run, now) for run in runs)
            self._still = None if goes_on else sight
        return self._still is not None

    @property
    def node(self) -> Node | None:
        """What the cursor is on, in the tree."""
        return self.node_at(self.cursor) if len(self.source) else None

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
        if (above := self._above(node)) is not None:
            self.cursor = above

    def action_parent(self) -> None:
        """Go to the run's parent, and where it has none to its thread, wherever that is."""
        node, run = self.node, self.run_at(self.cursor)
        above = None if node is None else self._above(node)
        if above is not None and (run is None or self._is_parent(above, run)):
            self.cursor = above
        elif run is not None:
            self.post_message(self.ParentWanted(run))

    def action_failure(self, direction: int) -> None:
        """Move to the next or previous failed run; as far as rows are loaded, else to their end."""
        at = self.cursor + direction
        while 0 <= at < len(self.source):
            run = self.run_at(at)
            if (run is not None and run.status == "FAILED") or self.is_unread(at):
                self.cursor = at
                return
            at += direction

    def _above(self, node: Node) -> int | None:
        """Return the row under which the cursor's node hangs."""
        for at in range(self.cursor - 1, -1, -1):
            above = self.node_at(at)
            if above is not None and above.depth < node.depth:
                return at
        return None

    def _is_parent(self, at: int, run: RunSummary) -> bool:
        above = self.run_at(at)
        return run.parent_run_id == (None if above is None else above.key.run_id)

    def _toggle(self, node: Node) -> None:
        if isinstance(node.item, ThreadKey | RunKey):
            self.post_message(self.Toggled(node.item))
