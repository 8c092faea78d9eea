"""What the repositories share: a database that is brought to the newest schema before first use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from zeroth_store import schema
from zeroth_store.errors import NotInitialized
from zeroth_store.models import new_id, utc_now
from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase


class Repository:
    """Base of the repositories: `initialize` once, then use."""

    def __init__(
        self,
        database: AsyncSQLiteDatabase,
        *,
        clock: Callable[[], datetime] = utc_now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        """Use `database`; `clock` stamps what is written, `ids` names what has no id yet."""
        self._database = database
        self._clock = clock
        self._ids = ids
        self._initialized = False

    async def initialize(self) -> None:
        """Bring the schema to the newest version (Alembic); any number of processes at once.

        Raises ForeignDatabase, SchemaTooNew, SchemaBroken or a DatabaseError; nothing is changed
        then. Costs one small read when the schema is current.
        """
        if not await self._is_current():
            await asyncio.to_thread(schema.upgrade, self._database.location, self._database.name)
        self._initialized = True

    async def _is_current(self) -> bool:
        async with self._database.reading() as session:
            tables = {row["name"] for row in await session.fetch_all(schema.TABLES_SQL)}
            versions = (
                await session.fetch_all(schema.VERSIONS_SQL)
                if schema.VERSION_TABLE in tables
                else []
            )
        return schema.is_current(
            tables, [row["version_num"] for row in versions], self._database.name
        )

    @property
    def _ready(self) -> AsyncSQLiteDatabase:
        """The database, once initialized."""
        if not self._initialized:
            raise NotInitialized(type(self).__name__)
        return self._database
