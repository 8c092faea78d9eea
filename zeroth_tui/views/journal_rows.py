"""The journal's entries as rows: one line each, and one of them whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from zeroth_store.actions import Write
from zeroth_store.times import Moment
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.journal.entry import Cells, Entry
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.status import look
from zeroth_tui.views.act_words import TITLES, aimed, column_words
from zeroth_tui.views.layout import field, row, stored
from zeroth_tui.views.run_cells import scope_words
from zeroth_tui.views.short_ids import ShortIds

_AGE: Final = 5
_ACT: Final = 18
_NAMES: Final = 10


def entry_lines(entries: Sequence[Entry], now: datetime, width: int) -> list[Row]:
    """Return a line for each entry; a row's item is the entry's position."""
    ids = ShortIds(entry.key.run_id for entry in entries)
    return [_line(at, entry, ids, now, width) for at, entry in enumerate(entries)]


def entry_rows(
    entry: Entry, undo: Write | str, now: datetime, zone: tzinfo, width: int
) -> list[Row]:
    """Return an entry whole, and what would undo it or why nothing does."""
    when = Moment(entry.time, entry.time.isoformat())
    scope = scope_words(entry.key.tenant_id, entry.key.workspace_scope)
    rows = [
        *field("when", fmt.moment(when, zone, now), width, at=_NAMES),
        *field("who", text.line(entry.user), width, at=_NAMES),
        *field("database", text.line(entry.database), width, at=_NAMES),
        *field("run", f"{text.line(entry.key.run_id)} of {scope}", width, "strong", at=_NAMES),
        *field("reason", stored(entry.reason) or fmt.NOTHING, width, at=_NAMES),
        *_result(entry, width),
    ]
    for name in entry.columns:
        rows += _column(entry, name, width)
    return rows + _undo(undo, width)


def _line(at: int, entry: Entry, ids: ShortIds, now: datetime, width: int) -> Row:
    before, after = look(entry.seen), look(entry.stored if entry.written else entry.seen)
    mark, role = _mark(entry)
    pieces = [
        Piece(f" {mark} ", role),
        Piece(f"{fmt.age(entry.time, now):>{_AGE}}  ", "muted"),
        Piece(f"{TITLES[entry.act]:<{_ACT}}  "),
        Piece(f"{text.pad(ids.of(entry.key.run_id), ids.cells)}  ", "strong"),
        Piece(f"{before.glyph} {before.word}", before.role),
    ]
    if after != before:
        pieces += [Piece(" -> ", "muted"), Piece(f"{after.glyph} {after.word}", after.role)]
    return row(width, *pieces, item=at)


def _mark(entry: Entry) -> tuple[str, Role]:
    if not entry.written:
        return "✖", "error"
    return ("✔", "ok") if not entry.problem and entry.stored == entry.aimed else ("!", "warning")


def _result(entry: Entry, width: int) -> list[Row]:
    if not entry.written:
        words = stored(entry.problem) or "nothing done"
        return field("outcome", words, width, "error", at=_NAMES)
    if entry.problem:
        return field("outcome", stored(entry.problem), width, "warning", at=_NAMES)
    if entry.stored != entry.aimed:
        words = f"written, and made {look(entry.stored).word} by another writer since"
        return field("outcome", words, width, "warning", at=_NAMES)
    return field("outcome", "written and read back", width, at=_NAMES)


def _column(entry: Entry, name: str, width: int) -> list[Row]:
    lines = [
        *_cell("before", entry.before, name, width, "removed"),
        *_cell("after", entry.after, name, width, "added"),
    ]
    return [row(width, Piece(text.line(name), "key")), *lines] if lines else []


def _cell(word: str, cells: Cells, name: str, width: int, role: Role) -> list[Row]:
    if name not in cells:
        return []
    return field(f"  {word}", column_words(name, cells[name]), width, role, at=_NAMES)


def _undo(undo: Write | str, width: int) -> list[Row]:
    if isinstance(undo, str):
        return field("undo", f"no: {text.line(undo)}", width, "muted", at=_NAMES)
    words = f"{look(undo.seen).word} -> {look(aimed(undo)).word}"
    return field("undo", words, width, "link", at=_NAMES)
