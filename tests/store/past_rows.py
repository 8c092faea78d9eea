"""Rows of other tables, with only the times that a test of the past cares about."""

from __future__ import annotations

from tests.views.build import key, moment
from zeroth_store.browse import ApprovalEntry, CheckpointSummary, OperationEntry


def approval(name: str, asked: float | None, decided: float | None) -> ApprovalEntry:
    return ApprovalEntry(
        approval_id=name,
        node_id="gate",
        status="pending" if decided is None else "resolved",
        created=moment(asked),
        updated=moment(asked if decided is None else decided),
        decision=None if decided is None else "approve",
        actor=None if decided is None else "olga",
        resolved=moment(decided),
    )


def operation(name: str, made: float | None, written: float | None) -> OperationEntry:
    return OperationEntry(
        operation_key=name,
        target="mail",
        state="COMPLETED",
        attempt=1,
        created=moment(made),
        updated=moment(written),
    )


def checkpoint(name: str, made: float | None, written: float | None) -> CheckpointSummary:
    return CheckpointSummary(
        checkpoint_id=name,
        run_id=key().run_id,
        thread_id="t1",
        position=None,
        stored_order=0,
        created=moment(made),
        size=7,
        kind="state",
        updated=moment(written),
    )
