"""How a run stands that has not failed: done, on its way, waiting for whom, or stuck and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from zeroth_store.browse import ApprovalEntry, RelatedRows, RunDetail
from zeroth_store.status import RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.status import look
from zeroth_tui.views.layout import field, paragraph, row, short, stored
from zeroth_tui.views.lease import lease_words
from zeroth_tui.views.reasons import explain_ending
from zeroth_tui.views.step import RunItem, Step, StepItem
from zeroth_tui.views.step_words import title


def standing_rows(
    detail: RunDetail,
    related: RelatedRows,
    steps: Sequence[Step],
    width: int,
    now: datetime,
    zone: tzinfo,
) -> list[Row]:
    """Return that the run did not fail, and what it is doing or waiting for instead."""
    seen = look(detail.summary.status)
    rows = [
        row(
            width,
            Piece("This run has not failed. It is "),
            Piece(f"{seen.glyph} {text.clip(seen.word, 40)}", seen.role),
        )
    ]
    # A checkpoint does not hold the lease.
    lease = None if detail.as_of else lease_words(detail.summary, related.parent, now)
    if lease is not None:
        rows += paragraph(f"{lease.text[:1].upper()}{lease.text[1:]}.", width, lease.role)
    if detail.terminal_reason is not None:
        ending = explain_ending(detail.terminal_reason)
        rows += paragraph(ending.words, width)
        rows += paragraph(ending.advice, width, "muted") if ending.advice else []
    if detail.summary.status == RunStatus.WAITING_APPROVAL:
        rows += _approval_rows(detail, related, steps, width, now, zone)
    if detail.summary.status == RunStatus.WAITING_INTERRUPT:
        rows += _interrupt_rows(steps, width, now)
    if detail.in_flight_node is not None:
        rows += field("dispatched", text.line(detail.in_flight_node), width)
    return rows


def _approval_rows(
    detail: RunDetail,
    related: RelatedRows,
    steps: Sequence[Step],
    width: int,
    now: datetime,
    zone: tzinfo,
) -> list[Row]:
    waits = [step for step in steps if step.waiting]
    rows: list[Row] = []
    for step in waits:
        item = StepItem(step.index)
        rows.append(row(width, Piece(f"Waits at {title(step)}", "waiting"), item=item))
        if step.approval is not None:
            rows += _one_approval(step.approval, width, now, zone)
    child = detail.pending_child_run_id
    if child is not None:
        rows.append(_child_row(child, related, width))
    elif not any(step.approval for step in waits):
        rows += paragraph(_unknown_approval(detail), width, "error")
    return rows


def _unknown_approval(detail: RunDetail) -> str:
    """Return what is wrong where a run waits and no row of the approvals table is undecided."""
    if detail.pending_approval_id is None:
        return "No pending approval is stored: nothing can release it."
    named = text.line(detail.pending_approval_id)
    return f"The run names approval {named}, of which no undecided row is stored."


def _one_approval(approval: ApprovalEntry, width: int, now: datetime, zone: tzinfo) -> list[Row]:
    rows = field("approval", text.line(approval.approval_id), width)
    rows += field("since", fmt.moment(approval.created, zone, now), width)
    rows += field("status", text.line(approval.status), width)
    if approval.summary:
        rows += field("asks", stored(approval.summary), width)
    if approval.requested_by:
        rows += field("requested by", text.line(approval.requested_by), width, at=14)
    rows += _deadline(approval, width, now, zone)
    return [*rows, *paragraph("It is decided through Zeroth's approvals API.", width, "muted")]


def _deadline(approval: ApprovalEntry, width: int, now: datetime, zone: tzinfo) -> list[Row]:
    if approval.deadline.missing:
        return field("deadline", "none", width)
    due = approval.deadline.instant
    late = due is not None and due <= now
    words = fmt.moment(approval.deadline, zone, now)
    return field("deadline", words, width, "error" if late else "plain")


def _child_row(run_id: str, related: RelatedRows, width: int) -> Row:
    """Return that the run waits for a child, which enter opens where it is known."""
    known = next((run for run in related.children if run.key.run_id == run_id), None)
    words = f"Waits for its child run {short(run_id)}"
    if known is None:
        return row(width, Piece(f"{words}, which is not in this database", "warning"))
    seen = look(known.status)
    pieces = (Piece(f"{words}  ", "waiting"), Piece(f"{seen.glyph} {seen.word}", seen.role))
    return row(width, *pieces, item=RunItem(known.key))


def _interrupt_rows(steps: Sequence[Step], width: int, now: datetime) -> list[Row]:
    rows = paragraph(
        "It was interrupted. Zeroth has no API and no command that resumes it.", width, "warning"
    )
    for step in steps:
        if step.waiting and step.waited_from is not None:
            since = fmt.age(step.waited_from, now)
            rows += field("next", f"{title(step)}, last written {since} ago", width)
    return rows
