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

_GAP = "  "


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
            line.append(Piece(_GAP))
        return self.strip(tuple(line), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Say which tab was clicked."""
        at = 0
        for index, name in enumerate(self._labels()):
            at += cells(name) + len(_GAP)
            if event.x < at:
                self.post_message(self.Chosen(self, index))
                return

    def _labels(self) -> tuple[str, ...]:
        """Return the names as long as there is room for: whole, shortened, or the keys alone."""
        labels: tuple[str, ...] = ()
        for letters in (None, 4, 0):
            labels = tuple(
                self._label(index, name if index == self.active else _short(name, index, letters))
                for index, name in enumerate(self._names)
            )
            if sum(cells(label) + len(_GAP) for label in labels) <= self.size.width + len(_GAP):
                break
        return labels

    def _label(self, index: int, name: str) -> str:
        return f"[{name}]" if index == self.active else name


def _short(name: str, index: int, letters: int | None) -> str:
    """Return so many letters of a name; for none of them the key that opens it."""
    return name[:letters] if letters != 0 else f"{index + 1}"
