"""What tests of payload search share: all pages of a search, and histories to look in."""

from __future__ import annotations

import sqlite3
from typing import Any

from tests.store.filters import NOW, parsed
from tests.store.guests import Guest
from zeroth_store.browse import Hit, RunQuery, SearchPage, Spot
from zeroth_store.sqlite.search.payload_search import search_page


def pages(connection: sqlite3.Connection, text: str, seconds: float = 60) -> list[SearchPage]:
    """Every page of a search, from the newest run to the oldest."""
    query, after = RunQuery(filter=parsed(text)), None
    found: list[SearchPage] = []
    while not found or after is not None:
        found.append(search_page(connection, query, after, NOW, seconds))
        after = found[-1].more
    return found


def hits(guest: Guest, text: str) -> list[Hit]:
    """All hits of a search."""
    return [hit for page in pages(guest.connection, text) for hit in page.hits]


def ids(guest: Guest, text: str) -> str:
    """The ids of the runs that a search finds, with blanks between them."""
    return " ".join(hit.run.key.run_id for hit in hits(guest, text))


def spot(guest: Guest, text: str) -> Spot | None:
    """Where the one run that a search finds holds the text."""
    (hit,) = hits(guest, text)
    return hit.spot


def history(*steps: tuple[Any, Any]) -> list[dict[str, Any]]:
    """A history of steps with these inputs and outputs."""
    return [
        {
            "node_id": "needle",
            "audit_ref": "needle",
            "input_snapshot": given,
            "output_snapshot": out,
        }
        for given, out in steps
    ]
