"""What would put a run of an own database back, or start a new one from it: nothing is written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from zeroth_store.acting import ActRefused, check
from zeroth_store.actions import Act, Standing, Write
from zeroth_store.branching import RESTORED, before_step, forked, restored
from zeroth_store.models import Run, new_id, utc_now
from zeroth_store.outcomes import GONE
from zeroth_store.run_detail import JsonText
from zeroth_store.sqlite.acting.facts import read_standing
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.repositories import records
from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase, Row
from zeroth_store.sqlite.repositories.database import Session as Transaction
from zeroth_store.sqlite.repositories.records import Scope
from zeroth_store.sqlite.repositories.rows import (
    column_time,
    run_from_row,
    run_from_state,
    run_values,
    state_json,
)
from zeroth_store.sqlite.repositories.runs import RunRepository
from zeroth_store.status import RunStatus
from zeroth_store.summaries import RunKey, workspace_of

_AT_WRITING = ("updated_at", "checkpoint_id")


class OwnPlans:
    """The part of OwnActor that looks: how a run stands, and what restoring or forking writes."""

    def __init__(
        self,
        database: AsyncSQLiteDatabase,
        runs: RunRepository,
        *,
        may_write: bool = True,
        clock: Callable[[], datetime] = utc_now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        """Act on `runs`, which are in `database`; `ids` names new runs, threads, checkpoints."""
        self._database = database
        self._runs = runs
        self._may_write = may_write
        self._clock = clock
        self._ids = ids

    async def standing(self, key: RunKey) -> Standing | None:
        """Return what decides what may be done to a run; None when it is gone."""
        [standing] = await self.standings((key,))
        return standing

    async def standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        """Return the same of several runs, which takes a fraction of the time of each alone."""
        return await asyncio.to_thread(self._standings, keys)

    async def plan_restore(self, key: RunKey, checkpoint_id: str) -> Write:
        """Return what would put a run back to one of its checkpoints; see RunBrancher."""
        seen = await self._checked("restore", RunStatus.PENDING.value, key)
        saved = restored(await self._checkpoint(key, checkpoint_id))
        values = run_values(saved)
        columns = {name: values[name] for name in RESTORED}
        # A new checkpoint from here on: those before stay, the state left behind among them.
        columns |= {"failure_count": 0, "checkpoint_id": self._ids()}
        columns["parent_checkpoint_id"] = checkpoint_id
        return Write(act="restore", key=key, seen=seen, columns=columns, unleased=True)

    async def plan_fork(
        self,
        key: RunKey,
        *,
        checkpoint_id: str | None = None,
        step: int | None = None,
        new_thread: bool = False,
        state: JsonText | None = None,
    ) -> Write:
        """Return what would start a new run from a saved state; see RunBrancher."""
        if (checkpoint_id is None) == (step is None):
            raise ValueError("a fork starts from a checkpoint or from a step")
        seen = await self._checked("fork", None, key)
        source = await self._run(key)
        origin: dict[str, Any] = {"run_id": key.run_id}
        if checkpoint_id is not None:
            start = restored(await self._checkpoint(key, checkpoint_id))
            origin["checkpoint_id"] = checkpoint_id
        else:
            start = before_step(source, step or 0)
            origin["step"] = step
        if state is not None:
            start = restored(run_from_state(state.strip(), "the edited state"))
        scope = {"tenant_id": source.tenant_id, "workspace_id": source.workspace_id}
        thread = self._ids() if new_thread else source.thread_id
        run = forked(start.model_copy(update=scope), self._ids(), thread, origin, self._clock())
        values = run_values(run)
        columns = {name: value for name, value in values.items() if name not in _AT_WRITING}
        return Write(act="fork", key=key, seen=seen, columns=columns)

    def state_of(self, write: Write) -> JsonText:
        """Return the state that a planned fork starts from, to be edited; see RunBrancher."""
        return planned_state(write)

    def _standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        def read(connection: sqlite3.Connection, key: RunKey) -> Standing | None:
            return read_standing(connection, key, "own", may_write=self._may_write)

        with Session(self._database.location) as session:
            return tuple(session.run(partial(read, key=key)) for key in keys)

    async def _checked(self, act: Act, to: str | None, key: RunKey) -> str:
        """Return the run's status; ActRefused unless the act is offered."""
        standing = await self.standing(key)
        if standing is None:
            raise ActRefused(GONE)
        check(act, to, standing, self._clock())
        return standing.status or ""

    async def _run(self, key: RunKey) -> Run:
        run = await self._runs.get(
            key.run_id, tenant_id=key.tenant_id, workspace_id=workspace_of(key.workspace_scope)
        )
        if run is None:
            raise ActRefused(GONE)
        return run

    async def _checkpoint(self, key: RunKey, checkpoint_id: str) -> Run:
        saved = await self._runs.get_checkpoint(
            checkpoint_id, tenant_id=key.tenant_id, workspace_id=workspace_of(key.workspace_scope)
        )
        if saved is None:
            raise ActRefused(f"checkpoint {checkpoint_id} is gone")
        if saved.run_id != key.run_id:
            raise ActRefused(f"checkpoint {checkpoint_id} is of another run: {saved.run_id}")
        return saved

    async def _row(self, key: RunKey) -> Row | None:
        async with self._database.reading() as session:
            return await find_row(session, key)


async def find_row(session: Transaction, key: RunKey) -> Row | None:
    """Return the row that a key names."""
    return await records.find_run(session, key.run_id, Scope(key.tenant_id, key.workspace_scope))


def planned_state(write: Write) -> JsonText:
    """Return the state of the run that a fork makes, as a checkpoint would hold it."""
    begun = write.columns["started_at"]
    return state_json(run_from_row({**write.columns, "updated_at": begun, "checkpoint_id": None}))


def new_run(write: Write, now: datetime) -> Run:
    """Return the run that a fork makes, from the columns that were shown."""
    return run_from_row({**write.columns, "updated_at": column_time(now), "checkpoint_id": None})
