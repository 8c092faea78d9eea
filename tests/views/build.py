"""Builders of read models for the run view tests: only what a test cares about is spelled out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from zeroth_store.browse import (
    AuditEntry,
    ConditionEntry,
    HistoryEntry,
    Lease,
    RunDetail,
    RunKey,
    RunSummary,
)
from zeroth_store.times import NO_MOMENT, Moment
from zeroth_tui.line import Line, Row

RUN = "0123456789abcdef0123456789abcdef"
BASE = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
NOW = BASE + timedelta(hours=1)


def at(seconds: float) -> datetime:
    """Return the moment so many seconds after the run's start."""
    return BASE + timedelta(seconds=seconds)


def moment(seconds: float | datetime | None) -> Moment:
    """Return a stored moment: seconds after the run's start, or any instant."""
    if seconds is None:
        return NO_MOMENT
    instant = seconds if isinstance(seconds, datetime) else at(seconds)
    return Moment(instant, instant.isoformat())


def key(run_id: str = RUN) -> RunKey:
    return RunKey("default", "null", run_id)


def summary(
    status: str | None = "COMPLETED",
    *,
    run_id: str = RUN,
    started: float | datetime | None = 0,
    updated: float | datetime | None = 10,
    lease: Lease | None = None,
    parent: str | None = None,
    parent_node: str | None = None,
    failed_node: str | None = None,
    failure_count: int | None = None,
    current_step: str | None = None,
) -> RunSummary:
    return RunSummary(
        key=key(run_id),
        status=status,
        thread_id="t1",
        graph="triage@3",
        deployment="triage",
        workflow="triage",
        started=moment(started),
        updated=moment(updated),
        lease=lease,
        parent_run_id=parent,
        parent_node_id=parent_node,
        failed_node=failed_node,
        failure_count=failure_count,
        current_step=current_step,
    )


def entry(
    index: int,
    node: str,
    started: float | datetime | None = None,
    completed: float | datetime | None = None,
    *,
    status: str | None = "completed",
    attempt: int | None = 1,
    audit: str | None = None,
    given: str | None = None,
) -> HistoryEntry:
    return HistoryEntry(
        index=index,
        node_id=node,
        status=status,
        attempt=attempt,
        started=moment(started),
        completed=moment(completed),
        audit_ref=audit,
        input=given,
    )


def audit(
    ref: str,
    node: str,
    started: float | datetime | None,
    completed: float | datetime | None,
    *,
    status: str = "completed",
    branch: str | None = None,
) -> AuditEntry:
    return AuditEntry(
        audit_id=ref if ":" in ref and not ref.startswith("audit:") else f"{RUN}:{ref}",
        node_id=node,
        status=status,
        attempt=1,
        started=moment(started),
        completed=moment(completed),
        created=moment(completed),
        branch_id=branch,
    )


def edge(
    index: int,
    source: str | None,
    name: str,
    target: str | None,
    *,
    matched: bool | None = True,
    rule: str | None = "expression",
    expression: str | None = "payload.x > 1",
    value: object = True,
    operands: list[str] | None = None,
    suppressed: str | None = None,
) -> ConditionEntry:
    return ConditionEntry(
        index=index,
        condition_id=name,
        edge_id=name,
        source=source,
        target=target,
        rule=rule,
        expression=expression,
        value=json.dumps(value),
        operands=json.dumps(operands or []),
        matched=matched,
        selected_edge_id=name if matched else None,
        suppression_reason=suppressed,
        evaluated=moment(1),
    )


def detail(
    history: Iterable[HistoryEntry] = (),
    conditions: Iterable[ConditionEntry] = (),
    *,
    run: RunSummary | None = None,
) -> RunDetail:
    return RunDetail(
        summary=run or summary(),
        columns=(),
        history=tuple(history),
        conditions=tuple(conditions),
    )


def words(line: Line) -> str:
    """Return a line's text."""
    return "".join(piece.text for piece in line)


def texts(rows: Iterable[Row]) -> list[str]:
    """Return the text of rows, without the spaces at their ends."""
    return [words(row.line).rstrip() for row in rows]
