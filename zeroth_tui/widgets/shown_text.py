"""What a one-line input draws of the text in it: no character that could act."""

from __future__ import annotations

from functools import cache
from typing import Final

from rich.highlighter import Highlighter
from rich.text import Text
from textual.widgets import Input

from zeroth_tui.text import line

_UNSHOWN: Final = "\N{REPLACEMENT CHARACTER}"


class ShownText(Highlighter):
    """Draws what was typed or pasted into an input; what it holds stays as it is."""

    def __init__(self, owner: Input) -> None:
        self._owner = owner

    def highlight(self, text: Text) -> None:
        """Replace what must not be drawn, one for one so that the cursor fits."""
        text.plain = "".join(map(_shown, self._owner.value))


@cache
def _shown(char: str) -> str:
    """Return what stands for a character in one place: itself, its picture, or a question mark."""
    shown = line(char)
    return shown if len(shown) == 1 else _UNSHOWN
