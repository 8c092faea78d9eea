"""The lines above a run's panes: what it is, how it stands, who drives it and who it belongs to."""

from __future__ import annotations

from datetime import datetime, tzinfo

from zeroth_store.browse import Cost, RelatedRows, RunDetail, RunSummary
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.status import is_live, look
from zeroth_tui.views.layout import row, short
from zeroth_tui.views.lease import lease_words
from zeroth_tui.views.step import RunItem

_BETWEEN = Piece("  ")


def header_rows(
    detail: RunDetail, related: RelatedRows, now: datetime, zone: tzinfo, width: int
) -> tuple[Row, ...]:
    """Return two lines, and a third where the run has relations or oddities."""
    summary = detail.summary
    parent = RunItem(related.parent.key) if related.parent else None
    lines = [
        (_identity(summary, now), None),
        (_standing(detail, related, now, zone), None),
        (_relations(detail, related), parent),
    ]
    return tuple(row(width, *_spaced(pieces), item=item) for pieces, item in lines if pieces)


def cost_words(cost: Cost) -> str:
    """Return what a run cost, measured and estimated apart."""
    if cost.measured is None and cost.estimated is None:
        return "cost not recorded"
    measured = fmt.money(cost.measured) if cost.measured is not None else None
    estimated = f"{fmt.money(cost.estimated)} estimated" if cost.estimated is not None else None
    return " + ".join(part for part in (measured, estimated) if part)


def run_length(summary: RunSummary, now: datetime) -> float | None:
    """Return seconds from a run's start to its last write, or to now while it is not over."""
    start = summary.started.instant
    end = now if is_live(summary.status) else summary.updated.instant
    if start is None or end is None:
        return None
    return (end - start).total_seconds()


def _identity(summary: RunSummary, now: datetime) -> list[Piece]:
    seen = look(summary.status)
    return [
        Piece(text.line(summary.graph, 120) or "(no graph)", "strong"),
        Piece(short(summary.key.run_id), "link"),
        Piece(f"{seen.glyph} {text.clip(seen.word, 40)}", seen.role),
        Piece(fmt.duration(run_length(summary, now))),
        Piece(cost_words(summary.cost), "muted"),
    ]


def _standing(detail: RunDetail, related: RelatedRows, now: datetime, zone: tzinfo) -> list[Piece]:
    summary = detail.summary
    # A checkpoint does not hold the lease.
    lease = None if detail.as_of else lease_words(summary, related.parent, now)
    pieces = [lease] if lease else []
    pieces.append(Piece(f"started {fmt.moment(summary.started, zone, now)}", "muted"))
    if detail.submitted_by:
        pieces.append(Piece(f"by {text.line(detail.submitted_by, 80)}", "muted"))
    return pieces


def _relations(detail: RunDetail, related: RelatedRows) -> list[Piece]:
    pieces = []
    if (parent := _parent_words(detail.summary, related)) is not None:
        pieces.append(parent)
    if related.children:
        pieces.append(Piece(_counted(len(related.children), "child run"), "link"))
    if detail.erased:
        pieces.append(Piece("erased by retention", "warning"))
    if detail.problems:
        unreadable = _counted(len(detail.problems), "cell")
        verb = "is" if len(detail.problems) == 1 else "are"
        pieces.append(Piece(f"{unreadable} {verb} not readable", "warning"))
    if not detail.summary.writable:
        pieces.append(Piece("id cannot be named exactly: read only", "warning"))
    return pieces


def _parent_words(summary: RunSummary, related: RelatedRows) -> Piece | None:
    if summary.parent_run_id is None:
        return None
    node = f" at {text.line(summary.parent_node_id, 60)}" if summary.parent_node_id else ""
    words = f"child of {short(summary.parent_run_id)}{node}"
    if related.parent is None:
        return Piece(f"{words} (not in this database)", "warning")
    return Piece(words, "link")


def _counted(count: int, what: str) -> str:
    return f"{fmt.count(count)} {what}{'' if count == 1 else 's'}"


def _spaced(pieces: list[Piece]) -> list[Piece]:
    spaced = [between for piece in pieces for between in (_BETWEEN, piece)]
    return spaced[1:]
