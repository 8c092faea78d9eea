"""Tables of figures, of which one is chosen at a time and leads to what it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from zeroth_store.browse import RunKey, RunOrder
from zeroth_store.filters import Filter
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role, Row
from zeroth_tui.views.layout import fit, paragraph

CHOSEN: Final = "▸"
"""Stands before the figure that enter opens."""

_LEAST_LABEL: Final = 16
"""Columns are left out from the right rather than shorten names further."""


class Rows(NamedTuple):
    """A list of runs."""

    filter: str
    """Text in the filter language."""
    number: int
    """How many runs it shows."""
    order: RunOrder = RunOrder()


Newest = Literal["newest"]
"""The time around the newest run, instead of now."""

Target = Rows | RunKey | Newest
"""What a figure leads to."""

Item = tuple[str, ...]
"""The name of a row, by which the cursor stays on it when the figures change."""


class Figure(NamedTuple):
    """One number in a table; what leads nowhere is not chosen."""

    text: str
    role: Role = "plain"
    target: Target | None = None


class Entry(NamedTuple):
    """One row: what it is about, and its figures."""

    item: Item | None
    label: Line
    figures: tuple[Figure, ...] = ()


class Section(NamedTuple):
    """A table: the first entry is its heading."""

    entries: tuple[Entry, ...]
    columns: tuple[int, ...] = ()
    """How wide each figure is, the space before it included."""
    prose: tuple[Piece, ...] = ()
    """Sentences below the rows, each wrapped to the width."""


class Choice(NamedTuple):
    """Where the cursor is: on a row, and on a column of it."""

    item: object
    column: int


def table(sections: Iterable[Section], width: int, choice: Choice) -> tuple[Row, ...]:
    """Return tables below each other, laid out for a width."""
    rows: list[Row] = []
    for section in sections:
        if rows:
            rows.append(Row(()))
        columns = _fitting(section.columns, width)
        rows += (_row(entry, columns, width, choice) for entry in section.entries)
        for words, role in section.prose:
            rows += paragraph(words, width, role, indent=1)
    return tuple(rows)


def counted(number: int, wanted: Filter, order: RunOrder | None = None) -> Figure:
    """Return a number that leads to the list of what it counts."""
    return Figure(fmt.count(number), "number", Rows(str(wanted), number, order or RunOrder()))


def label_width(section_columns: Sequence[int], width: int) -> int:
    """Return how much room a row's label has beside the figures."""
    return width - sum(_fitting(section_columns, width))


def chosen(figures: Sequence[Figure], column: int) -> int | None:
    """Return which of the figures that lead somewhere is nearest to a column."""
    leading = [at for at, figure in enumerate(figures) if figure.target is not None]
    return min(leading, key=lambda at: abs(at - column), default=None)


def beside(figures: Sequence[Figure], column: int, by: int) -> int | None:
    """Return the next figure to the left or to the right that leads somewhere."""
    now = chosen(figures, column)
    if now is None:
        return None
    leading = [at for at, figure in enumerate(figures) if figure.target is not None]
    return leading[max(0, min(leading.index(now) + by, len(leading) - 1))]


def figures_of(sections: Iterable[Section], item: object, width: int) -> tuple[Figure, ...]:
    """Return the figures of a row, by its name, for which there is room."""
    found = (
        entry.figures[: len(_fitting(section.columns, width))]
        for section in sections
        for entry in section.entries
        if item is not None and entry.item == item
    )
    return next(found, ())


def _fitting(columns: Sequence[int], width: int) -> tuple[int, ...]:
    kept = list(columns)
    while len(kept) > 1 and width - sum(kept) < _LEAST_LABEL:
        kept.pop()
    return tuple(kept)


def _row(entry: Entry, columns: tuple[int, ...], width: int, choice: Choice) -> Row:
    shown = entry.figures[: len(columns)]
    is_here = entry.item is not None and entry.item == choice.item
    at = chosen(shown, choice.column) if is_here else None
    label = _filled(entry.label, width - sum(columns[: len(shown)]) if shown else width)
    figures = (
        piece
        for number, (figure, cells) in enumerate(zip(shown, columns, strict=False))
        for piece in _cell(figure, cells, is_chosen=number == at)
    )
    return Row(fit((*label, *figures), width), entry.item)


def _filled(label: Line, width: int) -> Line:
    kept = fit(label, max(0, width))
    used = sum(text.cells(piece.text) for piece in kept)
    return (*kept, Piece(" " * max(0, width - used)))


def _cell(figure: Figure, cells: int, *, is_chosen: bool) -> Line:
    shown = text.clip(figure.text, cells - 1)
    blank = " " * (cells - 1 - text.cells(shown))
    if is_chosen:
        return Piece(f"{blank}{CHOSEN}", "keyword"), Piece(shown, "link")
    return Piece(f"{blank} "), Piece(shown, figure.role)
