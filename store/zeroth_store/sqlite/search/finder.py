"""The part of the SQLite browser that answers while somebody types, and its choice of source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from zeroth_store.browse import RunSummary, ThreadSummary
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.index.keeper import IndexKeeper
from zeroth_store.sqlite.index.thread import IndexLost, IndexThread

if TYPE_CHECKING:
    from zeroth_store.filters.terms import TextKey

T = TypeVar("T")


class SQLiteRunFinder:
    """A RunFinder over a database and its side index, which a browser opens and closes."""

    _reader: ReadConnection
    _index: IndexThread
    _keeper: IndexKeeper

    async def values(self, key: TextKey, typed: str, *, limit: int = 20) -> tuple[str, ...]:
        """Return values of a filter's key that newer runs have, to complete what was typed."""
        # Filters are loaded when somebody types one, not before the first rows are on screen.
        from zeroth_store.sqlite.search import values

        if key == "word" or limit < 1:
            return ()
        return await self._indexed(
            lambda: values.kept_values(self._index, key, typed, limit),
            lambda: values.stored_values(self._reader, key, typed, limit),
        )

    async def find(self, text: str, *, limit: int = 20) -> tuple[RunSummary | ThreadSummary, ...]:
        """Return runs and threads by id or graph, the best first."""
        from zeroth_store.sqlite.search import lookup

        if not text or limit < 1 or bind(text) is None:
            return ()
        return await self._indexed(
            lambda: lookup.find_kept(self._reader, self._index, text, limit),
            lambda: lookup.find_stored(self._reader, text, limit),
        )

    async def _indexed(
        self, kept: Callable[[], Awaitable[T]], stored: Callable[[], Awaitable[T]]
    ) -> T:
        """Return the index's answer, or the database's own while there is no index."""
        if self._keeper.ready:
            try:
                return await kept()
            except IndexLost:
                self._keeper.lost()
        return await stored()
