"""A text area for JSON in which no character can act on the terminal."""

from __future__ import annotations

from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from zeroth_tui.text import for_editing


class JsonArea(TextArea):
    """Takes what is typed and pasted as JSON can spell it; to be given text that is so already."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin empty; tab leaves it."""
        super().__init__(id=id, soft_wrap=False, show_line_numbers=True, tab_behavior="focus")
        self.match_cursor_bracket = False  # looking for it takes seconds in a large state

    def edit(self, edit: Edit) -> EditResult:
        """Perform an edit, with escapes for what could not be shown."""
        edit.text = for_editing(edit.text)
        return super().edit(edit)
