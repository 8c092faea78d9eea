"""The line that says a run is shown as it was, not as it is."""

from __future__ import annotations

from datetime import tzinfo

from zeroth_store.browse import AsOf
from zeroth_store.times import Moment
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.layout import row, short


def as_of_row(as_of: AsOf, zone: tzinfo, width: int, key: str = "esc") -> Row:
    """Return which checkpoint a run is shown from, when that was, and the key that leads back."""
    name = short(as_of.checkpoint_id) if as_of.position is None else str(as_of.position + 1)
    start, back = f"◷ as of checkpoint {name}", f"{key} returns to now"
    long = f"{start}, {fmt.moment(as_of.moment, zone)}, {back}"
    medium = f"{start}, {_time(as_of.moment, zone)}, {back}"
    short_words = f"{start}, {_time(as_of.moment, zone)}, {key}: now"
    fitting = [words for words in (long, medium) if text.cells(words) <= width]
    return row(width, Piece(fitting[0] if fitting else short_words, "warning"))


def _time(moment: Moment, zone: tzinfo) -> str:
    """Return the time of day, for where there is no room for the date."""
    if moment.instant is None:
        return fmt.moment(moment, zone)
    try:
        return f"{moment.instant.astimezone(zone):%H:%M:%S}"
    except OverflowError:
        return f"{moment.instant:%H:%M:%S}"
