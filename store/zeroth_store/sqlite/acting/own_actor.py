"""Acting on a run of an own database: any allowed transition, checkpoints, restore and fork."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from zeroth_store.acting import ActRefused
from zeroth_store.acting_words import holder
from zeroth_store.actions import Outcome, Write
from zeroth_store.errors import DatabaseError, RunExists, RunNotFound, StatusConflict, StoreError
from zeroth_store.outcomes import (
    GONE,
    changed_words,
    check_seen,
    refused,
    status_in,
    unread,
    written,
)
from zeroth_store.sqlite.acting.own_plans import OwnPlans, find_row, new_run
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.database import Row
from zeroth_store.sqlite.repositories.database import Session as Transaction
from zeroth_store.sqlite.repositories.rows import column_time, run_from_row
from zeroth_store.sqlite.tables import quote
from zeroth_store.status import RunStatus
from zeroth_store.summaries import Lease, RunKey, workspace_of
from zeroth_store.times import NO_MOMENT, parse_time

_NOT_OFFERED: Final = (ActRefused, StatusConflict, RunNotFound, RunExists)


class OwnActor(OwnPlans):
    """Acts on runs through the repositories; every write also makes the run's checkpoint."""

    async def write(self, write: Write) -> Outcome:
        """Write what was shown, while the run is as it was seen; see RunActor."""
        try:
            check_seen(await self.standing(write.key), write, self._clock())
            done = await self._apply(write)
        except _NOT_OFFERED as error:
            return refused(write, await self._row(write.key), _why(error))
        try:
            return await self._read_back(write, done)
        except DatabaseError as error:
            return unread(write, done.before, error)

    async def _apply(self, write: Write) -> _Done:
        match write.act:
            case "checkpoint":
                made = await self._runs.snapshot(
                    write.key.run_id,
                    expected_status=RunStatus(write.seen),
                    tenant_id=write.key.tenant_id,
                    workspace_id=workspace_of(write.key.workspace_scope),
                )
                return _Done({}, checkpoint_id=made)
            case "fork":
                run = await self._runs.create(new_run(write, self._clock()))
                return _Done({}, run=write.key._replace(run_id=run.run_id))
            case _:
                return _Done(await self._update(write))

    async def _update(self, write: Write) -> Row:
        """Change the columns that were shown, and checkpoint the result; returns the row before."""
        now = self._clock()
        async with self._database.transaction() as session:
            row = await find_row(session, write.key)
            if row is None:
                raise ActRefused(GONE)
            records.expect_status(row, RunStatus(write.seen))
            if write.unleased and (worker := holder(_lease(row), now)):
                raise ActRefused(f"{worker} holds its lease now, nothing done")
            if missing := [name for name in write.columns if name not in row]:
                raise ActRefused(f"its table runs has no column {', '.join(missing)}")
            values = {
                "checkpoint_id": row["checkpoint_id"] or self._ids(),
                **write.columns,
                "updated_at": column_time(now),
            }
            await _set(session, write, values)
            run = run_from_row(await find_row(session, write.key) or row)
            await records.write_snapshot(session, run, await records.seat_run(session, run))
        return row

    async def _read_back(self, write: Write, done: _Done) -> Outcome:
        row = await self._row(write.key)
        if done.run is None:
            return written(write, done.before, row, checkpoint_id=done.checkpoint_id)
        made = await self._row(done.run) or {}
        return Outcome(
            key=write.key,
            written=True,
            stored=status_in(row),
            after={name: made.get(name) for name in write.columns},
            run=done.run,
        )


class _Done(NamedTuple):
    """What a committed write replaced and made."""

    before: Row
    checkpoint_id: str | None = None
    run: RunKey | None = None


async def _set(session: Transaction, write: Write, values: dict[str, Any]) -> None:
    changing = ", ".join(f"{quote(name)} = ?" for name in values)
    changed = await session.execute(
        f"UPDATE runs SET {changing}"
        " WHERE tenant_id = ? AND workspace_scope = ? AND run_id = ? AND status = ?",
        (*values.values(), *write.key, write.seen),
    )
    if changed != 1:
        raise ActRefused(f"{changed} rows have this id, nothing done")


def _lease(row: Row) -> Lease:
    return Lease(row["lease_worker_id"], NO_MOMENT, parse_time(row["lease_expires_at"]))


def _why(error: StoreError) -> str:
    match error:
        case StatusConflict():
            return changed_words(error.actual)
        case RunNotFound():
            return GONE
        case _:
            return str(error)
