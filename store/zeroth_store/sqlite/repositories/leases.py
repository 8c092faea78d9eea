"""A worker's claim on a run: held for some time, renewed, given back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.records import scope_of
from zeroth_store.sqlite.repositories.rows import column_time

_OF_RUN = "WHERE tenant_id = :tenant AND workspace_scope = :scope AND run_id = :run"


class Leases(Repository):
    """The part of RunRepository that workers use to keep others off their run."""

    _clock: Callable[[], datetime]

    async def hold_lease(
        self,
        run_id: str,
        worker_id: str,
        *,
        seconds: float = 60.0,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> bool:
        """Claim a run for `worker_id`, or renew its claim; False while another worker holds it.

        A new claim raises `lease_generation`. Raises RunNotFound.
        """
        now = self._clock()
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            values = {
                "tenant": row["tenant_id"],
                "scope": row["workspace_scope"],
                "run": run_id,
                "worker": worker_id,
                "now": column_time(now),
                "until": column_time(now + timedelta(seconds=seconds)),
            }
            renewed = await session.execute(
                "UPDATE runs SET lease_expires_at = :until"
                f" {_OF_RUN} AND lease_worker_id = :worker",
                values,
            )
            claimed = renewed or await session.execute(
                "UPDATE runs SET lease_worker_id = :worker, lease_acquired_at = :now,"
                " lease_expires_at = :until, lease_generation = lease_generation + 1"
                f" {_OF_RUN} AND (lease_worker_id IS NULL OR lease_expires_at <= :now)",
                values,
            )
        return claimed == 1

    async def release_lease(
        self,
        run_id: str,
        worker_id: str,
        *,
        tenant_id: str | None = None,
        workspace_id: str | None = None,
    ) -> None:
        """Give a run back, if `worker_id` holds it. Raises RunNotFound."""
        async with self._ready.transaction() as session:
            row = await records.need_run(session, run_id, scope_of(tenant_id, workspace_id))
            await session.execute(
                "UPDATE runs SET lease_worker_id = NULL, lease_acquired_at = NULL,"
                f" lease_expires_at = NULL {_OF_RUN} AND lease_worker_id = :worker",
                {
                    "tenant": row["tenant_id"],
                    "scope": row["workspace_scope"],
                    "run": run_id,
                    "worker": worker_id,
                },
            )
