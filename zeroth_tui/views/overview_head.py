"""The overview's first line: what is looked at, and how fresh it is."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Final

from zeroth_store.overview import Overview, OverviewQuery
from zeroth_tui.line import Line, Piece
from zeroth_tui.text import cells, clip, line
from zeroth_tui.views.layout import fit
from zeroth_tui.views.overview_words import length_words

_SHORTEST_NAME: Final = 12


def head(
    overview: Overview | None,
    wanted: OverviewQuery,
    *,
    name: str,
    trouble: str,
    read: datetime,
    zone: tzinfo,
    width: int,
) -> Line:
    """Return the line; on its right end when the figures were read, or why they may be old.

    Without an overview they are still being read.
    """
    right = _freshness(overview, trouble, read, zone)
    left = (
        Piece(" Overview  ", "strong"),
        Piece(clip(line(name), max(_SHORTEST_NAME, width // 4))),
        Piece(f"  {length_words(wanted)}", "keyword"),
    )
    room = max(0, width - cells(right.text) - 2)
    kept = fit(left, room)
    blank = " " * max(1, room - sum(cells(piece.text) for piece in kept) + 1)
    return fit((*kept, Piece(blank), right), width)


def _freshness(overview: Overview | None, trouble: str, read: datetime, zone: tzinfo) -> Piece:
    if trouble:
        return Piece(line(trouble, 100), "error")
    if overview is None:
        return Piece("reading …", "muted")
    local = read.astimezone(zone)
    words = f"read {local:%H:%M:%S %Z}"
    return Piece(words if overview.exact else f"about, {words}", "muted")
