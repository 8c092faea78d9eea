"""What may be put in at the cursor of a filter, and the list to choose it from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from zeroth_tui.line import Piece, Row
from zeroth_tui.text import cells, line, pad
from zeroth_tui.widgets.row_source import FixedRows
from zeroth_tui.widgets.single_click_list import SingleClickList

if TYPE_CHECKING:
    from zeroth_store.filters import Completion

MOST_ROWS: Final = 6
"""How many choices are in sight at once."""

_WIDEST: Final = 44
"""Cells that a choice gets at the most."""

KEY_NOTES: Final = {
    "status:": "failed, run, wait …",
    "graph:": "graph and version",
    "node:": "the step it is at or failed at",
    "thread:": "the thread's id",
    "tenant:": "whose run it is",
    "workspace:": "whose run it is",
    "reason:": "why it failed",
    "id:": "the run's id",
    "parent:": "the run that started it",
    "since:": "started at or after",
    "until:": "started before",
    "duration:": ">10s, 1s..5m",
    "cost:": ">0.1 dollars",
    "is:": "live, stuck, waiting …",
    "in:": "in inputs or outputs",
}
"""What each key is for, in few words."""


class Choice(msgspec.Struct, frozen=True):
    """Something to put in."""

    text: str
    """What it is, as stored."""
    put: str
    """How the filter spells it."""


def choices(completion: Completion, values: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return what fits at the cursor: what the language knows, then values of the database.

    A value is put in so that exactly it is found. Nothing is returned where all is typed already.
    """
    from zeroth_store.filters import TextValue, spell
    from zeroth_store.filters.terms import TEXT_KEYS

    fixed = tuple(Choice(known, known) for known in completion.candidates)
    typed = completion.typed.lower()
    key = next((key for key in TEXT_KEYS if key == completion.kind), None)
    stored: tuple[Choice, ...] = ()
    if key is not None:
        stored = tuple(
            Choice(value, spell(key, TextValue(value, exact=True)))
            for value in dict.fromkeys(values)
            if typed in value.lower() and value not in completion.candidates
        )
    found = fixed + stored
    return () if all(choice.text.lower() == typed for choice in found) else found


class ChoiceList(SingleClickList):
    """A list for the mouse and for keys that another widget hands on."""

    can_focus = False

    @property
    def choice(self) -> Choice | None:
        """The choice under the cursor."""
        return self.item if isinstance(self.item, Choice) else None

    def present(self, found: tuple[Choice, ...], *, keep: bool) -> int:
        """Show choices, with the cursor on the first, or where it is if `keep`.

        Returns how many cells they need.
        """
        width = min(_WIDEST, max((cells(line(choice.text)) for choice in found), default=0))
        rows = tuple(_row(choice, width) for choice in found)
        self.show(FixedRows(rows), item=None if keep or not found else found[0])
        self.styles.height = min(len(rows), MOST_ROWS)
        self.display = bool(rows)
        bar = 1 if len(rows) > MOST_ROWS else 0
        return bar + max((sum(cells(piece.text) for piece in row.line) for row in rows), default=0)


def _row(choice: Choice, width: int) -> Row:
    pieces = [Piece(f" {pad(line(choice.text), width)} ")]
    if choice.text in KEY_NOTES and choice.text == choice.put:
        pieces.append(Piece(f" {KEY_NOTES[choice.text]} ", "muted"))
    return Row(tuple(pieces), choice)
