"""The left half: threads with their runs, or runs alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive

from zeroth_store.browse import RunKey, RunOrder, RunSummary, ThreadKey
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.key_words import keyed
from zeroth_tui.views import list_words
from zeroth_tui.views.columns import Columns, Name
from zeroth_tui.views.flat_rows import FlatLook, FlatRows
from zeroth_tui.views.run_cells import visible
from zeroth_tui.views.run_tree import Forest, Node
from zeroth_tui.views.tree_rows import TreeRows
from zeroth_tui.widgets.folding_list import FoldingList
from zeroth_tui.widgets.ghost import WithGhost
from zeroth_tui.widgets.row_list import RowList

COARSE: Final = timedelta(seconds=5)
"""How late an age of minutes may go on."""


class RunTree(FoldingList):
    """Draws a Forest; says when more of it is wanted and which run the cursor is on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden("Mark the run, or take its mark away", ("tree.mark", "space", "mark", "Mark")),
    ]

    forest: reactive[Forest | None] = reactive(None, init=False, repaint=False)
    """What is loaded; None until the first page is there."""
    marks: reactive[frozenset[RunKey]] = reactive(frozenset[RunKey](), init=False, repaint=False)
    """The runs that are marked, in sight or not."""
    awaited: reactive[frozenset[RunKey]] = reactive(frozenset[RunKey](), init=False, repaint=False)
    """The runs whose end is waited for."""
    arrived: reactive[int] = reactive(0, init=False, repaint=False)
    """How many rows came in above what is in sight since the list was left alone."""

    @dataclass
    class Marked(Message):
        """A run is to be marked, or no longer."""

        key: RunKey

    @dataclass
    class StretchWanted(Message):
        """Rows from this position on are in sight and not loaded."""

        start: int

        def can_replace(self, message: Message) -> bool:
            """Only where the list stands now matters."""
            return isinstance(message, RunTree.StretchWanted)

    @dataclass
    class Headed(Message):
        """The list has other columns, or none."""

        columns: Columns
        order: RunOrder

    def __init__(self, clock: Callable[[], datetime], columns: tuple[Name, ...] = ()) -> None:
        """Count ages by `clock`; lay flat lists out in `columns`, or in those that fit best."""
        super().__init__(id="tree")
        self._chosen = columns
        self._clock = clock

    @property
    def rows(self) -> TreeRows | FlatRows | None:
        """The rows of the forest; None until there is one."""
        source = self.source.rows if isinstance(self.source, WithGhost) else self.source
        return source if isinstance(source, TreeRows | FlatRows) else None

    @property
    def position(self) -> int:
        """The position of the run, or of the thread in the tree, that is first in sight."""
        return self._position_of(self.top)

    @property
    def place(self) -> int:
        """The position of the run, or of the thread in the tree, that the cursor is on."""
        return self._position_of(self.cursor)

    @property
    def thread(self) -> ThreadKey | None:
        """The thread that the cursor is in, in the tree."""
        if not isinstance(self.rows, TreeRows) or not len(self.rows):
            return None
        thread = self.rows.forest.threads.get(self._position_of(self.cursor))
        return None if thread is None else thread.key

    def watch_forest(self, forest: Forest | None) -> None:
        """Draw the list as it is now."""
        if forest is not None:
            before, source = self._in_sight(), self.source
            self._draw(forest)
            if forest.again:
                shown = self._in_sight().items()
                changed = {item for item, now in shown if before.get(item, now) != now}
                new = {
                    item for item, _ in shown if item not in before and source.find(item) is None
                }
                self.flash(frozenset(changed | new))
            self._ask_for_missing()
            self._head()

    def watch_marks(self) -> None:
        """Draw the marks."""
        if self.rows is not None:
            self.rows.marks, self.rows.awaited = self.marks, self.awaited
            super().tick()

    watch_awaited = watch_marks

    def watch_top(self) -> None:
        """Draw what is in sight now, and ask for what is not loaded of it."""
        super().watch_top()
        if self.top == 0:
            self.arrived = 0
        self._ask_for_missing()

    def on_resize(self) -> None:
        """Choose the columns for the new width."""
        super().on_resize()
        self._head()

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Let go of a row that is gone."""
        if event.by_hand and isinstance(self.source, WithGhost) and self.cursor != self.source.at:
            self.show(self.source.rows)

    def tick(self) -> None:
        """Count ages to now: those of minutes and more only now and then, for they seldom move."""
        if self.rows is None:
            return
        now = self._clock()
        if now - self.rows.now >= COARSE or not self.is_still(now):
            self.rows.now = now
            super().tick()

    def action_open(self) -> None:
        """Open or close a thread; open a run on the right."""
        if isinstance(self.item, ThreadKey):
            self.post_message(self.Toggled(self.item))
        else:
            super().action_open()

    def action_mark(self) -> None:
        """Mark the run under the cursor, or take its mark away, and go on to the next row."""
        if isinstance(self.item, RunKey):
            self.post_message(self.Marked(self.item))
            self.action_move(1)

    def _draw(self, forest: Forest) -> None:
        """Show the rows of a forest: the cursor stays on its run, a list at its top there."""
        rows = self._rows_of(forest)
        was_at_top = self.top == 0
        before = None if self.item is None else self.source.find(self.item)
        found = rows.find(self.item)
        if forest.again and found is None and isinstance(self.item, RunKey) and before is not None:
            self.show(WithGhost(rows, min(self.cursor, len(rows)), self.item))
        elif forest.again or found is not None or not len(rows):
            self.show(rows)
        else:  # another list, which does not have it: it is read from its beginning
            self.show(rows, item=rows.row(0, self.size.width).item)
        if not forest.again:
            self.arrived = 0
        elif was_at_top:
            self.top = max(0, self.cursor - max(1, self.size.height) + 1)
        elif found is not None and before is not None:
            self.arrived += max(0, found - before)

    def _in_sight(self) -> dict[Hashable, object]:
        """Return what the rows in sight show that only a write can change, by their items."""
        found: dict[Hashable, object] = {}
        for index in range(self.top, self.top + self.size.height):
            run, node = self.run_at(index), self.node_at(index)
            if run is not None:
                found[run.key] = visible(run)
            elif node is not None and node.thread is not None and isinstance(self.rows, TreeRows):
                found[node.thread.key] = self.rows.forest.roll_ups.get(node.thread.key)
        return found

    def _rows_of(self, forest: Forest) -> TreeRows | FlatRows:
        if forest.flat is None:
            rows: TreeRows | FlatRows = TreeRows(forest, self._clock(), marks=self.marks)
        else:
            clear, exact = keyed(self, "{explorer.back:esc}"), forest.flat.exact
            words = list_words.empty(forest.filtered, forest.failures, exact, clear)
            how = FlatLook(forest.with_scope, forest.failures, words, self._chosen)
            rows = FlatRows(forest.flat, self._clock(), how, marks=self.marks)
            rows.width = self._columns_width
        rows.awaited = self.awaited
        return rows

    def _head(self) -> None:
        """Say which columns there are."""
        if not isinstance(self.rows, FlatRows):
            self.post_message(self.Headed(Columns(()), RunOrder()))
        elif self.size.width:
            self.rows.width = self._columns_width
            columns = self.rows.columns(self._columns_width)
            self.post_message(self.Headed(columns, self.rows.runs.order))

    @property
    def _columns_width(self) -> int:
        """The cells beside the scroll bar, also while there is none: columns never move."""
        return max(0, self.size.width - 1)

    def _ask_for_missing(self) -> None:
        stop = self.top + max(1, self.size.height)
        if self.rows is not None and self.rows.missing(self.top, stop):
            self.post_message(self.StretchWanted(self._position_of(self.top)))

    def _position_of(self, row: int) -> int:
        """Return the position of a row's run, or of its thread in the tree."""
        if isinstance(self.rows, TreeRows):
            return self.rows.position(min(self._inner(row), max(0, len(self.rows) - 1)))
        return self._inner(row)

    def run_at(self, index: int) -> RunSummary | None:
        """Return the run of a row; None for the other rows of a tree."""
        if isinstance(self.rows, FlatRows):
            return self.rows.runs.runs.get(self._inner(index))
        node = self.node_at(index)
        return node.run if node is not None and node.kind == "run" else None

    def node_at(self, index: int) -> Node | None:
        """Return what a row of the tree stands for."""
        if not isinstance(self.rows, TreeRows) or not len(self.rows):
            return None
        return self.rows.node(min(self._inner(index), len(self.rows) - 1))

    def is_unread(self, index: int) -> bool:
        """Whether a row is not loaded yet."""
        rows = self.rows
        return isinstance(rows, FlatRows) and self._inner(index) not in rows.runs.runs

    def _inner(self, index: int) -> int:
        return self.source.inner(index) if isinstance(self.source, WithGhost) else index
