"""Steps that no history entry tells of: waits, and the node that is running now."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from zeroth_store.browse import ApprovalEntry, RelatedRows, RunDetail
from zeroth_store.status import RunStatus
from zeroth_tui.views.step import NO_RESULT, Step
from zeroth_tui.views.step_times import Times, clamp

_LATE: Final = datetime.max.replace(tzinfo=UTC)
_DISPATCHED: Final = frozenset({RunStatus.RUNNING, RunStatus.FAILED})
_WAITING: Final = frozenset({RunStatus.WAITING_APPROVAL, RunStatus.WAITING_INTERRUPT})


def with_waits(
    stored: list[Step], detail: RunDetail, related: RelatedRows, now: datetime
) -> list[Step]:
    """Give steps the approvals they waited for, and add a step for each wait without one."""
    result = list(stored)
    left: list[ApprovalEntry] = []
    for approval in sorted(related.approvals, key=_resolved_first):
        at = _answering(result, approval)
        if at is None:
            left.append(approval)
        else:
            result[at] = _waited(result[at], approval, now)
    for approval in left:
        result.append(_wait_for_approval(approval, detail, _next_index(result), now))
    if detail.summary.status in _WAITING and not any(step.waiting for step in result):
        result.append(_plain_wait(detail, related, _next_index(result), now))
    return result


def may_have_more(detail: RunDetail) -> bool:
    """Whether a run's status tells of a step that no history entry does."""
    status = detail.summary.status
    dispatched = detail.in_flight_node is not None and status in _DISPATCHED
    return dispatched or status in _WAITING


def in_flight_step(stored: list[Step], detail: RunDetail, now: datetime) -> list[Step]:
    """Return a step for the node that was dispatched last, unless its end is stored."""
    node, status = detail.in_flight_node, detail.summary.status
    if node is None or status not in _DISPATCHED:
        return []
    running = status == RunStatus.RUNNING
    if not running and any(_tells_the_end(step, node) for step in stored):
        return []
    times = clamp(Times("span", detail.summary.updated.instant, None), now)
    known = running and times.start is not None
    return [
        Step(
            index=_next_index(stored),
            node_id=node,
            visit=1,
            status="running" if running else NO_RESULT,
            origin="in_flight",
            knowledge="span" if known else "unknown",
            start=times.start if known else None,
            clamped=known and times.clamped,
            in_flight=running,
        )
    ]


def _tells_the_end(step: Step, node: str) -> bool:
    """Whether this is the end of a failed run's last dispatch: a failure, or an audit alone."""
    return step.node_id == node and (step.failed or step.origin == "audit")


def _next_index(stored: Iterable[Step]) -> int:
    return min((step.index for step in stored if step.index < 0), default=0) - 1


def _resolved_first(approval: ApprovalEntry) -> tuple[bool, datetime]:
    """Sort key: a step was let go by a resolved approval, not by an abandoned one before it."""
    return approval.resolved.instant is None, approval.created.instant or _LATE


def _answering(stored: list[Step], approval: ApprovalEntry) -> int | None:
    """Return the position of the first step of its node that ended after it was asked."""
    asked = approval.created.instant
    for at, step in enumerate(stored):
        if step.node_id != approval.node_id or step.approval is not None:
            continue
        if asked is None or step.end is None or step.end >= asked:
            return at
    return None


def _waited(step: Step, approval: ApprovalEntry, now: datetime) -> Step:
    until = approval.resolved.instant or step.start or step.end
    wait = clamp(Times("span", approval.created.instant, until), now)
    return msgspec.structs.replace(
        step,
        approval=approval,
        waited_from=wait.start,
        waited_until=wait.end if wait.start else None,
        clamped=step.clamped or wait.clamped,
    )


def _wait_for_approval(
    approval: ApprovalEntry, detail: RunDetail, index: int, now: datetime
) -> Step:
    """Return the step of an approval that no entry answers: not decided, or just decided."""
    resolved = approval.resolved.instant
    decided = resolved is not None or approval.decision is not None
    waiting = detail.summary.status == RunStatus.WAITING_APPROVAL and not decided
    status = "waiting" if waiting else approval.decision or "not decided"
    until = None if waiting else resolved or detail.summary.updated.instant
    wait = clamp(Times("span", approval.created.instant, until), now)
    return _wait_step(index, approval.node_id, status, wait, waiting=waiting, approval=approval)


def _plain_wait(detail: RunDetail, related: RelatedRows, index: int, now: datetime) -> Step:
    """Return the step of a run that waits without an approval row: for a child or an interrupt."""
    child = next(
        (run for run in related.children if run.key.run_id == detail.pending_child_run_id), None
    )
    node = child.parent_node_id if child else None
    node = node or detail.pending_approval_node or next(iter(detail.pending_nodes), None)
    node = node or detail.summary.current_step or "?"
    since = (child.started if child else detail.summary.updated).instant
    wait = clamp(Times("span", since, None), now)
    interrupted = detail.summary.status == RunStatus.WAITING_INTERRUPT
    status = "interrupted" if interrupted else "waiting"
    return _wait_step(index, node, status, wait, waiting=True)


def _wait_step(
    index: int,
    node: str,
    status: str,
    wait: Times,
    *,
    waiting: bool,
    approval: ApprovalEntry | None = None,
) -> Step:
    return Step(
        index=index,
        node_id=node,
        visit=1,
        status=status,
        origin="waiting",
        knowledge="span" if wait.start else "unknown",
        clamped=wait.clamped,
        waiting=waiting,
        waited_from=wait.start,
        waited_until=wait.end,
        approval=approval,
    )
