"""Judging a run by its summary: the meaning of a filter, which SQL must agree with."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from zeroth_store.ascii_case import lower
from zeroth_store.browse import RunSummary
from zeroth_store.filters.moments import limit
from zeroth_store.filters.ranges import contains
from zeroth_store.filters.terms import (
    Filter,
    RangeKey,
    RangeTerm,
    RowTerm,
    State,
    StateTerm,
    TextKey,
    TextTerm,
    TextValue,
    TimeTerm,
)
from zeroth_store.status import DEAD_LETTER, LIVE, RunStatus
from zeroth_store.summaries import workspace_of

WAITING: Final = frozenset({RunStatus.WAITING_APPROVAL.value, RunStatus.WAITING_INTERRUPT.value})
"""The statuses of a run that waits."""

Verdict = Literal[True, False] | None
"""Whether a run is wanted; None when its summary does not hold what decides it."""

_MICROSECOND: Final = timedelta(microseconds=1)


def matches(wanted: Filter, summary: RunSummary, now: datetime) -> bool:
    """Say whether nothing in a summary speaks against a run that SQL has found.

    What only the database knows (`judge` returns None for it) counts as holding, and payload
    terms are not looked at.
    """
    return judge(wanted, summary, now) is not False


def judge(wanted: Filter, summary: RunSummary, now: datetime) -> Verdict:
    """Return whether a run is wanted, as far as its summary tells; payload terms aside.

    The summary is one of a list: those say too what other rows tell of the run.
    """
    return _all(_term(term, summary, now) for term in wanted.row_terms)


def _term(term: RowTerm, summary: RunSummary, now: datetime) -> Verdict:
    verdict = _positive(term, summary, now)
    return verdict if verdict is None or not term.negated else not verdict


def _positive(term: RowTerm, summary: RunSummary, now: datetime) -> Verdict:
    match term:
        case TextTerm():
            fields = text_fields(summary, term.key)
            return any(_text(value, fields) for value in term.values)
        case TimeTerm():
            return _started(term, summary, now)
        case RangeTerm():
            number = _number(summary, term.key, now)
            return number is not None and any(contains(value, number) for value in term.values)
        case StateTerm():
            return _any(_state(state, summary, now) for state in term.values)


def text_fields(summary: RunSummary, key: TextKey) -> tuple[str | None, ...]:
    """Return what a text term of a key is compared with."""
    match key:
        case "word":
            where = (summary.key.run_id, summary.thread_id, summary.graph, summary.deployment)
            return (*where, summary.status, summary.failure_reason, summary.failure_message)
        case "status":
            return (summary.status,)
        case "graph":
            return (summary.graph,)
        case "node":
            return summary.current_step, summary.failed_node
        case "thread":
            return (summary.thread_id,)
        case "tenant":
            return (summary.key.tenant_id,)
        case "workspace":
            return (workspace_of(summary.key.workspace_scope),)
        case "reason":
            return (summary.failure_reason,)
        case "id":
            return (summary.key.run_id,)
        case "parent":
            return (summary.parent_run_id,)


def _text(value: TextValue, fields: tuple[str | None, ...]) -> bool:
    if value.text is None:
        return all(field is None for field in fields)
    if value.exact:
        return value.text in fields
    needle = lower(value.text)
    return any(field is not None and needle in lower(field) for field in fields)


def _started(term: TimeTerm, summary: RunSummary, now: datetime) -> bool:
    started = summary.started.instant
    limits = [limit(term.key, value, now) for value in term.values]
    return started is not None and any(
        bound is not None and (started >= bound) == (term.key == "since") for bound in limits
    )


def _number(summary: RunSummary, key: RangeKey, now: datetime) -> float | None:
    if key == "cost":
        parts = (summary.cost.measured, summary.cost.estimated)
        known = [part for part in parts if part is not None]
        return sum(known) if known else None
    start = summary.started.instant
    end = now.astimezone(UTC) if summary.status in LIVE else summary.updated.instant
    return None if start is None or end is None else (end - start) // _MICROSECOND


def _state(state: State, summary: RunSummary, now: datetime) -> Verdict:
    match state:
        case "live":
            return summary.status in LIVE
        case "waiting":
            return summary.status in WAITING
        case "failed":
            return summary.status == RunStatus.FAILED
        case "dead-letter":
            dead = summary.failure_reason == DEAD_LETTER
            return summary.status == RunStatus.FAILED and dead
        case "child":
            return summary.parent_run_id is not None
        case "stuck":
            return _stuck(summary, now)
        case "parent" | "erased":
            return None


def _stuck(summary: RunSummary, now: datetime) -> Verdict:
    """Return whether nobody will take a run further by itself: no worker has it, nor its parent."""
    lease = summary.lease if summary.lease and summary.lease.worker_id is not None else None
    match summary.status:
        case RunStatus.WAITING_INTERRUPT:
            return True
        case RunStatus.WAITING_APPROVAL:
            return summary.approval_missing
        case RunStatus.PENDING:
            return lease is not None
        case RunStatus.RUNNING if lease is not None:
            expires = lease.expires.instant
            return expires is not None and expires <= now.astimezone(UTC)
        case RunStatus.RUNNING:
            return not summary.driven
        case _:
            return False


def _any(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return True if True in found else None if None in found else False


def _all(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return False if False in found else None if None in found else True
