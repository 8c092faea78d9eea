"""Changing a stored run in place: by transition, entry by entry, failure by failure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroth_store.errors import InvalidTransition, StatusConflict
from zeroth_store.models import Run, RunConditionResult, RunFailureState, RunHistoryEntry
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.database import Row, Session
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.records import Scope, scope_of
from zeroth_store.sqlite.repositories.rows import column_value, run_from_row, stored_list
from zeroth_store.status import DEAD_LETTER, RunStatus, check_transition


class RunChanges(Repository):
    """The part of RunRepository that writes single columns and leaves all others as stored."""

    async def transition(
        self,
        run_id: str,
        new_status: RunStatus,
        *,
        expected_status: RunStatus | None = None,
        current_node_ids: Sequence[str] | None = None,
        pending_node_ids: Sequence[str] | None = None,
        current_step: str | None = None,
        completed_steps: Sequence[str] | None = None,
        final_output: object | None = None,
        failure_state: RunFailureState | None = None,
        audit_refs: Sequence[str] | None = None,
        error: str | None = None,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> Run:
        """Change a run's status, and the fields given, where ALLOWED_TRANSITIONS permits it.

        `expected_status` makes it compare-and-set: StatusConflict when the stored one differs.
        Leaving FAILED clears the failure. Raises RunNotFound, InvalidTransition, AmbiguousId.
        """
        changes: dict[str, Any] = {
            "current_node_ids": _listed(current_node_ids),
            "pending_node_ids": _listed(pending_node_ids),
            "completed_steps": _listed(completed_steps),
            "audit_refs": _listed(audit_refs),
            "final_output": final_output,
            "failure_state": failure_state,
            "error": error,
            "current_step": current_step,
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        if current_node_ids is not None and current_step is None:
            changes["current_step"] = next(iter(current_node_ids), None)
        if failure_state is not None and error is None:
            changes["error"] = failure_state.message or failure_state.reason

        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            if expected_status is not None:
                records.expect_status(row, expected_status)
            current = _known_status(row, new_status)
            check_transition(current, new_status)
            if current is RunStatus.FAILED and new_status is RunStatus.PENDING:
                changes = {"failure_state": None, "error": None, "failure_count": 0, **changes}
            return await self._change(session, row, {**changes, "status": new_status})

    async def record_history(
        self,
        run_id: str,
        entry: RunHistoryEntry,
        *,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> Run:
        """Append one node execution to a run's history; RunNotFound when there is no such run."""
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            changes = {
                "execution_history": [*stored_list(row, "execution_history"), entry],
                "completed_steps": [*run_from_row(row).completed_steps, entry.node_id],
            }
            return await self._change(session, row, changes)

    async def record_condition_result(
        self,
        run_id: str,
        result: RunConditionResult,
        *,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> Run:
        """Append one branching decision to a run; RunNotFound when there is no such run."""
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            results = [*stored_list(row, "condition_results"), result]
            return await self._change(session, row, {"condition_results": results})

    async def increment_failure_count(
        self,
        run_id: str,
        *,
        max_failure_count: int | None = None,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> int:
        """Count one more failure of a run and return the count.

        When `max_failure_count` is given and reached, the run becomes a dead letter: FAILED with
        reason `dead_letter`. Raises RunNotFound.
        """
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            count = int(row["failure_count"]) + 1
            changes: dict[str, Any] = {"failure_count": count}
            if max_failure_count is not None and count >= max_failure_count:
                failure = self._dead_letter(count)
                changes |= {
                    "status": RunStatus.FAILED,
                    "failure_state": failure,
                    "error": failure.message,
                }
            await self._change(session, row, changes)
            return count

    def _dead_letter(self, failures: int) -> RunFailureState:
        return RunFailureState(
            reason=DEAD_LETTER,
            message=f"run failed {failures} times and was dead-lettered",
            details={"failure_count": failures, "dead_lettered_at": self._clock().isoformat()},
        )

    async def _change(self, session: Session, row: Row, changes: dict[str, Any]) -> Run:
        """Write just these columns of a row as it was read, and checkpoint the result."""
        values = {
            **{name: column_value(name, value) for name, value in changes.items()},
            "updated_at": column_value("updated_at", self._clock()),
            "checkpoint_id": row["checkpoint_id"] or self._ids(),
        }
        changed = await session.execute(
            f"UPDATE runs SET {', '.join(f'{name} = :{name}' for name in values)}"
            " WHERE tenant_id = :_tenant AND workspace_scope = :_scope AND run_id = :_run"
            " AND status IS :_seen",
            {
                **values,
                "_tenant": row["tenant_id"],
                "_scope": row["workspace_scope"],
                "_run": row["run_id"],
                "_seen": row["status"],
            },
        )
        if changed != 1:
            raise StatusConflict(row["run_id"], row["status"], "another, changed by a trigger")
        scope = Scope(row["tenant_id"], row["workspace_scope"])
        run = run_from_row(await records.need_run(session, row["run_id"], scope))
        await records.write_snapshot(session, run, await records.seat_run(session, run))
        return run


def _listed(items: Sequence[str] | None) -> list[str] | None:
    return None if items is None else list(items)


def _known_status(row: Row, new: RunStatus) -> RunStatus:
    try:
        return RunStatus(row["status"])
    except ValueError as error:
        raise InvalidTransition(row["status"], new) from error
