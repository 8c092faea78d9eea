"""The failure pane: why a run failed, where, with which input, and what is in doubt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from zeroth_store.browse import FailureInfo, OperationEntry, RelatedRows, RunDetail
from zeroth_store.status import DEAD_LETTER, RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.status import look
from zeroth_tui.views import tracebacks
from zeroth_tui.views.layout import MASK_LIMIT, field, heading, join, paragraph, row, short, stored
from zeroth_tui.views.payload import decode, payload_rows
from zeroth_tui.views.problems import problem_rows
from zeroth_tui.views.reasons import explain
from zeroth_tui.views.standing import standing_rows
from zeroth_tui.views.step import RunItem, Step, StepItem
from zeroth_tui.views.step_words import decision_words, title

_DOUBTS: Final = ("IN_FLIGHT", "AMBIGUOUS")


def failure_rows(
    detail: RunDetail,
    related: RelatedRows,
    steps: Sequence[Step],
    width: int,
    now: datetime,
    zone: tzinfo,
) -> tuple[Row, ...]:
    """Return what is known of a failure; of a run that did not fail, how it stands."""
    failed = detail.failure is not None or detail.summary.status == RunStatus.FAILED
    rows = problem_rows(detail, "failure_state", width)
    if failed:
        rows += _why(detail, width)
        rows += _child_failures(detail, related, width)
        rows += _denials(steps, width)
        rows += _rejections(steps, width)
        rows += _where(detail, steps, width, zone)
    else:
        rows += standing_rows(detail, related, steps, width, now, zone)
    rows += _side_effects(related.operations, width)
    if failed and detail.failure is not None:
        rows += _details(detail.failure, width)
        rows += _traceback(detail.failure, width)
    return tuple(rows)


def _why(detail: RunDetail, width: int) -> list[Row]:
    failure = detail.failure or FailureInfo(None, None)
    meaning = explain(failure.reason)
    rows: list[Row] = []
    if detail.summary.status != RunStatus.FAILED:
        word = look(detail.summary.status).word
        rows += paragraph(f"The run is {word}, yet holds a failure:", width, "warning")
    rows += paragraph(meaning.words, width, "error")
    rows += paragraph(meaning.advice, width, "muted") if meaning.advice else []
    if detail.erased:
        rows += paragraph("Retention erased what the run held.", width, "warning")
    if failure.reason is not None:
        rows += field("reason", text.line(failure.reason), width)
    rows += _message(failure, width)
    return [*rows, *_dead_letter(detail, width)]


def _message(failure: FailureInfo, width: int) -> list[Row]:
    """Return message and error; the error only where it says more."""
    rows: list[Row] = []
    said = {failure.reason}
    for name, words in (("message", failure.message), ("error", failure.error)):
        if words is None or words in said:
            continue
        said.add(words)
        before, traceback = tracebacks.split(words)
        shown = join([before, tracebacks.cause(traceback) if traceback else None], "\n")
        first, *more = text.block(text.mask_text(shown[:MASK_LIMIT])).split("\n")
        rows += field(name, first, width)
        rows += paragraph("\n".join(more), width, indent=4) if more else []
    return rows


def _dead_letter(detail: RunDetail, width: int) -> list[Row]:
    count = detail.summary.failure_count or 0
    times = f"{fmt.count(count)} failure{'' if count == 1 else 's'} counted"
    if detail.failure is not None and detail.failure.reason == DEAD_LETTER:
        return field("dead letter", f"yes, {times}", width, "error")
    return field("failures", f"{times}, no dead letter yet", width) if count else []


def _child_failures(detail: RunDetail, related: RelatedRows, width: int) -> list[Row]:
    """Return the child runs that failed: the cause of a failed subgraph is there."""
    reason = (detail.failure.reason if detail.failure else None) or ""
    failed = [run for run in related.children if run.status == RunStatus.FAILED]
    rows = [
        row(
            width,
            Piece("child run   ", "key"),
            Piece(short(run.key.run_id), "link"),
            Piece(
                f"  ✖ {join([text.line(run.failure_reason), stored(run.failure_message)])}", "error"
            ),
            item=RunItem(run.key),
        )
        for run in failed
    ]
    if not rows and reason.startswith("subgraph_"):
        rows = paragraph("The child run that failed is not in this database.", width, "warning")
    return rows


def _denials(steps: Sequence[Step], width: int) -> list[Row]:
    return [
        row(
            width,
            Piece("denied      ", "key"),
            Piece(f"{title(step)}: a policy refused it, so it never ran", "error"),
            item=StepItem(step.index),
        )
        for step in steps
        if step.denied
    ]


def _rejections(steps: Sequence[Step], width: int) -> list[Row]:
    """Return who said no to what the run waited for."""
    return [
        row(
            width,
            Piece("rejected    ", "key"),
            Piece(f"{title(step)}: {decision_words(step.approval)}", "error"),
            item=StepItem(step.index),
        )
        for step in steps
        if step.failed and step.approval is not None and step.approval.decision is not None
    ]


def _where(detail: RunDetail, steps: Sequence[Step], width: int, zone: tzinfo) -> list[Row]:
    """Return the node that failed with its exact input, and the last step that completed."""
    rows: list[Row] = []
    failed = failed_step(detail, steps)
    if failed is not None:
        item = StepItem(failed.index)
        rows.append(row(width, Piece("failed at   ", "key"), Piece(title(failed)), item=item))
    done = [step for step in steps if _completed(step)]
    last = max(done, key=lambda step: step.index, default=None)
    if last is not None:
        when = fmt.moment(last.entry.started, zone) if last.entry else ""
        pieces = (Piece("last done   ", "key"), Piece(title(last)), Piece(f"  {when}", "muted"))
        rows.append(row(width, *pieces, item=StepItem(last.index)))
    else:
        rows += paragraph("No step completed before it.", width, "muted")
    given = _input(detail, failed)
    if given is not None:
        rows.append(heading(f"Input of {title(failed) if failed else 'the node'}", width))
        rows += payload_rows(given, width)
    return rows


def failed_step(detail: RunDetail, steps: Sequence[Step]) -> Step | None:
    """Return the step at which a run failed: the last failed one of the node it names."""
    node = detail.summary.failed_node or detail.in_flight_node
    failed = [step for step in steps if step.failed and not step.denied]
    at_node = [step for step in failed if step.node_id == node]
    lost = [step for step in steps if step.node_id == node and step.origin != "history"]
    candidates = at_node or lost or failed
    return max(candidates, key=lambda step: step.index, default=None)


def _completed(step: Step) -> bool:
    return step.origin == "history" and (step.status or "").lower() == "completed"


def _input(detail: RunDetail, failed: Step | None) -> str | None:
    """Return what the failing node was given: the dispatch, unless that is of another node."""
    if detail.in_flight_input is not None and (
        failed is None or failed.node_id == detail.in_flight_node
    ):
        return detail.in_flight_input
    return failed.entry.input if failed and failed.entry else None


def _side_effects(operations: Sequence[OperationEntry], width: int) -> list[Row]:
    """Return side effects, those in doubt first: a replay may repeat them."""
    if not operations:
        return []
    ordered = sorted(operations, key=lambda operation: operation.state not in _DOUBTS)
    doubts = sum(operation.state in _DOUBTS for operation in operations)
    words = f"Side effects: {len(operations)}, {doubts} in doubt"
    rows = [heading(f"{words}: a replay may repeat them" if doubts else words, width)]
    return rows + [_operation(operation, width) for operation in ordered]


def _operation(operation: OperationEntry, width: int) -> Row:
    doubtful = operation.state in _DOUBTS
    state = Piece(f"  {text.pad(text.line(operation.state), 10)}", "error" if doubtful else "muted")
    attempt = f"  attempt {operation.attempt}" if operation.attempt is not None else ""
    why = stored(join([operation.ambiguity, operation.error]))
    return row(
        width,
        state,
        Piece(f" {text.line(operation.target) or '(no target)'}"),
        Piece(attempt, "muted"),
        Piece(f"  {why}" if why else "", "warning"),
    )


def _details(failure: FailureInfo, width: int) -> list[Row]:
    if failure.details is None or failure.details.strip() in {"", "{}", "null"}:
        return []
    decoded = decode(failure.details)
    shown = failure.details
    if any(tracebacks.inside(decoded)):
        shown = json.dumps(tracebacks.without(decoded))
    return [heading("Details", width), *payload_rows(shown, width)]


def _traceback(failure: FailureInfo, width: int) -> list[Row]:
    texts = [failure.message, failure.error, decode(failure.details)]
    found = next((one for words in texts for one in tracebacks.inside(words)), None)
    if found is None:
        return []
    title_row = heading("Traceback (▸ own code)", width)
    return [title_row, *tracebacks.traceback_rows(found, width)]
