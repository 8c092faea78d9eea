"""One line that names the panes and shows which one is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from zeroth_tui.line import Piece
from zeroth_tui.text import cells
from zeroth_tui.widgets.ink import InkWidget

_FORMS: Final = ((None, 2), (4, 1), (0, 1))
"""How many letters of a name there are, and how many blanks between names, the longest first."""


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
        labels, gap = self._labels()
        line: list[Piece] = []
        for index, name in enumerate(labels):
            line.append(Piece(name, "strong" if index == self.active else "muted"))
            line.append(Piece(" " * gap))
        return self.strip(tuple(line), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Say which tab was clicked."""
        labels, gap = self._labels()
        at = 0
        for index, name in enumerate(labels):
            at += cells(name) + gap
            if event.x < at:
                self.post_message(self.Chosen(self, index))
                return

    def _labels(self) -> tuple[list[str], int]:
        """Return the names and the gap between them, as long as there is room for.

        Whole, else by their first letters, else by the keys that open them.
        """
        for letters, gap in _FORMS:
            labels = [self._label(index, letters) for index in range(len(self._names))]
            if sum(map(cells, labels)) + gap * (len(labels) - 1) <= self.size.width:
                break
        return labels, gap

    def _label(self, index: int, letters: int | None) -> str:
        name = self._names[index]
        if index == self.active:
            return f"[{name}]"
        return name[:letters] if letters != 0 else f"{index + 1}"
