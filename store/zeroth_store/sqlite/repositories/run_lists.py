"""Listing and counting runs of a deployment."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from zeroth_store.models import Run
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.rows import run_from_row
from zeroth_store.status import DEAD_LETTER, RunStatus


class RunLists(Repository):
    """The part of RunRepository that lists runs."""

    async def list_runs(
        self,
        deployment_ref: str,
        *,
        status: RunStatus | str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> list[Run]:
        """Return a deployment's runs, newest started first, of one status where given."""
        async with self._ready.reading() as session:
            rows = await session.fetch_all(
                "SELECT * FROM runs WHERE deployment_ref = :deployment"
                " AND (:status IS NULL OR status = :status)"
                " ORDER BY started_at DESC, run_id LIMIT :limit OFFSET :offset",
                {
                    "deployment": deployment_ref,
                    "status": None if status is None else str(status),
                    "limit": limit,
                    "offset": offset,
                },
            )
        return [run_from_row(row) for row in rows]

    async def list_statuses(
        self,
        deployment_refs: Sequence[str],
        statuses: Collection[RunStatus],
        *,
        tenant_id: str = "default",
    ) -> list[tuple[str, RunStatus]]:
        """Return the ids of a tenant's runs in these statuses, each with its own, oldest first.

        An index has them: it takes no longer where many other runs are stored.
        """
        async with self._ready.reading() as session:
            rows = await session.fetch_all(
                "SELECT run_id, status FROM runs WHERE tenant_id = ?"
                f" AND deployment_ref IN ({', '.join('?' * len(deployment_refs))})"
                f" AND status IN ({', '.join('?' * len(statuses))}) ORDER BY started_at, run_id",
                (tenant_id, *deployment_refs, *statuses),
            )
        return [(row["run_id"], RunStatus(row["status"])) for row in rows]

    async def list_dead_letter_runs(self, deployment_ref: str) -> list[Run]:
        """Return a deployment's runs that failed too often, last changed first."""
        async with self._ready.reading() as session:
            rows = await session.fetch_all(
                "SELECT * FROM runs WHERE deployment_ref = ? AND status = ?"
                " AND instr(failure_state, ?) > 0 ORDER BY updated_at DESC, run_id",
                (deployment_ref, RunStatus.FAILED.value, DEAD_LETTER),
            )
        runs = [run_from_row(row) for row in rows]
        return [
            run for run in runs if run.failure_state and run.failure_state.reason == DEAD_LETTER
        ]

    async def count_pending(self, deployment_ref: str) -> int:
        """Count a deployment's PENDING runs."""
        async with self._ready.reading() as session:
            row = await session.fetch_one(
                "SELECT count(*) AS pending FROM runs WHERE deployment_ref = ? AND status = ?",
                (deployment_ref, RunStatus.PENDING.value),
            )
        return 0 if row is None else int(row["pending"])
