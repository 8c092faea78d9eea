"""What other tables said of a run at a moment: audits, approvals, side effects, checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from zeroth_store.past.knowing import after
from zeroth_store.past.life import NO_LIFE, Lives, recorded_audit, resolved
from zeroth_store.past.runs import summary_at
from zeroth_store.run_detail import (
    ApprovalEntry,
    CheckpointSummary,
    OperationEntry,
    RelatedRows,
)
from zeroth_store.summaries import RunSummary
from zeroth_store.times import NO_MOMENT


def related_at(related: RelatedRows, at: datetime, lives: Lives) -> RelatedRows:
    """Return what other tables said at a moment. An audit is written when its node is done."""
    parent = None if related.parent is None else _run(related.parent, at, lives)
    return RelatedRows(
        audits=tuple(one for one in related.audits if not after(recorded_audit(one), at)),
        approvals=tuple(
            _approval(one, at) for one in related.approvals if not after(one.created, at)
        ),
        operations=tuple(
            _operation(one, at) for one in related.operations if not after(one.created, at)
        ),
        parent=parent,
        children=runs_at(related.children, at, lives),
    )


def runs_at(runs: Iterable[RunSummary], at: datetime, lives: Lives) -> tuple[RunSummary, ...]:
    """Return those of some runs that were there, as they were."""
    found = (_run(run, at, lives) for run in runs)
    return tuple(run for run in found if run is not None)


def checkpoints_at(
    checkpoints: Iterable[CheckpointSummary], at: datetime
) -> tuple[CheckpointSummary, ...]:
    """Return the checkpoints that were there; what one held that was written again is gone."""
    return tuple(
        _written_over(one) if after(one.saved, at) else one
        for one in checkpoints
        if not after(one.created, at)
    )


def _run(run: RunSummary, at: datetime, lives: Lives) -> RunSummary | None:
    return summary_at(run, at, lives.get(run.key, NO_LIFE))


def _written_over(checkpoint: CheckpointSummary) -> CheckpointSummary:
    return msgspec.structs.replace(
        checkpoint, kind="gone", size=0, status=None, steps=None, updated=NO_MOMENT
    )


def _approval(approval: ApprovalEntry, at: datetime) -> ApprovalEntry:
    """Return an approval without a decision that came later."""
    if not after(resolved(approval), at):
        return approval
    return msgspec.structs.replace(
        approval,
        status="pending",
        decision=None,
        actor=None,
        resolved=NO_MOMENT,
        edited=False,
        updated=approval.created,
    )


def _operation(operation: OperationEntry, at: datetime) -> OperationEntry:
    """Return a side effect whose state is not known where it was written later."""
    if not after(operation.updated, at):
        return operation
    return msgspec.structs.replace(
        operation, state=None, error=None, ambiguity=None, updated=NO_MOMENT
    )
