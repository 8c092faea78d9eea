"""Run lists by position as of a moment: from the side index alone, which knows all runs' times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NoReturn

from zeroth_store.browse import RunSummary, Window
from zeroth_store.past.browsing import PastUnknown
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.index.keeper import IndexKeeper
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.index.windows import RunWindows

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

    async def _summaries_at(self, numbers: Iterable[int]) -> dict[int, RunSummary]:
        found = await super()._summaries_at(numbers)
        shown = {number: self._then(run) for number, run in found.items()}
        return {number: run for number, run in shown.items() if run is not None}


def no_past() -> NoReturn:
    """Say that the past cannot be read."""
    raise PastUnknown(WORDS)
