"""An actor that opens the repositories when the first action is asked for, not before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from zeroth_store.actions import Outcome, Standing, Write
from zeroth_store.run_detail import JsonText
from zeroth_store.sqlite.connection.place import require_own_folder
from zeroth_store.summaries import RunKey

if TYPE_CHECKING:
    from zeroth_store.sqlite.acting.own_actor import OwnActor
    from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase


class LateActor:
    """Acts on an own database without making a viewer pay for Pydantic and aiosqlite at start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: AsyncSQLiteDatabase | None = None
        self._actor: OwnActor | None = None

    async def __aenter__(self) -> Self:
        """Do nothing yet."""
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the database, if it was opened."""
        if self._database is not None:
            await self._database.close()

    async def standing(self, key: RunKey) -> Standing | None:
        """Return what decides what may be done to a run; None when it is gone."""
        return await (await self._opened()).standing(key)

    async def standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        """Return the same of several runs, in the order of the keys."""
        return await (await self._opened()).standings(keys)

    async def write(self, write: Write) -> Outcome:
        """Write what was shown; see RunActor."""
        return await (await self._opened()).write(write)

    async def plan_restore(self, key: RunKey, checkpoint_id: str) -> Write:
        """Return what would put a run back to one of its checkpoints; see RunBrancher."""
        return await (await self._opened()).plan_restore(key, checkpoint_id)

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
        return await (await self._opened()).plan_fork(
            key, checkpoint_id=checkpoint_id, step=step, new_thread=new_thread, state=state
        )

    def state_of(self, write: Write) -> JsonText:
        """Return the state that a planned fork starts from, to be edited; see RunBrancher."""
        from zeroth_store.sqlite.acting.own_plans import planned_state

        return planned_state(write)

    async def _opened(self) -> OwnActor:
        from zeroth_store.sqlite.acting.own_actor import OwnActor
        from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
        from zeroth_store.sqlite.repositories.runs import RunRepository

        if self._actor is None:
            # Opening makes what is missing: not in a folder of others, nor where a file vanished.
            await asyncio.to_thread(require_own_folder, self._path)
            self._database = self._database or AsyncSQLiteDatabase(self._path)
            await self._database.connect()
            runs = RunRepository(self._database)
            await runs.initialize()
            self._actor = OwnActor(self._database, runs)
        return self._actor
