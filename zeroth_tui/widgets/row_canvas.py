"""Drawing the rows of a list that are in sight, each look of each row only once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip

from zeroth_tui.line import Line, Row
from zeroth_tui.plain import PLAIN
from zeroth_tui.widgets.ink import InkWidget
from zeroth_tui.widgets.row_source import FixedRows, RowSource
from zeroth_tui.widgets.scroll_bar import ScrollBar

_MOST_ROWS: Final = 2000
"""Rows that are laid out; beyond this number all are forgotten."""

_MOST_STRIPS: Final = 400
"""Strips, several kilobytes each once painted; beyond this number all are forgotten."""

_WHEEL_ROWS: Final = 3

_BAR: Final = {"thumb": ("█", "scrollbar"), "track": ("│", "scrollbar-background")}
"""The parts of the scroll bar, and their colours."""

_Key = tuple[Line, str | None, str | None, int]
"""What a strip shows: the pieces, the row's look, the part of the scroll bar, the width."""


class RowCanvas(InkWidget):
    """Shows a stretch of a RowSource beside a scroll bar; the mouse scrolls.

    Textual keeps with a strip how it was cut, filtered and encoded. So the same row with the same
    look is always the same strip, and Textual's own cache of lines, which knows only where on
    screen a line is, is passed by: scrolling then repaints what is known.
    """

    ALLOW_SELECT = False

    top: reactive[int] = reactive(0, init=False, repaint=False)
    """Position of the first row in sight."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._source: RowSource = FixedRows(())
        self._laid_out: dict[int, Row] = {}
        self._laid_width = 0
        self._strips: dict[_Key, Strip] = {}
        self._hovered: int | None = None
        self._grip: int | None = None

    @property
    def source(self) -> RowSource:
        """What is being shown."""
        return self._source

    def tick(self) -> None:
        """Draw again the rows in sight that read differently now (ages, growing bars)."""
        before, self._laid_out = self._laid_out, {}
        top, width = self.top, self._text_width
        for index in range(top, top + self.size.height):
            old, new = before.get(index), self._row(index, width)
            if (old and old.line) != (new and new.line):
                self.refresh_row(index)

    def row_at(self, index: int) -> Row | None:
        """Return a row, laid out at the first time that it is asked for; None behind the last."""
        return self._row(index, self._text_width)

    def _row(self, index: int, width: int) -> Row | None:
        if width != self._laid_width or len(self._laid_out) > _MOST_ROWS:
            self._laid_out, self._laid_width = {}, width
        row = self._laid_out.get(index)
        if row is None and index < len(self._source):
            row = self._laid_out[index] = self._source.row(index, width)
        return row

    def looks(self) -> dict[int, str]:
        """Return the names of the backgrounds that set rows off, by the rows' positions."""
        return {} if self._hovered is None else {self.top + self._hovered: "hover"}

    def refresh_row(self, index: int) -> None:
        """Draw a row again if it is in sight."""
        y, size = index - self.top, self.size
        if 0 <= y < size.height:
            self.refresh(Region(0, y, size.width, 1))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw what is in sight, in the colours that the terminal and NO_COLOR allow."""
        if self._adorned:
            return super().render_lines(crop)
        strips = self._strips_of(crop.line_range)
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span != (0, self.size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Draw one row in sight, or the empty line behind the last."""
        return self._strips_of(range(y, y + 1))[0]

    def _strips_of(self, lines: Iterable[int]) -> list[Strip]:
        # Asking a widget for its size takes longer than finding a strip.
        top, looks, bar, width = self.top, self.looks(), self.scroll_bar, self._text_width
        thumb = range(0) if bar is None else bar.thumb
        strips = []
        for y in lines:
            row = self._row(top + y, width)
            line, look = ((), None) if row is None else (row.line, looks.get(top + y))
            side = None if bar is None else "thumb" if y in thumb else "track"
            key = (line, look, side, width)
            strip = self._strips.get(key)
            if strip is None:
                if len(self._strips) > _MOST_STRIPS:
                    self._strips = {}
                strip = self._strips[key] = self._drawn(*key)
            strips.append(strip)
        return strips

    def _drawn(self, line: Line, look: str | None, side: str | None, width: int) -> Strip:
        under = None if look is None else self.look(look)
        strip = self.strip(line, width, under)
        if side is None:
            return strip
        glyph, colour = _BAR[side]
        if self.app.has_class(PLAIN):
            glyph = " "
        return Strip.join([strip, Strip([Segment(glyph, self.colour(colour))], 1)])

    @property
    def _adorned(self) -> bool:
        """Whether Textual draws something around or over the rows: a border, padding, a tint."""
        styles = self.styles
        return (
            bool(self.gutter)
            or self.opacity != 1
            or styles.text_opacity != 1
            or styles.tint.a > 0
            or styles.has_any_rules("hatch", "outline_top", "outline_left")
        )

    @property
    def scroll_bar(self) -> ScrollBar | None:
        """The bar at the right; None where all rows are in sight."""
        return ScrollBar.of(self.size.height, len(self._source), self.top)

    @property
    def _text_width(self) -> int:
        return max(1, self.size.width - (0 if self.scroll_bar is None else 1))

    def validate_top(self, top: int) -> int:
        """Keep the last row at the bottom or below."""
        return max(0, min(top, len(self._source) - max(1, self.size.height)))

    def watch_top(self) -> None:
        """Draw what is in sight now."""
        self.refresh()

    def notify_style_update(self) -> None:
        """Draw in the new colours."""
        super().notify_style_update()
        self._strips = {}

    def place_of(self, event: events.MouseEvent) -> tuple[int, int]:
        """Return column and line of the mouse, counted from where the first row starts."""
        return event.x - self.gutter.left, event.y - self.gutter.top

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self.top += _WHEEL_ROWS

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll without moving the cursor."""
        event.stop()
        self.top -= _WHEEL_ROWS

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the scroll bar's thumb, which comes to the mouse if it is elsewhere."""
        x, y = self.place_of(event)
        bar = self.scroll_bar
        if bar is None or x < self._text_width:
            return
        event.stop()
        self._grip = y - bar.start if y in bar.thumb else bar.size // 2
        self.capture_mouse()
        self._drag(y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the thumb, or lighten the row under the mouse."""
        _, y = self.place_of(event)
        if self._grip is not None:
            self._drag(y)
        else:
            self._hover(y)

    def on_mouse_up(self) -> None:
        """Let go of the thumb."""
        if self._grip is not None:
            self._grip = None
            self.release_mouse()

    def on_leave(self) -> None:
        """Darken the row that the mouse left."""
        self._hover(None)

    def _drag(self, y: int) -> None:
        bar = self.scroll_bar
        if bar is not None and self._grip is not None:
            self.top = bar.top_at(y - self._grip)

    def _hover(self, y: int | None) -> None:
        old, self._hovered = self._hovered, y
        if old != y:
            for line in (old, y):
                if line is not None:
                    self.refresh_row(self.top + line)
