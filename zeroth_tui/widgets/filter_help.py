"""The box below a filter while it is typed: what is wrong, and what could be put in."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.getters import query_one

from zeroth_tui.line import Piece
from zeroth_tui.text import cells
from zeroth_tui.widgets.filter_choices import Choice, ChoiceList, choices
from zeroth_tui.widgets.filter_line import why
from zeroth_tui.widgets.ink import Lines

if TYPE_CHECKING:
    from zeroth_store.filters import Completion, FilterError
    from zeroth_store.filters.terms import TextKey

_WIDEST: Final = 70
"""Cells that a line of the reason gets at the most."""


class Wish(NamedTuple):
    """Values of a key that contain what was typed would help."""

    key: TextKey
    typed: str


class Edit(NamedTuple):
    """A stretch of the filter's text and what it becomes."""

    start: int
    end: int
    text: str


class FilterHelp(Vertical):
    """Lies over what is below the filter, so that nothing moves while it comes and goes."""

    DEFAULT_CSS = """
    FilterHelp {
        overlay: screen;
        constrain: inside inside;
        height: auto;
        background: $panel;
        display: none;
        & > Lines, & > ChoiceList { display: none; }
    }
    """

    _choices = query_one(ChoiceList)
    _reason = query_one(Lines)

    def __init__(self) -> None:
        super().__init__()
        self._completion: Completion | None = None
        self._at: tuple[str, int] | None = None
        self._silent_at: tuple[str, int] | None = None
        self._wish: Wish | None = None
        self._values: tuple[str, ...] = ()
        self._picked = False
        self._width_of_reason = 0

    def compose(self) -> ComposeResult:
        """Lay out the reason above the choices."""
        yield Lines()
        yield ChoiceList()

    @property
    def choosing(self) -> bool:
        """Whether there is something to choose from."""
        return self.display and self._choices.display

    @property
    def picked(self) -> bool:
        """Whether the person went through the choices, which says that one of them is wanted."""
        return self.choosing and self._picked

    @property
    def naming(self) -> bool:
        """Whether the word at the cursor is the beginning of a key, and nobody said it is a word.

        It finds nothing that anybody looks for: `sta` on the way to `status:failed`.
        """
        at, where = self._completion, self._at
        if at is None or where is None or not self.choosing:
            return False
        return at.kind == "key" and at.typed != "" and at.end == where[1]

    def say(self, error: FilterError | None) -> None:
        """Say what is wrong with the filter, if anything is."""
        width = max(20, min(_WIDEST, self.screen.size.width - 12))
        reason = [] if error is None else textwrap.wrap(why(error), width)
        self._width_of_reason = max((cells(words) + 2 for words in reason), default=0)
        self._reason.show(tuple((Piece(f" {words}", "error"),) for words in reason))
        self._reason.styles.height = len(reason)
        self._reason.display = bool(reason)
        self._draw()

    def complete(self, text: str, cursor: int) -> Wish | None:
        """Offer what fits at the cursor; returns which values of the database would help."""
        from zeroth_store.filters import complete
        from zeroth_store.filters.terms import TEXT_KEYS

        if (text, cursor) == self._at:
            return None
        self._at, self._picked = (text, cursor), False
        self._completion = at = complete(text, cursor)
        key = next((key for key in TEXT_KEYS if key == at.kind), None)
        wish = None if key is None else Wish(key, at.typed)
        if wish is None or self._wish is None or wish.key != self._wish.key:
            self._values = ()  # else those that still fit bridge the time until the answer
        self._wish = wish
        self._draw()
        return wish

    def offer(self, key: str, typed: str, values: tuple[str, ...]) -> None:
        """Add values of the database, unless something else is wanted by now."""
        if (key, typed) == self._wish:
            self._values = values
            self._draw()

    def pick(self, by: int) -> None:
        """Go to the choice above or below."""
        self._picked = True
        self._choices.action_move(by)

    def taken(self) -> Edit | None:
        """Return what the marked choice does to the text; a key is to be followed by its values."""
        choice, at = self._choices.choice, self._completion
        if not self.choosing or choice is None or at is None or self._at is None:
            return None
        if at.kind not in {"key", "in"}:
            text = self._at[0]
            cursor = at.start + len(choice.put)
            self._silent_at = (text[: at.start] + choice.put + text[at.end :], cursor)
        return Edit(at.start, at.end, choice.put)

    def be_silent(self) -> None:
        """Offer nothing until the text or the cursor is another."""
        self._silent_at = self._at
        self._draw()

    def end(self) -> None:
        """Be gone, and forget what was offered."""
        self._at = self._silent_at = self._completion = self._wish = None
        self._draw()

    def _draw(self) -> None:
        found: tuple[Choice, ...] = ()
        if self._completion is not None and self._at != self._silent_at:
            found = choices(self._completion, self._values)
        width = self._choices.present(found, keep=self._picked)
        self.styles.width = max(width, self._width_of_reason, 1)
        self.display = self._completion is not None and bool(found or self._width_of_reason)
