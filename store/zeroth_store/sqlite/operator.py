"""What a person does to runs of an own database from the explorer."""

from __future__ import annotations

from zeroth_store.browse import NULL_SCOPE, RunKey
from zeroth_store.errors import RunNotFound
from zeroth_store.sqlite.runs import RunRepository
from zeroth_store.status import RunStatus


class OwnRunOperator:
    """Acts on the run that a key names, comparing with what the person saw."""

    def __init__(self, runs: RunRepository) -> None:
        self._runs = runs

    async def change_status(self, key: RunKey, seen: RunStatus, new: RunStatus) -> RunStatus:
        """Move a run from `seen` to `new`; see RunOperator."""
        workspace = _workspace(key)
        await self._runs.transition(
            key.run_id,
            new,
            expected_status=seen,
            tenant_id=key.tenant_id,
            workspace_id=workspace,
        )
        run = await self._runs.get(key.run_id, tenant_id=key.tenant_id, workspace_id=workspace)
        if run is None:
            raise RunNotFound(key.run_id)
        return run.status

    async def snapshot(self, key: RunKey, seen: RunStatus) -> str:
        """Write a new checkpoint of a run; see RunOperator."""
        return await self._runs.snapshot(
            key.run_id,
            expected_status=seen,
            tenant_id=key.tenant_id,
            workspace_id=_workspace(key),
        )


def _workspace(key: RunKey) -> str | None:
    if key.workspace_scope == NULL_SCOPE:
        return None
    return key.workspace_scope.removeprefix("value:")
