"""Saving and loading runs: whole, by transition, and entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from zeroth_store.errors import InvalidTransition, RunExists, StatusConflict
from zeroth_store.models import (
    Run,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    new_id,
    utc_now,
)
from zeroth_store.sqlite import records
from zeroth_store.sqlite.checkpoints import CheckpointReading
from zeroth_store.sqlite.database import AsyncSQLiteDatabase, Row, Session
from zeroth_store.sqlite.records import Scope, scope_of
from zeroth_store.sqlite.rows import column_value, run_from_row
from zeroth_store.sqlite.run_lists import RunLists
from zeroth_store.status import DEAD_LETTER, RunStatus, check_transition


class RunRepository(CheckpointReading, RunLists):
    """Runs in an own database.

    Ids repeat across tenants and workspaces. Methods that take an id look in all scopes unless
    `tenant_id` (with `workspace_id`) says which one, and raise AmbiguousId rather than guess.
    Every write is one transaction over run, thread and checkpoint.
    """

    def __init__(
        self,
        database: AsyncSQLiteDatabase,
        *,
        clock: Callable[[], datetime] = utc_now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        """Use `database`; `clock` stamps what is written, `ids` names new checkpoints."""
        super().__init__(database)
        self._clock = clock
        self._ids = ids

    async def get(
        self, run_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> Run | None:
        """Load a run by its id, or return None if not found. Raises UnreadableRow, AmbiguousId."""
        async with self._ready.reading() as session:
            row = await records.find_run(session, run_id, scope_of(tenant_id, workspace_id))
        return None if row is None else run_from_row(row)

    async def create(self, run: Run) -> Run:
        """Save a new run with its thread and first checkpoint; returns the stored version.

        Raises RunExists and ThreadIdentityMismatch. The given run gets the checkpoint's id.
        """

        async def must_be_new(session: Session) -> None:
            if await records.find_run(session, run.run_id, records.scope_of_model(run)):
                raise RunExists(run.run_id)

        return await self._save(run, must_be_new)

    async def put(self, run: Run) -> Run:
        """Save (insert or update) a run, its thread and its checkpoint; returns it as stored.

        The checkpoint named by `run.checkpoint_id` is overwritten; without one a new checkpoint
        is made and the given run gets its id. Leases and the failure counter stay as stored.
        """

        async def anything(session: Session) -> None:
            """Let any status be overwritten: only `transition` checks."""

        return await self._save(run, anything)

    async def put_if_status(self, run: Run, expected_status: RunStatus) -> Run:
        """Save a run only while its stored status is `expected_status`; returns it as stored.

        Raises StatusConflict carrying both statuses, or RunNotFound; nothing is written then.
        """

        async def must_be_as_expected(session: Session) -> None:
            row = await records.need_run(session, run.run_id, records.scope_of_model(run))
            _expect(row, expected_status)

        return await self._save(run, must_be_as_expected)

    async def update(self, run: Run) -> Run:
        """Save changes to a stored run; RunNotFound when it is not there. Else as `put`."""

        async def must_exist(session: Session) -> None:
            await records.need_run(session, run.run_id, records.scope_of_model(run))

        return await self._save(run, must_exist)

    async def _save(self, run: Run, check: Callable[[Session], Any]) -> Run:
        saved = run.model_copy(deep=True)
        saved.updated_at = self._clock()
        saved.checkpoint_id = run.checkpoint_id or self._ids()
        async with self._ready.transaction() as session:
            await check(session)
            thread = await records.seat_run(session, saved)
            await records.save_run(session, saved)
            await records.write_snapshot(session, saved, thread)
            stored = await self._reload(session, saved)
        run.checkpoint_id, run.updated_at = saved.checkpoint_id, saved.updated_at
        return stored

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
                _expect(row, expected_status)
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
            run = run_from_row(row)
            history = [*run.execution_history, entry]
            changes = {
                "execution_history": history,
                "completed_steps": [done.node_id for done in history],
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
            results = [*run_from_row(row).condition_results, result]
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

    async def delete(
        self, run_id: str, *, tenant_id: str | None = None, workspace_id: str | None = None
    ) -> bool:
        """Remove a run, its checkpoints and its place in its thread; False when not found."""
        async with self._ready.transaction() as session:
            row = await records.find_run(session, run_id, scope_of(tenant_id, workspace_id))
            if row is None:
                return False
            scope = Scope(row["tenant_id"], row["workspace_scope"])
            where = "WHERE tenant_id = ? AND workspace_scope = ? AND run_id = ?"
            gone = await session.fetch_all(
                f"SELECT checkpoint_id FROM run_checkpoints {where}",
                (*scope, run_id),
            )
            for table in ("run_checkpoints", "runs"):
                await session.execute(f"DELETE FROM {table} {where}", (*scope, run_id))
            thread = await records.find_thread(session, row["thread_id"], scope)
            if thread is not None:
                lost = {checkpoint["checkpoint_id"] for checkpoint in gone}
                thread.checkpoint_refs = [ref for ref in thread.checkpoint_refs if ref not in lost]
                thread.run_ids = [listed for listed in thread.run_ids if listed != run_id]
                if thread.active_run_id == run_id:
                    thread.active_run_id = None
                if thread.last_run_id == run_id:
                    thread.last_run_id = next(reversed(thread.run_ids), None)
                thread.updated_at = self._clock()
                await records.save_thread(session, thread)
            return True

    async def write_checkpoint(self, run: Run) -> str:
        """Save a snapshot of the given run, list it in its thread and return the checkpoint's id.

        The run's own row is not touched. A run without `checkpoint_id` gets a new one.
        """
        saved = run.model_copy(deep=True)
        saved.updated_at = self._clock()
        saved.checkpoint_id = run.checkpoint_id or self._ids()
        async with self._ready.transaction() as session:
            thread = await records.seat_run(session, saved)
            await records.write_snapshot(session, saved, thread)
        run.checkpoint_id, run.updated_at = saved.checkpoint_id, saved.updated_at
        return saved.checkpoint_id

    async def snapshot(
        self,
        run_id: str,
        *,
        expected_status: RunStatus,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> str:
        """Write a new checkpoint of a stored run while its status is as expected; returns its id.

        Unlike the checkpoint that every save overwrites, this one stays as it is. Raises
        StatusConflict or RunNotFound; nothing is written then.
        """
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            _expect(row, expected_status)
            run = run_from_row(row)
            run.checkpoint_id, run.parent_checkpoint_id = self._ids(), run.checkpoint_id
            run.updated_at = self._clock()
            await records.write_snapshot(session, run, await records.seat_run(session, run))
            return run.checkpoint_id

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

    async def _reload(self, session: Session, run: Run) -> Run:
        scope = records.scope_of_model(run)
        return run_from_row(await records.need_run(session, run.run_id, scope))


def _listed(items: Sequence[str] | None) -> list[str] | None:
    return None if items is None else list(items)


def _expect(row: Row, expected: RunStatus) -> None:
    """Raise StatusConflict unless the row's status is exactly the expected one."""
    if row["status"] != expected.value:
        raise StatusConflict(row["run_id"], expected, row["status"])


def _known_status(row: Row, new: RunStatus) -> RunStatus:
    try:
        return RunStatus(row["status"])
    except ValueError as error:
        raise InvalidTransition(row["status"], new) from error
