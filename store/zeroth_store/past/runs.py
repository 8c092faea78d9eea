"""A run as of a moment: what was not known then is left out, and nothing is made up."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from zeroth_store.past.knowing import after, moment_of, until
from zeroth_store.past.life import NO_LIFE, Life, Work, recorded
from zeroth_store.run_detail import HistoryEntry, RunDetail
from zeroth_store.status import RunStatus
from zeroth_store.summaries import Cost, Lease, RunSummary
from zeroth_store.times import NO_MOMENT

UNTOLD: Final = Lease("(not recorded)", NO_MOMENT, NO_MOMENT)
"""The lease of a run that was at work: somebody had it, and who and until when is not stored."""

_LASTING: Final = frozenset(
    {
        *("run_id", "tenant_id", "workspace_id", "workspace_scope", "thread_id", "workflow_name"),
        *("graph_version_ref", "deployment_ref", "started_at", "submitted_by"),
    }
)
"""The columns that hold from a run's start on what they hold now."""


def is_settled(run: RunSummary, at: datetime) -> bool:
    """Whether a run's row was written last by then, so that it was as it is now."""
    return not after(run.updated, at)


def summary_at(run: RunSummary, at: datetime, life: Life = NO_LIFE) -> RunSummary | None:
    """Return a run as a list showed it at a moment; None before it was there.

    One whose start cannot be read was always there, and one whose last write cannot be read was
    always as it is.
    """
    if after(run.started, at):
        return None
    if is_settled(run, at):
        return _with_lease_of_then(run, at)
    status = life.status(at)
    return msgspec.structs.replace(
        run,
        status=status,
        updated=NO_MOMENT,
        current_step=None,
        failure_reason=None,
        failure_message=None,
        failed_node=None,
        lease=UNTOLD if status == RunStatus.RUNNING else None,
        failure_count=None,
        cost=Cost(),
        driven=False,
        approval_missing=False,
    )


def detail_at(detail: RunDetail, at: datetime, life: Life) -> RunDetail | None:
    """Return a run whole as it was at a moment; None before it was there.

    A node that was at work then is the one in flight; others beside it, in parallel branches, are
    entries of the history that have no end.
    """
    summary = summary_at(detail.summary, at, life)
    if summary is None:
        return None
    if is_settled(detail.summary, at):
        return msgspec.structs.replace(detail, summary=summary)
    entries = {entry.index: entry for entry in detail.history}
    works = life.at_work(at) if summary.status == RunStatus.RUNNING else ()
    history = until(detail.history, recorded, at)
    done = {entry.index for entry in history}
    beside = [
        _begun(entries[work.entry], work)
        for work in works[1:]
        if work.entry is not None and work.entry not in done
    ]
    kept = tuple(cell for cell in detail.columns if cell[0] in _LASTING)
    at_work = works[0] if works else None
    if at_work is not None:
        summary = msgspec.structs.replace(summary, updated=moment_of(at_work.start))
    return RunDetail(
        summary=summary,
        columns=kept,
        history=tuple(sorted((*history, *beside), key=lambda entry: entry.index)),
        conditions=until(detail.conditions, lambda entry: entry.evaluated, at),
        initial_input=detail.initial_input,
        in_flight_node=None if at_work is None else at_work.node_id,
        in_flight_input=None if at_work is None else _input(entries, at_work),
        submitted_by=detail.submitted_by,
        erased=detail.erased,
        problems=tuple(one for one in detail.problems if one.column in dict(kept)),
    )


def _begun(entry: HistoryEntry, work: Work) -> HistoryEntry:
    """Return what could be said of an entry while its node was at work."""
    return HistoryEntry(
        index=entry.index,
        node_id=entry.node_id,
        status="running",
        attempt=entry.attempt,
        started=moment_of(work.start),
        completed=NO_MOMENT,
        audit_ref=entry.audit_ref,
        input=entry.input,
    )


def _input(entries: dict[int, HistoryEntry], work: Work) -> str | None:
    return None if work.entry is None else entries[work.entry].input


def _with_lease_of_then(run: RunSummary, at: datetime) -> RunSummary:
    """Return a run without a lease that was only taken later."""
    if run.lease is None or not after(run.lease.acquired, at):
        return run
    lease = UNTOLD if run.status == RunStatus.RUNNING else None
    return msgspec.structs.replace(run, lease=lease)
