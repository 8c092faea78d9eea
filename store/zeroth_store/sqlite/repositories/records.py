"""The statements that runs, threads and checkpoints share, each inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from zeroth_store.errors import (
    AmbiguousId,
    RunNotFound,
    StatusConflict,
    ThreadIdentityMismatch,
    ThreadNotFound,
)
from zeroth_store.models import Run, Thread
from zeroth_store.sqlite.repositories.database import Row, Session
from zeroth_store.sqlite.repositories.rows import (
    column_time,
    run_values,
    state_json,
    thread_from_row,
    thread_values,
)
from zeroth_store.status import RunStatus
from zeroth_store.summaries import workspace_scope

_KEY_OF_RUN = ("tenant_id", "workspace_scope", "run_id")
_KEY_OF_THREAD = ("tenant_id", "workspace_scope", "thread_id")


class Scope(NamedTuple):
    """Where ids are unique: a tenant's workspace, or a tenant outside any workspace."""

    tenant_id: str
    workspace_scope: str


def scope_of(tenant_id: str | None, workspace_id: str | None) -> Scope | None:
    """Return the scope that a caller named, or None when it named none.

    A workspace without a tenant is the default tenant's, as in a model.
    """
    if tenant_id is None and workspace_id is None:
        return None
    return Scope("default" if tenant_id is None else tenant_id, workspace_scope(workspace_id))


def scope_of_model(model: Run | Thread) -> Scope:
    """Return the scope that a run or thread belongs to."""
    return Scope(model.tenant_id, workspace_scope(model.workspace_id))


async def find_run(session: Session, run_id: str, scope: Scope | None) -> Row | None:
    """Return a run's row. Raises AmbiguousId when no scope is given and several hold the id."""
    return await _find(session, "run", "runs", "run_id", run_id, scope)


async def need_run(session: Session, run_id: str, scope: Scope | None) -> Row:
    """Return a run's row; RunNotFound when there is none."""
    row = await find_run(session, run_id, scope)
    if row is None:
        raise RunNotFound(run_id)
    return row


def expect_status(row: Row, expected: RunStatus) -> None:
    """Raise StatusConflict unless the run's stored status is exactly the expected one."""
    if row["status"] != expected.value:
        raise StatusConflict(row["run_id"], expected, row["status"])


async def find_thread(session: Session, thread_id: str, scope: Scope | None) -> Thread | None:
    """Return a thread. Raises AmbiguousId when no scope is given and several hold the id."""
    row = await _find(session, "thread", "threads", "thread_id", thread_id, scope)
    return None if row is None else thread_from_row(row)


async def need_thread(session: Session, thread_id: str, scope: Scope | None) -> Thread:
    """Return a thread; ThreadNotFound when there is none."""
    thread = await find_thread(session, thread_id, scope)
    if thread is None:
        raise ThreadNotFound(thread_id)
    return thread


async def find_checkpoint(session: Session, checkpoint_id: str, scope: Scope | None) -> Row | None:
    """Return a checkpoint's row. Raises AmbiguousId."""
    return await _find(
        session, "checkpoint", "run_checkpoints", "checkpoint_id", checkpoint_id, scope
    )


async def _find(
    session: Session, kind: str, table: str, column: str, identity: str, scope: Scope | None
) -> Row | None:
    sql = f"SELECT * FROM {table} WHERE {column} = ?"
    if scope is not None:
        return await session.fetch_one(
            f"{sql} AND tenant_id = ? AND workspace_scope = ?", (identity, *scope)
        )
    rows = await session.fetch_all(sql, (identity,))
    if len(rows) > 1:
        raise AmbiguousId(kind, identity, len(rows))
    return rows[0] if rows else None


async def save_run(session: Session, run: Run) -> None:
    """Insert a run or overwrite the columns that a Run carries; leases and counters stay."""
    await _upsert(session, "runs", run_values(run), _KEY_OF_RUN, keep=())


async def save_thread(session: Session, thread: Thread) -> None:
    """Insert a thread or overwrite it; `created_at` stays."""
    await _upsert(session, "threads", thread_values(thread), _KEY_OF_THREAD, keep=("created_at",))


async def _upsert(
    session: Session,
    table: str,
    values: dict[str, Any],
    key: tuple[str, ...],
    *,
    keep: tuple[str, ...],
) -> None:
    changing = ", ".join(f"{n} = excluded.{n}" for n in values if n not in key and n not in keep)
    await session.execute(
        f"INSERT INTO {table} ({', '.join(values)})"
        f" VALUES ({', '.join(f':{name}' for name in values)})"
        f" ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changing}",
        values,
    )


async def seat_run(session: Session, run: Run) -> Thread:
    """Make the run its thread's last one, creating the thread when absent; returns the thread.

    Raises ThreadIdentityMismatch when the id is taken by a thread of another scope, or the run is
    stored under another thread.
    """
    scope = scope_of_model(run)
    stored = await find_run(session, run.run_id, scope)
    if stored is not None and stored["thread_id"] != run.thread_id:
        raise ThreadIdentityMismatch(
            run.thread_id, f"is not the thread of run {run.run_id!r}: {stored['thread_id']!r} is"
        )
    thread = await find_thread(session, run.thread_id, scope)
    if thread is None:
        await _refuse_taken_id(session, run)
        thread = Thread(
            thread_id=run.thread_id,
            graph_version_ref=run.graph_version_ref,
            deployment_ref=run.deployment_ref,
            tenant_id=run.tenant_id,
            workspace_id=run.workspace_id,
            created_at=run.updated_at,
        )
    thread.run_ids = merged(thread.run_ids, (run.run_id,))
    thread.last_run_id = run.run_id
    thread.updated_at = run.updated_at
    return thread


async def _refuse_taken_id(session: Session, run: Run) -> None:
    """Keep a run from opening, by accident, a thread whose id another tenant already uses."""
    taken = await session.fetch_all(
        "SELECT tenant_id, workspace_id FROM threads WHERE thread_id = ?", (run.thread_id,)
    )
    if taken:
        raise ThreadIdentityMismatch(
            run.thread_id,
            f"belongs to tenant {taken[0]['tenant_id']!r}, workspace {taken[0]['workspace_id']!r};"
            " create it in this scope first if that is meant",
        )


async def write_snapshot(session: Session, run: Run, thread: Thread) -> None:
    """Save the run's state under `run.checkpoint_id`, list it in the thread, save the thread.

    A checkpoint of the same id is overwritten and keeps its time of creation. Its order is the
    number of checkpoints that the thread listed before.
    """
    values = {
        "checkpoint_id": run.checkpoint_id,
        "run_id": run.run_id,
        "thread_id": run.thread_id,
        "checkpoint_order": len(thread.checkpoint_refs),
        "state_json": state_json(run),
        "created_at": column_time(run.updated_at),
        "tenant_id": run.tenant_id,
        "workspace_id": run.workspace_id,
        "workspace_scope": workspace_scope(run.workspace_id),
    }
    key = ("tenant_id", "workspace_scope", "checkpoint_id")
    await _upsert(session, "run_checkpoints", values, key, keep=("created_at",))
    if run.checkpoint_id is not None:
        thread.checkpoint_refs = merged(thread.checkpoint_refs, (run.checkpoint_id,))
    await save_thread(session, thread)


def merged(existing: list[Any], new: Iterable[Any] | None) -> list[Any]:
    """Return `existing` followed by what is new in `new`, in order, without repeats."""
    result = list(existing)
    for item in new or ():
        if item not in result:
            result.append(item)
    return result
