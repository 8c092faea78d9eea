"""A run's row as stored: every column with its type, size and value, nothing interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zeroth_store.browse import CellProblem, RunDetail, Stored
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Role, Row

_NAME_WIDTH: Final = 30
_SIZE_WIDTH: Final = 10
_HEX_BYTES: Final = 16
_NUMBER: Final[Role] = "number"


def raw_rows(detail: RunDetail) -> tuple[Row, ...]:
    """Return a row for each column of the runs table; a row's item is the column's name.

    Secrets are masked. What could not be read in a column is said below it.
    """
    return tuple(_rows(detail))


def _rows(detail: RunDetail) -> Iterator[Row]:
    for name, value in detail.columns:
        yield _column(name, value)
        for problem in detail.problems:
            if problem.column == name:
                yield _problem(problem, name)


def _column(name: str, value: Stored) -> Row:
    kind, size = _kind(value)
    shown = Piece(text.pad(text.line(name), _NAME_WIDTH), "key")
    about = Piece(f" {kind:<7} {size:>{_SIZE_WIDTH}}  ", "muted")
    return Row((shown, about, _value(name, value)), name)


def _problem(problem: CellProblem, name: str) -> Row:
    return Row((Piece(f"  {text.line(problem.message)}", "warning"),), name)


def _kind(value: Stored) -> tuple[str, str]:
    """Return SQLite's name of a cell's type, and its size where it can be large."""
    match value:
        case None:
            return "NULL", ""
        case bytes():
            return "BLOB", fmt.size(len(value))
        case str():
            return "TEXT", fmt.size(_stored_bytes(value))
        case float():
            return "REAL", ""
        case _:
            return "INTEGER", ""


def _stored_bytes(value: str) -> int:
    """Count the bytes of a text; one that was no UTF-8 arrives as a surrogate each."""
    try:
        return len(value.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return len(value.encode("utf-8", "surrogatepass"))


def _value(name: str, value: Stored) -> Piece:
    match value:
        case None:
            return Piece("NULL", "muted")
        case bytes():
            start = value[:_HEX_BYTES].hex(" ")
            more = " …" if len(value) > _HEX_BYTES else ""
            return Piece(f"{text.line(value)} {start}{more}", "unknown")
        case str():
            return Piece(_text(name, value), "string")
        case _:
            return Piece(text.line(value), _NUMBER)


def _text(name: str, value: str) -> str:
    if value and text.is_secret(name):
        return text.MASK
    start = text.mask_text(text.mask_json(value[: text.LINE_LIMIT]))
    more = len(value) - text.LINE_LIMIT
    shown = text.line(start, len(start))
    return f"{shown}… +{fmt.count(more)}" if more > 0 else shown
