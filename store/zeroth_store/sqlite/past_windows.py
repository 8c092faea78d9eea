"""Run lists by position as of a moment: from the side index alone, which knows all runs' times."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NoReturn

from zeroth_store.browse import RunQuery, RunSummary, Window
from zeroth_store.past.browsing import PastUnknown
from zeroth_store.sqlite.index_hits import Found, fits
from zeroth_store.sqlite.index_keeper import IndexKeeper
from zeroth_store.sqlite.index_source import summaries_at
from zeroth_store.sqlite.index_thread import IndexThread
from zeroth_store.sqlite.index_windows import RunWindows
from zeroth_store.sqlite.reader import ReadConnection

Shown = Callable[[RunSummary], RunSummary | None]
"""A run as it was; None where it was not there."""

WORDS = "The past cannot be read without the side index, which is being made or cannot be written"
"""Why there is no past."""


class PastWindows(RunWindows):
    """Answers for lists as they were."""

    def __init__(
        self,
        reader: ReadConnection,
        index: IndexThread,
        keeper: IndexKeeper,
        clock: Callable[[], datetime],
        then: Shown,
    ) -> None:
        """Show runs as `then` says they were at the moment of `clock`."""
        super().__init__(reader, index, keeper, clock)
        self._then = then

    async def _stored_window(self, *_: object) -> Window:
        no_past()

    async def _stored_position(self, *_: object) -> int | None:
        no_past()

    async def _judged(self, found: Found, query: RunQuery, now: datetime) -> array[int]:
        """Return what was found, without those that their summaries then speak against."""
        judged = await self._then_at(found.doubtful)
        doubtful = frozenset(found.doubtful)
        kept = (
            number
            for number in found.numbers
            if number not in doubtful or (number in judged and fits(query, judged[number], now))
        )
        return array("q", kept)

    async def _summaries(self, numbers: Iterable[int]) -> tuple[RunSummary, ...]:
        wanted = tuple(numbers)
        found = await self._then_at(wanted)
        return tuple(found[number] for number in wanted if number in found)

    async def _then_at(self, numbers: Iterable[int]) -> dict[int, RunSummary]:
        found = await self._reader.run(summaries_at, numbers)
        shown = {number: self._then(run) for number, run in found.items()}
        return {number: run for number, run in shown.items() if run is not None}


def no_past() -> NoReturn:
    """Say that the past cannot be read."""
    raise PastUnknown(WORDS)
