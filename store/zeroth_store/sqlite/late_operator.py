"""An operator that opens the repositories when the first action is taken, not before."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from zeroth_store.browse import RunKey
from zeroth_store.status import RunStatus

if TYPE_CHECKING:
    from zeroth_store.sqlite.database import AsyncSQLiteDatabase
    from zeroth_store.sqlite.operator import OwnRunOperator


class LateRunOperator:
    """Acts on an own database without making a viewer pay for Pydantic and aiosqlite at start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: AsyncSQLiteDatabase | None = None
        self._operator: OwnRunOperator | None = None

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

    async def change_status(self, key: RunKey, seen: RunStatus, new: RunStatus) -> RunStatus:
        """Move a run from `seen` to `new`; see RunOperator."""
        return await (await self._opened()).change_status(key, seen, new)

    async def snapshot(self, key: RunKey, seen: RunStatus) -> str:
        """Write a new checkpoint of a run; see RunOperator."""
        return await (await self._opened()).snapshot(key, seen)

    async def _opened(self) -> OwnRunOperator:
        from zeroth_store.sqlite.database import AsyncSQLiteDatabase
        from zeroth_store.sqlite.operator import OwnRunOperator
        from zeroth_store.sqlite.runs import RunRepository

        if self._operator is None:
            self._database = self._database or AsyncSQLiteDatabase(self._path)
            await self._database.connect()
            runs = RunRepository(self._database)
            await runs.initialize()
            self._operator = OwnRunOperator(runs)
        return self._operator
