"""A list of any length that draws only the rows in sight; every list and pane is one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from zeroth_tui.line import Line
from zeroth_tui.widgets.ink import InkWidget
from zeroth_tui.widgets.row_source import FixedRows, RowSource


class RowList(InkWidget, can_focus=True):
    """Shows a RowSource with a cursor that stays on its item when the rows change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="list.up"),
        Binding("down,j", "move(1)", "Down", show=False, id="list.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("home,g", "edge(-1)", "First", show=False, id="list.first"),
        Binding("end,G", "edge(1)", "Last", show=False, id="list.last"),
        Binding("enter", "open", "Open", id="list.open", tooltip="Open what the cursor is on"),
    ]

    cursor: reactive[int] = reactive(0, init=False)
    """Position of the row that keys act on."""
    top: reactive[int] = reactive(0, init=False)
    """Position of the first row in sight."""

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

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._source: RowSource = FixedRows(())
        self._item: object | None = None
        self._drawn: dict[int, Line | None] = {}

    @property
    def source(self) -> RowSource:
        """What is being shown."""
        return self._source

    @property
    def item(self) -> object | None:
        """The item under the cursor."""
        return self._item

    def show(self, source: RowSource, *, item: object | None = None) -> None:
        """Show other rows; the cursor goes to `item`, else stays on its item, else in place."""
        wanted = self._item if item is None else item
        offset = self.cursor - self.top
        was_at, was_top = self.cursor, self.top
        self._source = source
        found = source.find(wanted) if wanted is not None else None
        at = max(0, min(self.cursor if found is None else found, len(source) - 1))
        top = self.top if item is not None else at - offset
        self.set_reactive(RowList.cursor, at)
        self.set_reactive(RowList.top, self._valid_top(top))
        self._reveal()
        self._note_item(by_hand=False)
        if (self.cursor, self.top) == (was_at, was_top):
            self.tick()
        else:
            self.refresh()

    def tick(self) -> None:
        """Draw again the rows in sight that read differently now (ages, growing bars)."""
        width = self._text_width
        for y in range(self.size.height):
            if self._line_at(self.top + y, width) != self._drawn.get(y):
                self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """Draw one row in sight."""
        index, width = self.top + y, self._text_width
        line = self._drawn[y] = self._line_at(index, width)
        at_cursor = index == self.cursor and line is not None
        strip = self.strip(line or (), width, self._cursor_style if at_cursor else None)
        return Strip.join([strip, self._bar_strip(y)]) if self._scrollable else strip

    def _line_at(self, index: int, width: int) -> Line | None:
        return self._source.row(index, width).line if index < len(self._source) else None

    def _bar_strip(self, y: int) -> Strip:
        height, total = self.size.height, len(self._source)
        size = max(1, height * height // total)
        start = (height - size) * self.top // max(1, total - height)
        thumb = start <= y < start + size
        glyph, name = ("█", "thumb") if thumb else ("│", "track")
        return Strip([Segment(glyph, self.ink(name))], 1)

    @property
    def _scrollable(self) -> bool:
        return len(self._source) > self.size.height > 0

    @property
    def _text_width(self) -> int:
        return max(1, self.size.width - (1 if self._scrollable else 0))

    @property
    def _cursor_style(self) -> Style:
        style = self.ink("cursor" if self.has_focus else "cursor-blurred")
        return Style(bgcolor=style.bgcolor)

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, len(self._source) - 1))

    def watch_cursor(self) -> None:
        """Bring the cursor's row into sight and say what it is on."""
        self._reveal()
        self._note_item(by_hand=True)
        self.refresh()

    def watch_top(self) -> None:
        """Draw what is in sight now."""
        self.refresh()

    def _reveal(self) -> None:
        height = self.size.height
        if self.cursor < self.top:
            self.top = self.cursor
        elif height and self.cursor >= self.top + height:
            self.top = self.cursor - height + 1

    def _valid_top(self, top: int) -> int:
        return max(0, min(top, len(self._source) - max(1, self.size.height)))

    def _note_item(self, *, by_hand: bool) -> None:
        """Remember the item under the cursor and post Moved when it is another one."""
        item = None
        if len(self._source):
            item = self._source.row(self.cursor, self._text_width).item
        if item != self._item:
            self._item = item
            self.post_message(self.Moved(self, item, by_hand))

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.top = self._valid_top(self.top)
        self._reveal()

    def on_focus(self) -> None:
        """Show the cursor as the active one."""
        self.refresh()

    def on_blur(self) -> None:
        """Show the cursor as a memory."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row; on the cursor's row, open it."""
        index = self.top + event.y
        if index >= len(self._source):
            return
        if index == self.cursor:
            self.action_open()
        self.cursor = index

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self.top = self._valid_top(self.top + 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self.top = self._valid_top(self.top - 3)

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
