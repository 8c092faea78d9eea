"""The last line: the keys that work where the focus is, and what they do."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.strip import Strip

from zeroth_tui.line import Line, Piece
from zeroth_tui.text import cells, line
from zeroth_tui.widgets.ink import InkWidget


class Key(NamedTuple):
    """A key as the bar shows it."""

    key: str
    """Its name, to press it."""
    shown: str
    """Its name for people."""
    words: str
    """What it does."""
    enabled: bool
    """Whether it does anything now."""
    tooltip: str
    """More about what it does, or nothing."""

    @property
    def pieces(self) -> Line:
        """The key and its words; grey where it does nothing now."""
        words = Piece(f" {self.words}", "plain" if self.enabled else "muted")
        return (Piece(" "), Piece(self.shown, "keyword" if self.enabled else "muted"), words)


class KeyBar(InkWidget):
    """Draws in one widget what Textual's Footer makes of two widgets a key: a click presses it."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[Key, ...] = ()
        self._last: tuple[Key, ...] = ()

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._take_bindings)

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        """Draw the keys, and the palette's at the right end if there is room."""
        pieces = (piece for _, pieces in self._places() for piece in pieces)
        return self.strip(tuple(pieces), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Press the key."""
        key = self._key_at(event.x)
        if key is not None and key.enabled:
            self.app.simulate_key(key.key)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say more of the key under the mouse."""
        key = self._key_at(event.x)
        self.tooltip = Content(key.tooltip) if key is not None and key.tooltip else None

    def _take_bindings(self, screen: Screen[object]) -> None:
        if screen is not self.screen or not screen.app.app_focus:
            return
        palette = self.app.COMMAND_PALETTE_BINDING
        keys: dict[str, Key] = {}
        last: tuple[Key, ...] = ()
        for name, (_, binding, enabled, tooltip) in screen.active_bindings.items():
            shown = line(self.app.get_key_display(binding), 20)
            key = Key(binding.key, shown, line(binding.description, 40), enabled, tooltip)
            if name == palette:
                last = (key,)
            elif binding.show:
                keys.setdefault(binding.action, key)
        if (tuple(keys.values()), last) != (self._keys, self._last):
            self._keys, self._last = tuple(keys.values()), last
            self.refresh()

    def _places(self) -> list[tuple[Key | None, Line]]:
        """Return what is drawn from left to right: keys, and blanks that belong to none."""
        places: list[tuple[Key | None, Line]] = [(key, key.pieces) for key in self._keys]
        last: list[tuple[Key | None, Line]] = [(key, key.pieces) for key in self._last]
        room = self.size.width - sum(_width(pieces) for _, pieces in (*places, *last)) - 1
        if room > 0:
            places += [(None, (Piece(" " * room),)), *last]
        return places

    def _key_at(self, x: int) -> Key | None:
        for key, pieces in self._places():
            x -= _width(pieces)
            if x < 0:
                return key
        return None


def _width(pieces: Line) -> int:
    return sum(cells(piece.text) for piece in pieces)
