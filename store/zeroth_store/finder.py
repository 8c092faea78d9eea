"""Finding by what a person types: values for a filter, names of runs and threads, payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zeroth_store.payloads import SearchPage
from zeroth_store.summaries import RunSummary, ThreadSummary

if TYPE_CHECKING:
    from zeroth_store.browse import RunQuery  # which needs this module
    from zeroth_store.filters.terms import TextKey  # which needs the read side


class RunFinder(Protocol):
    """The part of a RunBrowser that answers while somebody types."""

    async def values(self, key: TextKey, typed: str, *, limit: int = 20) -> tuple[str, ...]:
        """Return values of a filter's key that newer runs have, to complete what was typed.

        Those that start with it come before those that only contain it, in any ASCII case; among
        them the most frequent first, of ids and threads the newest. They are as stored.
        """
        ...

    async def find(self, text: str, *, limit: int = 20) -> tuple[RunSummary | ThreadSummary, ...]:
        """Return runs and threads by id or graph, the best first.

        Best is the exact id, then an id that starts with the text, one that contains it, and a
        graph that contains it, in any ASCII case; among equals the newest. Ids that start with it
        exactly are found in the whole database, the others as far as a quick look goes.
        """
        ...

    async def search(self, query: RunQuery, *, after: int | None = None) -> SearchPage:
        """Search payloads too, newest created first: one short read, which looks at some runs."""
        ...
