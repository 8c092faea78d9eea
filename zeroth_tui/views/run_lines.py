"""How one run reads in the tree."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from zeroth_store.browse import RunSummary
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece
from zeroth_tui.status import look
from zeroth_tui.views.header import run_length
from zeroth_tui.views.run_cells import lead, status_word
from zeroth_tui.views.short_ids import ShortIds

_STATUS_CELLS: Final = 10
"""Wide enough for COMPLETED and a blank; the waiting statuses are shortened to fit."""
AGE_CELLS: Final = 5
"""Where an age ends the row."""
_TOOK_CELLS: Final = 7
_LEAST_EXTRA: Final = 6
"""Fewer cells than this say nothing useful about a run."""


def run_line(run: RunSummary, width: int, now: datetime, ids: ShortIds, extra: str) -> Line:
    """Return glyph, short id, and what there is room for of age, status, duration and `extra`.

    The times end at the right edge, so that they stand below each other at any depth.
    """
    seen = look(run.status)
    name = ids.of(run.key.run_id)
    room = width - 2 - text.cells(name) - 1
    times, word = "", ""
    if room >= AGE_CELLS:
        times = f"{fmt.age(run.started.instant, now):>{AGE_CELLS}}"
        room -= AGE_CELLS
    if room >= _STATUS_CELLS:
        word = text.pad(text.clip(status_word(run), _STATUS_CELLS - 1), _STATUS_CELLS)
        room -= _STATUS_CELLS
    if room >= _TOOK_CELLS:
        times = f"{fmt.duration(run_length(run, now)):>{_TOOK_CELLS}}{times}"
        room -= _TOOK_CELLS
    shown = text.clip(extra, room - 1) if room > _LEAST_EXTRA else ""
    return (
        *lead(run, now),
        Piece(f"{name} "),
        Piece(word, seen.role),
        Piece(text.pad(shown, max(0, room)), "muted"),
        Piece(times, "muted"),
    )


def fold_mark(is_open: bool | None) -> Piece:
    """Return the mark of what is open, closed, or has nothing to unfold."""
    if is_open is None:
        return Piece("  ")
    return Piece("▾ " if is_open else "▸ ", "muted")
