"""The keys of a screen as rows: those of the place where somebody is, of the screen, the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final, NamedTuple

from zeroth_tui.line import Piece, Row
from zeroth_tui.text import cells, pad
from zeroth_tui.views.layout import heading, wrap

_KEYS: Final = 16
"""The cells that the names of keys get."""


class Entry(NamedTuple):
    """Keys that belong together."""

    keys: tuple[str, ...]
    words: str
    """What they do."""
    reason: str
    """Why they do nothing now; empty where they do."""
    item: Hashable
    """What they are for."""


class Section(NamedTuple):
    """Keys of one kind."""

    title: str
    entries: tuple[Entry, ...]


def merged(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries with those joined that say the same: two keys of opposite effect."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        first = found.setdefault((entry.words, entry.reason), entry)
        keys = tuple(dict.fromkeys((*first.keys, *entry.keys)))
        found[entry.words, entry.reason] = first._replace(keys=keys)
    return tuple(found.values())


def help_rows(sections: Sequence[Section], width: int) -> tuple[Row, ...]:
    """Return the sections with their titles, a blank row between them."""
    rows: list[Row] = []
    for section in sections:
        if rows:
            rows.append(Row(()))
        rows.append(heading(section.title, width))
        for entry in section.entries:
            rows += _entry_rows(entry, width)
    return tuple(rows)


def _entry_rows(entry: Entry, width: int) -> Iterator[Row]:
    names = " ".join(entry.keys)
    words = f"{entry.words} ({entry.reason})" if entry.reason else entry.words
    beside = max(_KEYS, cells(names) + 4)
    muted = bool(entry.reason)
    for at, part in enumerate(wrap(words, max(8, width - beside))):
        key = Piece(pad(f"  {names}" if at == 0 else "", beside), "muted" if muted else "keyword")
        yield Row((key, Piece(part, "muted" if muted else "plain")), entry.item)
