"""The checkpoints pane: what was saved, when, how large, and whether it can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Final

import msgspec

from zeroth_store.browse import CheckpointKind, CheckpointSummary
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.status import look
from zeroth_tui.views.layout import paragraph, row, short

_KINDS: Final[Mapping[CheckpointKind, str]] = MappingProxyType(
    {
        "state": "",
        "thread_state": "agent state of the thread",
        "encrypted": "encrypted",
        "unreadable": "not readable",
    }
)
_EMPTY: Final = (
    "No checkpoints: the run has not been saved yet, or retention removed what was saved."
)


class CheckpointItem(msgspec.Struct, frozen=True):
    """Names a checkpoint of the run's scope."""

    checkpoint_id: str


def checkpoint_rows(
    summaries: Sequence[CheckpointSummary], now: datetime, zone: tzinfo, width: int
) -> tuple[Row, ...]:
    """Return a row for each checkpoint of a thread, in the order given, with the run it is of."""
    if not summaries:
        return tuple(paragraph(_EMPTY, width, "muted"))
    return tuple(_checkpoint(summary, now, zone, width) for summary in summaries)


def _checkpoint(summary: CheckpointSummary, now: datetime, zone: tzinfo, width: int) -> Row:
    listed = summary.position is not None
    place = f"{summary.position + 1:>4}" if summary.position is not None else "   -"
    oddity = "" if listed else "  not listed by its thread"
    kind = _KINDS[summary.kind]
    return row(
        width,
        Piece(f"{place} ", "plain" if listed else "warning"),
        Piece(text.pad(short(summary.checkpoint_id), 12), "link"),
        Piece(f" {fmt.age(summary.created.instant, now):>6}", "muted"),
        Piece(f" {fmt.size(summary.size):>9}", "number"),
        *(() if summary.kind == "thread_state" else _snapshot(summary)),
        Piece(
            f"  {kind}" if kind else "", "warning" if summary.kind != "thread_state" else "muted"
        ),
        Piece(oddity, "warning"),
        Piece(f"  {fmt.moment(summary.created, zone)}", "muted"),
        item=CheckpointItem(summary.checkpoint_id),
    )


def _snapshot(summary: CheckpointSummary) -> tuple[Piece, ...]:
    """Return the run, and its status and number of steps in the snapshot, where known."""
    pieces = []
    if summary.run_id:
        pieces.append(Piece(f"  run {short(summary.run_id)}", "muted"))
    if summary.status is not None:
        seen = look(summary.status)
        pieces.append(Piece(f"  {seen.glyph} {text.clip(seen.word, 20)}", seen.role))
    if summary.steps is not None:
        plural = "" if summary.steps == 1 else "s"
        pieces.append(Piece(f"  {fmt.count(summary.steps)} step{plural}"))
    return tuple(pieces)
