"""The repositories that a demo writes through, with a clock and ids that it controls."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from zeroth_store.sqlite.repositories.audit_log import AuditLog
from zeroth_store.sqlite.repositories.bulk import count_rows
from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
from zeroth_store.sqlite.repositories.runs import RunRepository
from zeroth_store.sqlite.repositories.threads import ThreadRepository


class DemoStore:
    """An own database whose every time and id follows from a seed and the demo's clock."""

    def __init__(self, database: AsyncSQLiteDatabase, *, seed: int) -> None:
        """Use a connected `database`; `seed` decides ids, order, durations and costs."""
        self.moment = datetime.min.replace(tzinfo=UTC)
        """The time that is stamped on what is written; whoever plays sets it."""
        self.random = Random(seed)  # noqa: S311 - a demo must repeat itself, nothing is secret
        """The only source of chance."""
        self._seed = seed
        self._database = database
        self.runs = RunRepository(database, clock=self._now, ids=self.new_id)
        self.threads = ThreadRepository(database, clock=self._now, ids=self.new_id)
        self.log = AuditLog(database)
        """How long each node took, and what people decided."""

    async def initialize(self) -> None:
        """Bring the schema up to date, and keep new ids apart from those of earlier demos.

        Raises what RunRepository.initialize raises.
        """
        await self.runs.initialize()
        await self.threads.initialize()
        await self.log.initialize()
        stored = await self.count_runs()
        if stored:
            self.random.seed(f"{self._seed} after {stored} runs")

    async def count_runs(self) -> int:
        """Count the runs that are stored."""
        async with self._database.reading() as session:
            return await count_rows(session, "runs")

    def new_id(self) -> str:
        """Return a fresh id: 32 hexadecimal digits."""
        return f"{self.random.getrandbits(128):032x}"

    def vary(self, typical: float) -> float:
        """Return a value near the typical one."""
        return typical * self.random.uniform(0.8, 1.3)

    def _now(self) -> datetime:
        return self.moment
