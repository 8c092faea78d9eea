"""Searching payloads: page after page, with how far it has come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from zeroth_store.browse import Hit, RunBrowser, RunQuery
from zeroth_tui.format import count
from zeroth_tui.views.flat_runs import FlatRuns

MOST_HITS: Final = 2_000
"""A search that has found so many runs stops."""


class Search(msgspec.Struct, frozen=True):
    """What a search has found so far."""

    hits: tuple[Hit, ...] = ()
    scanned: int = 0
    done: bool = False

    @property
    def full(self) -> bool:
        """Whether it stopped because it had found enough."""
        return len(self.hits) >= MOST_HITS

    @property
    def runs(self) -> FlatRuns:
        """The runs that were found, newest first."""
        runs = {at: hit.run for at, hit in enumerate(self.hits)}
        return FlatRuns(total=len(runs), exact=self.done, runs=runs)

    def words(self, total: int | None) -> str:
        """Say how far it is, of about `total` runs."""
        of_all = "" if total is None else f" of {count(max(total, self.scanned))}"
        hits = f"{count(len(self.hits))} {'hit' if len(self.hits) == 1 else 'hits'}"
        if self.full:
            return f"the first {hits}, scanned {count(self.scanned)}{of_all}"
        return f"{'searched' if self.done else 'scanned'} {count(self.scanned)}{of_all}, {hits}"


async def search(browser: RunBrowser, query: RunQuery) -> AsyncIterator[Search]:
    """Search the payloads of all runs; yields after each page. Raises a StoreError."""
    found, after = Search(), None
    while not found.done:
        page = await browser.search(query, after=after)
        after = page.more
        hits = (*found.hits, *page.hits)[:MOST_HITS]
        done = after is None or len(hits) >= MOST_HITS
        found = Search(hits, found.scanned + page.scanned, done)
        yield found
