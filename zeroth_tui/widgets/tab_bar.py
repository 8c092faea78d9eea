"""One line that names the panes and shows which one is open."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from zeroth_tui.line import Piece
from zeroth_tui.text import cells
from zeroth_tui.widgets.ink import InkWidget


class TabBar(InkWidget):
    """Tabs as words; where there is no room, all but the open one are shortened."""

    active: reactive[int] = reactive(0)
    """Position of the open tab."""

    @dataclass
    class Chosen(Message):
        """A tab was clicked."""

        bar: TabBar
        index: int

        @property
        def control(self) -> TabBar:
            """The bar that was clicked."""
            return self.bar

    def __init__(self, names: tuple[str, ...], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._names = names

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        """Draw the names."""
        line: list[Piece] = []
        for index, name in enumerate(self._labels()):
            line.append(Piece(name, "strong" if index == self.active else "muted"))
            line.append(Piece(" "))
        return self.strip(tuple(line), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Say which tab was clicked."""
        at = 0
        for index, name in enumerate(self._labels()):
            at += cells(name) + 1
            if event.x < at:
                self.post_message(self.Chosen(self, index))
                return

    def _labels(self) -> tuple[str, ...]:
        full = tuple(self._label(index, name) for index, name in enumerate(self._names))
        if sum(cells(label) + 1 for label in full) <= self.size.width:
            return full
        return tuple(
            self._label(index, name if index == self.active else name[:4])
            for index, name in enumerate(self._names)
        )

    def _label(self, index: int, name: str) -> str:
        return f"[{name}]" if index == self.active else f" {name} "
