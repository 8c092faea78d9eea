"""A list of any length that draws only the rows in sight; every list and pane is one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.widgets.row_canvas import RowCanvas
from zeroth_tui.widgets.row_source import RowSource


class RowList(RowCanvas, can_focus=True):
    """Shows a RowSource with a cursor that stays on its item when the rows change."""

    BINDING_GROUP_TITLE = "Move"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "The row above, the row below",
            ("list.up", "up,k", "move(-1)", "Up"),
            ("list.down", "down,j", "move(1)", "Down"),
        ),
        *hidden(
            "A page up, a page down",
            ("list.page_up", "pageup", "page(-1)", "Page up"),
            ("list.page_down", "pagedown", "page(1)", "Page down"),
        ),
        *hidden(
            "The first row, the last row",
            ("list.first", "home,g", "edge(-1)", "First"),
            ("list.last", "end,G", "edge(1)", "Last"),
        ),
        Binding("enter", "open", "Open", id="list.open", tooltip="Open what the cursor is on"),
    ]

    cursor: reactive[int] = reactive(0, init=False, repaint=False)
    """Position of the row that keys act on."""

    @dataclass
    class Moved(Message):
        """The cursor is on another item than before."""

        rows: RowList
        item: object | None
        by_hand: bool
        """False when other rows came under a cursor that stayed."""

        @property
        def control(self) -> RowList:
            """The list that says so."""
            return self.rows

        def can_replace(self, message: Message) -> bool:
            """Only the last of a burst matters."""
            return isinstance(message, RowList.Moved) and message.rows is self.rows

    @dataclass
    class Opened(Message):
        """Enter or a second click on an item."""

        rows: RowList
        item: object

        @property
        def control(self) -> RowList:
            """The list that says so."""
            return self.rows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._item: object | None = None

    @property
    def item(self) -> object | None:
        """The item under the cursor."""
        return self._item

    def show(self, source: RowSource, *, item: object | None = None) -> None:
        """Show other rows; the cursor goes to `item`, else stays on its item, else in place."""
        wanted = self._item if item is None else item
        offset = self.cursor - self.top
        was_at, was_bar = self.cursor, self.scroll_bar
        self._source = source
        found = source.find(wanted) if wanted is not None else None
        at = max(0, min(self.cursor if found is None else found, len(source) - 1))
        top = self.top if item is not None else at - offset
        self.set_reactive(RowList.cursor, at)
        self.set_reactive(RowList.top, self.validate_top(top))
        self._reveal()
        if (self.cursor, self.scroll_bar) == (was_at, was_bar):
            super().tick()  # not the list's own, which may leave out what seldom moves
        else:
            self._laid_out = {}
            self.refresh()
        self._note_item(by_hand=False)

    def looks(self) -> dict[int, str]:
        """Return the backgrounds of the rows under the mouse and under the cursor."""
        return super().looks() | {self.cursor: "cursor" if self.has_focus else "cursor-blurred"}

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, len(self._source) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Bring the cursor's row into sight and say what it is on."""
        self.refresh_row(old)
        self.refresh_row(new)
        self._reveal()
        self._note_item(by_hand=True)

    def _reveal(self) -> None:
        height = self.size.height
        if self.cursor < self.top:
            self.top = self.cursor
        elif height and self.cursor >= self.top + height:
            self.top = self.cursor - height + 1

    def _note_item(self, *, by_hand: bool) -> None:
        """Remember the item under the cursor and post Moved when it is another one."""
        row = self.row_at(self.cursor)
        item = None if row is None else row.item
        if item != self._item:
            self._item = item
            self.post_message(self.Moved(self, item, by_hand))

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.top = self.validate_top(self.top)
        self._reveal()

    def on_focus(self) -> None:
        """Show the cursor as the active one."""
        self.refresh_row(self.cursor)

    def on_blur(self) -> None:
        """Show the cursor as a memory."""
        self.refresh_row(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row; on the cursor's row, open it."""
        index = self.index_at(event)
        if index is None:
            return
        if index == self.cursor:
            self.action_open()
        self.cursor = index

    def index_at(self, event: events.MouseEvent) -> int | None:
        """Return which row the mouse is on; None beside the rows and on the scroll bar."""
        x, y = self.place_of(event)
        index = self.top + y
        on_bar = self.scroll_bar is not None and x >= self.size.width - 1
        return None if on_bar or index >= len(self._source) else index

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """Move the cursor by the height of what is in sight."""
        self.cursor += pages * max(1, self.size.height - 1)

    def action_edge(self, direction: int) -> None:
        """Move the cursor to the first or last row."""
        self.cursor = 0 if direction < 0 else len(self._source) - 1

    def action_open(self) -> None:
        """Open the item under the cursor, if there is one."""
        if self._item is not None:
            self.post_message(self.Opened(self, self._item))
