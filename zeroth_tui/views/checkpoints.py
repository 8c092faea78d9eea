"""The checkpoints pane: what was saved, when, how large, what changed, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Final

import msgspec

from zeroth_store.browse import CheckpointSummary
from zeroth_store.checkpoint_detail import CheckpointFacts
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role, Row
from zeroth_tui.status import look
from zeroth_tui.views.checkpoint_changes import change_words, is_thread_state, predecessors
from zeroth_tui.views.layout import paragraph, row, short

_EMPTY: Final = (
    "No checkpoints: the run has not been saved yet, or retention removed what was saved."
)
_INDENT: Final = 5
_NO_FACTS: Final[Mapping[str, CheckpointFacts]] = MappingProxyType({})


class CheckpointItem(msgspec.Struct, frozen=True):
    """Names a checkpoint of the run's scope."""

    checkpoint_id: str


MOST: Final = 500
"""How many checkpoints of a thread are listed; of more, the last ones."""


def checkpoint_rows(
    summaries: Sequence[CheckpointSummary],
    now: datetime,
    zone: tzinfo,
    width: int,
    *,
    facts: Mapping[str, CheckpointFacts] = _NO_FACTS,
    marked: str | None = None,
    thread_id: str | None = None,
) -> tuple[Row, ...]:
    """Return two rows for each checkpoint, in the order given: what it is, and what changed.

    `facts` are of those looked at so far; `marked` is the first one of a comparison; `thread_id` is
    the thread whose list this is.
    """
    if not summaries:
        return tuple(paragraph(_EMPTY, width, "muted"))
    rows: list[Row] = []
    if (more := len(summaries) - MOST) > 0:
        rows += paragraph(f"… {fmt.count(more)} earlier checkpoints are not shown", width, "muted")
    compared = _Compared(summaries, facts)
    for summary in summaries[-MOST:]:
        item = CheckpointItem(summary.checkpoint_id)
        own = facts.get(summary.checkpoint_id)
        rows.append(_head(summary, own, now, zone, width, summary.checkpoint_id == marked))
        for words, role in (*_oddities(summary, thread_id), *compared.words(summary)):
            rows += [Row(line, item) for line, _ in paragraph(words, width, role, _INDENT)]
    return tuple(rows)


def number(summary: CheckpointSummary) -> str:
    """Return a checkpoint's number in its thread, from 1; `-` where the thread does not list it."""
    return "-" if summary.position is None else str(summary.position + 1)


def title(summary: CheckpointSummary, zone: tzinfo) -> Line:
    """Return which checkpoint it is, for the top of what it holds."""
    return (
        Piece(f"checkpoint {number(summary)} ", "strong"),
        Piece(short(summary.checkpoint_id), "link"),
        Piece(f"  run {short(summary.run_id or '')}  {fmt.moment(summary.saved, zone)}", "muted"),
    )


def _head(
    summary: CheckpointSummary,
    facts: CheckpointFacts | None,
    now: datetime,
    zone: tzinfo,
    width: int,
    marked: bool,
) -> Row:
    listed = summary.position is not None
    return row(
        width,
        Piece(f"{number(summary):>3}", "plain" if listed else "warning"),
        Piece("● " if marked else "  ", "strong"),
        Piece(text.pad(short(summary.checkpoint_id), 8), "link"),
        Piece(f" {fmt.age(summary.saved.instant, now):>5}", "muted"),
        Piece(f" {fmt.size(summary.size):>8}  ", "number"),
        *_content(summary, facts),
        Piece(fmt.moment(summary.saved, zone), "muted"),
        item=CheckpointItem(summary.checkpoint_id),
    )


def _content(summary: CheckpointSummary, facts: CheckpointFacts | None) -> Iterator[Piece]:
    """Yield what a checkpoint holds, with spaces behind each piece."""
    closed = facts is None or facts.problem is not None
    match summary.kind:
        case "gone":
            yield Piece("gone  ", "warning")
            return
        case "unreadable":
            yield Piece("not readable  ", "warning")
        case "encrypted":
            yield Piece("encrypted  ", "warning") if closed else Piece("decrypted  ", "muted")
        case _:
            pass
    if is_thread_state(summary):
        yield Piece("agent state  ", "muted")
        return
    status = (facts and facts.shown("status")) or summary.status
    if status is not None:
        seen = look(status)
        yield Piece(f"{seen.glyph} {text.clip(seen.word, 20)}  ", seen.role)
    if summary.run_id:
        yield Piece(f"run {short(summary.run_id)}  ", "muted")


def _oddities(summary: CheckpointSummary, thread_id: str | None) -> Iterator[tuple[str, Role]]:
    if summary.position is None:
        yield "not listed by its thread", "warning"
    theirs = summary.thread_id
    if thread_id and theirs and theirs != thread_id and not is_thread_state(summary):
        yield f"belongs to another thread: {text.line(theirs, 80)}", "warning"


class _Compared:
    """Says of each checkpoint in a list what changed since the one saved before it."""

    def __init__(
        self, summaries: Sequence[CheckpointSummary], facts: Mapping[str, CheckpointFacts]
    ) -> None:
        self._facts = facts
        self._said: set[str] = set()
        self._before = predecessors(summaries)
        self._numbers = {one.checkpoint_id: number(one) for one in summaries}
        ids = [one.checkpoint_id for one in summaries]
        self._above = dict(zip(ids[1:], ids, strict=False))

    def words(self, summary: CheckpointSummary) -> Iterator[tuple[str, Role]]:
        """Yield what is said below a checkpoint, and how; of a missing key once is enough."""
        own = self._facts.get(summary.checkpoint_id)
        if summary.kind == "gone":
            yield "listed by its thread, but erased: retention removes checkpoints", "warning"
        elif own is None:
            yield "…", "muted"
        elif own.problem is None:
            yield self._change(summary, own)
        elif summary.kind != "encrypted" or own.problem not in self._said:
            self._said.add(own.problem)
            yield text.line(own.problem), "warning"

    def _change(self, summary: CheckpointSummary, own: CheckpointFacts) -> tuple[str, Role]:
        earlier = self._before.get(summary.checkpoint_id)
        if earlier is None:
            run = f"of run {short(summary.run_id or '')}"
            what = "agent state" if is_thread_state(summary) else run
            return f"first {what}: {change_words(None, own)}", "plain"
        other, place = self._facts.get(earlier), self._numbers[earlier]
        if other is None:
            return "…", "muted"
        if other.problem is not None:
            return f"{place}, saved before it, cannot be compared", "muted"
        words = change_words(other, own)
        directly = self._above.get(summary.checkpoint_id) == earlier
        return (words if directly else f"since {place}: {words}"), "plain"
