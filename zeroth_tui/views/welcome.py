"""What is said in an own database without runs: what would fill it, and the first keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.text import line, pad
from zeroth_tui.views.layout import heading, wrap

GREETING: Final[tuple[Line, ...]] = (
    (Piece("Nothing has run here yet.", "strong"),),
    (Piece("This is where you see what agent graphs"),),
    (Piece("did, step by step, and why."),),
)
"""Stands where a run is described otherwise."""

_COMMANDS: Final = (
    ("zeroth-tui demo", "plays runs that wait, fail, succeed"),
    ("zeroth-tui PATH", "opens a database of Zeroth"),
)
_INDENT: Final = 4
"""Cells before what explains a command."""


def library_lines(database: str) -> tuple[str, ...]:
    """Return what stores a run in the database at this path, in a coroutine."""
    return (
        "import zeroth_store as z",
        f"async with z.AsyncSQLiteDatabase({line(database, 200)!r}) as db:",
        "    runs = z.RunRepository(db)",
        "    await runs.initialize()",
        '    run = z.Run(graph_id="hello")',
        "    await runs.create(run)",
    )


def welcome_rows(database: str, keys: Sequence[tuple[str, str]], width: int) -> tuple[Row, ...]:
    """Return what would fill the database, and the keys to begin with, each with its words."""
    return (
        heading("What fills it", width),
        *(row for words, does in _COMMANDS for row in _command(words, does, width)),
        Row(()),
        heading("Keys to begin with", width),
        *(Row((Piece(pad(f"  {key}", 8), "keyword"), Piece(words))) for key, words in keys),
        Row(()),
        heading("Or fill it from a program of your own", width),
        *(row for code in library_lines(database) for row in _code(code, width)),
    )


def _command(words: str, does: str, width: int) -> Iterator[Row]:
    yield Row((Piece(f"  {words}", "keyword"),))
    for part in wrap(does, width - _INDENT):
        yield Row((Piece(f"{' ' * _INDENT}{part}", "muted"),))


def _code(code: str, width: int) -> Iterator[Row]:
    """Return a line of code, cut where there is no room; what is cut stands further in."""
    inner = code.lstrip(" ")
    start = 2 + len(code) - len(inner)
    for at, part in enumerate(wrap(inner, width - start - 2)):
        yield Row((Piece(f"{' ' * (start if at == 0 else start + 2)}{part}", "string"),))
