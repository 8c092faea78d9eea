"""Making an index of the side index when somebody first asks for what it serves."""

from __future__ import annotations

import asyncio

from zeroth_store.sqlite.index.changes import has_index, make_index
from zeroth_store.sqlite.index.thread import IndexThread


async def provide_index(index: IndexThread, definition: str) -> None:
    """Make one of the indexes, unless it is there."""
    if not await index.run(has_index, definition):
        # It goes on when the caller gives up: a busy writer would keep it from ever being done.
        await asyncio.shield(index.run(make_index, definition))
