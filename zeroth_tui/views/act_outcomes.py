"""What became of acts on runs, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from zeroth_store.actions import Outcome, Write
from zeroth_store.errors import StoreError
from zeroth_store.status import RunStatus
from zeroth_tui.format import count
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.status import look
from zeroth_tui.views.act_words import aimed
from zeroth_tui.views.layout import paragraph, short, stored
from zeroth_tui.views.short_ids import ShortIds


class Said(NamedTuple):
    """A sentence for the person, and how bad it is."""

    words: str
    severity: Literal["information", "warning", "error"]


def outcome_words(write: Write, outcome: Outcome, name: str = "") -> Said:
    """Return what became of a write to the run called `name`, by default its short id.

    A run that was given back to the workers may be on its way again, as it should.
    """
    name, aim = name or short(write.key.run_id), aimed(write)
    if not outcome.written:
        return Said(f"{name}: {_problem(write, outcome)}", "error")
    if outcome.problem:
        return Said(f"{name}: {stored(outcome.problem)}", "warning")
    if aim not in {outcome.stored, RunStatus.PENDING}:
        words = f"became {look(aim).word}, but another writer has made it"
        return Said(f"{name}: {words} {look(outcome.stored).word} since", "warning")
    return Said(f"{name}: {_done(write, outcome)}", "information")


def unwritten_words(error: StoreError) -> str:
    """Return why nothing was written, as raised, and that nothing is changed: few errors say it."""
    words = str(error)
    return words if _UNCHANGED in words else f"{words}; {_UNCHANGED}"


def result_rows(results: Sequence[tuple[Write, Outcome]], width: int) -> list[Row]:
    """Return what became of several writes, run by run; a row's item is the run's key."""
    ids = ShortIds(write.key.run_id for write, _ in results)
    rows: list[Row] = []
    for write, outcome in results:
        said = outcome_words(write, outcome, ids.of(write.key.run_id))
        mark, role = _MARKS[said.severity]
        lines = paragraph(said.words, width - 3)
        for at, line in enumerate(lines):
            lead = Piece(f"{mark}  " if at == 0 else "   ", role)
            rows.append(Row((lead, *line.line), write.key))
    return rows


def results_tally(results: Sequence[tuple[Write, Outcome]]) -> str:
    """Return how many runs were written, and how many were not."""
    written = sum(outcome.written for _, outcome in results)
    return f"{count(written)} written, {count(len(results) - written)} not"


_UNCHANGED: Final = "nothing changed"
_MARKS: Final[Mapping[str, tuple[str, Role]]] = {
    "information": ("✔", "ok"),
    "warning": ("!", "warning"),
    "error": ("✖", "error"),
}


def _done(write: Write, outcome: Outcome) -> str:
    if outcome.run is not None:
        return f"forked into {short(outcome.run.run_id)}"
    if outcome.checkpoint_id is not None:
        return f"checkpoint {short(outcome.checkpoint_id)} written"
    now = outcome.stored
    since = "read back" if now == aimed(write) else f"on its way as {look(now).word} by now"
    return f"{look(write.seen).word} -> {look(aimed(write)).word}, {since}"


def _problem(write: Write, outcome: Outcome) -> str:
    if outcome.problem:
        return stored(outcome.problem)
    if outcome.stored is not None and outcome.stored != write.seen:
        return f"changed to {look(outcome.stored).word} by another writer, nothing done"
    return "nothing done"
