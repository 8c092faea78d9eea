"""The line that a filter is typed into: shows what is wrong in it, and no character can act."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.actions import SkipAction
from textual.reactive import reactive
from textual.widgets import Input

from zeroth_tui.widgets.shown_text import ShownText


class FilterInput(Input):
    """An input of one line without a frame, which underlines a stretch that is wrong."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"filter-input--wrong"}

    DEFAULT_CSS = """
    FilterInput, FilterInput:focus {
        height: 1;
        border: none;
        padding: 0;
        background: $surface-lighten-1;
        & > .filter-input--wrong { color: $text-error; text-style: underline bold; }
    }
    """

    wrong: reactive[tuple[int, int] | None] = reactive(None)
    """Start and end of the wrong part, in characters; None while all is well."""

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            placeholder=placeholder, highlighter=_Painter(self), select_on_focus=False, id=id
        )

    def action_cursor_right(self, select: bool = False) -> None:
        """Move right; at the end of the text the key is left to whoever else wants it."""
        if self.cursor_at_end and self.selection.is_empty and not select:
            raise SkipAction
        super().action_cursor_right(select)


class _Painter(ShownText):
    """Underlines what is wrong in a FilterInput."""

    _owner: FilterInput

    def highlight(self, text: Text) -> None:
        """Draw the text, and mark the wrong part of it."""
        super().highlight(text)
        value = self._owner.value
        if self._owner.wrong is None or not value:
            return
        start, end = self._owner.wrong
        if start == end:  # something is missing there: mark what it is missing after
            start = max(0, min(start, len(value)) - 1)
            end = start + 1
        text.stylize(self._owner.get_component_rich_style("filter-input--wrong"), start, end)
