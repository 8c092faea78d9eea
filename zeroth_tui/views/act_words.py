"""What may be done to runs, and exactly what would be written, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zeroth_store.acting import target
from zeroth_store.actions import Act, Write
from zeroth_store.run_detail import Stored
from zeroth_store.status import RunStatus
from zeroth_tui import text
from zeroth_tui.format import count
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.status import look
from zeroth_tui.views.act_choices import Choice, Counted
from zeroth_tui.views.layout import MASK_LIMIT, field, paragraph, row, stored, wrap
from zeroth_tui.views.run_cells import scope_words

TITLES: Final[Mapping[Act, str]] = {
    "cancel": "Cancel",
    "pause": "Pause",
    "resume": "Resume",
    "replay": "Replay",
    "move": "Move",
    "checkpoint": "Write a checkpoint",
    "restore": "Restore a checkpoint",
    "fork": "Fork",
}
"""What each act is called."""

NULL: Final = "NULL"
"""Stands for a cell without a value."""

_WITHOUT_COLUMNS: Final[Mapping[Act, str]] = {"checkpoint": "a checkpoint of the run as it is"}
_TITLE: Final = 20
_STATUS: Final = 21
_NAMES: Final = 10
_COLUMNS: Final = 22
_DIGITS: Final = 9


def title(act: Act, to: RunStatus | None) -> str:
    """Return what an act is called, with the status that a move leads to."""
    return TITLES[act] if act != "move" or to is None else f"{TITLES[act]} to {to}"


def choice_row(number: int, choice: Choice, width: int) -> Row:
    """Return an act as a line of the menu; one that can be done to no run is grey, with why."""
    name = "Move to" if choice.act == "move" else TITLES[choice.act]
    digit = f" {number}  " if number <= _DIGITS else "    "
    pieces = [Piece(digit, "muted"), Piece(f"{name:<{_TITLE}} ")]
    if choice.to is not None:
        then = look(choice.to)
        pieces.append(Piece(f"{then.glyph} {then.word}", then.role))
    room = _STATUS - sum(text.cells(piece.text) for piece in pieces[2:])
    pieces.append(Piece(" " * room))
    if choice.eligible:
        pieces += _at_hand(choice)
    else:
        refusal = choice.skipped[0].words if choice.skipped else ""
        pieces = [Piece(piece.text, "muted") for piece in (*pieces, Piece(text.line(refusal)))]
    return row(width, *pieces, item=number - 1)


def _at_hand(choice: Choice) -> list[Piece]:
    """Return to how many runs an act can be done, where that is a question, and at what risk."""
    several = choice.selected > 1
    words = f"{count(len(choice.eligible))} of {count(choice.selected)}  " if several else ""
    return [Piece(words), Piece("! warnings" if choice.warnings else "", "warning")]


def about_rows(choice: Choice, width: int) -> list[Row]:
    """Return why an act cannot be done to some runs, and what is to be known before it is done."""
    several = choice.selected > 1
    rows = paragraph(tally(choice), width) if several else []
    rows += _sentences(choice.skipped, "", width, "muted", several=several)
    return rows + _sentences(choice.warnings, "! ", width, "warning", several=several)


def tally(choice: Choice) -> str:
    """Return how many runs were selected, and how many of them it can be done to."""
    words = f"{count(choice.selected)} selected, {count(len(choice.eligible))} eligible"
    skipped = choice.selected - len(choice.eligible)
    return f"{words}, {count(skipped)} skipped because" if skipped else words


def write_rows(writes: Sequence[Write], width: int) -> list[Row]:
    """Return what will be written and to which runs; runs that get the same stand together."""
    groups: dict[object, list[Write]] = {}
    for write in writes:
        what = (write.act, write.seen, tuple(write.columns.items()), write.unleased)
        groups.setdefault(what, []).append(write)
    rows: list[Row] = []
    for group in groups.values():
        rows += [*([Row(())] if rows else []), *_group(group, width)]
    return rows


def column_words(name: str, value: Stored) -> str:
    """Return a cell as one clean line, its secrets hidden."""
    if value is None:
        return NULL
    if not isinstance(value, str):
        return text.line(value)
    if value == "":
        return "(empty)"
    if text.is_secret(name):
        return text.MASK
    if value.lstrip()[:1] in {"{", "["}:
        value = text.mask_json(value[:MASK_LIMIT]) + value[MASK_LIMIT:]
    return stored(value)


def aimed(write: Write) -> str:
    """Return the status that the run has after a write, if nobody else writes."""
    return target(write) or write.seen


def _sentences(
    counted: Sequence[Counted], mark: str, width: int, role: Role, *, several: bool
) -> list[Row]:
    """Return sentences, each led by of how many runs it is true where there are several."""
    rows: list[Row] = []
    for sentence in counted:
        lead = f"{count(sentence.runs):>5}  {mark}" if several else mark
        for part in wrap(text.line(sentence.words), width - len(lead)):
            rows.append(Row((Piece(lead, role), Piece(part, role))))
            lead = " " * len(lead)
    return rows


def _group(group: Sequence[Write], width: int) -> list[Row]:
    """Return one exact run with what it gets, or what several get and then which they are."""
    runs = [one for write in group for one in _run(write, width)]
    if len(group) == 1:
        return [*runs, *_what(group[0], width)]
    how_many = field("runs", count(len(group)), width, "strong", at=_NAMES)
    return [*how_many, *_what(group[0], width), *runs]


def _what(write: Write, width: int) -> list[Row]:
    now, then = look(write.seen), look(aimed(write))
    change = [Piece(f"{'now':<{_NAMES}}", "key"), Piece(f"{now.glyph} {now.word}", now.role)]
    if aimed(write) != write.seen:
        change += [Piece("  ->  ", "muted"), Piece(f"{then.glyph} {then.word}", then.role)]
    rows = [row(width, *change), *_columns(write, width)]
    return rows + field("only", _condition(write), width, "muted", at=_NAMES)


def _columns(write: Write, width: int) -> list[Row]:
    """Return what is written, column by column; a checkpoint leaves the columns as they are."""
    if not write.columns:
        return field("writes", _WITHOUT_COLUMNS.get(write.act, "nothing"), width, at=_NAMES)
    rows = [row(width, Piece("new run" if write.act == "fork" else "writes", "key"))]
    for name, value in write.columns.items():
        role: Role = "keyword" if value is None else "plain"
        lines = field(text.line(name), column_words(name, value), width - 2, role, at=_COLUMNS)
        rows += [Row((Piece("  "), *one.line)) for one in lines]
    return rows


def _run(write: Write, width: int) -> list[Row]:
    key = write.key
    words = text.line(key.run_id)
    if (key.tenant_id, key.workspace_scope) != ("default", "null"):
        words += f" of {scope_words(key.tenant_id, key.workspace_scope)}"
    return field("run", words, width, "strong", at=_NAMES)


def _condition(write: Write) -> str:
    lease = " and no live lease holds it" if write.unleased else ""
    return f"while it is still {look(write.seen).word}{lease}"
