"""Finding runs and threads by a part of their id or the name of their graph."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final, NamedTuple

from zeroth_store.ascii_case import lower
from zeroth_store.browse import RunSummary, ThreadKey, ThreadSummary
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.decoding.cells import bind
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.table import microseconds
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.search.lookup_rows import Hit, contains, hits_at, hits_stored
from zeroth_store.sqlite.tables import LAST

STRETCH: Final = 20_000
"""How many runs of the side index are looked through at once."""

SECONDS: Final = 1.0
"""For how long the side index is looked through, the newest runs first."""

_START: Final = (
    "SELECT min(number) FROM"
    f" (SELECT number FROM runs WHERE number < ? ORDER BY number DESC LIMIT {STRETCH})"
)
_WITHIN: Final = "number >= :start AND number < :below"
_RUNS: Final = (
    f"SELECT number, {contains('run_id')} AS named FROM runs"
    f" WHERE {_WITHIN} AND (named OR {contains('graph_version_ref')})"
    " ORDER BY named DESC, number DESC LIMIT :limit"
)
_THREADS: Final = (
    "SELECT DISTINCT tenant_id, workspace_scope, thread_id FROM runs"
    f" WHERE {_WITHIN} AND {contains('thread_id')} LIMIT :limit"
)
_EXACT, _STARTING, _IN_ID, _IN_GRAPH, _ELSEWHERE = range(5)


class _Named(NamedTuple):
    """What a stretch of the index tells of a text."""

    runs: list[int]
    """The newest runs whose id contains it."""
    threads: list[ThreadKey]
    """Threads whose id contains it, which may have no row."""
    of_graph: list[int]
    """The newest other runs whose graph contains it."""
    below: int | None
    """Where the next stretch begins; None at the end."""


async def find_stored(reader: ReadConnection, text: str, limit: int) -> tuple[Hit, ...]:
    """Return the best hits from the database itself."""
    return _best(await reader.run(hits_stored, text, limit), text, limit)


async def find_kept(
    reader: ReadConnection, index: IndexThread, text: str, limit: int
) -> tuple[Hit, ...]:
    """Return the best hits from the database, and where they are few from the side index, too."""
    best = await find_stored(reader, text, limit)
    if sum(_rank(hit, text) < _IN_ID for hit in best) == limit:
        return best
    until = time.monotonic() + SECONDS
    found = _Named([], [], [], LAST)
    while (below := found.below) is not None and time.monotonic() < until:
        some = await index.run(_stretch, text, below, limit)
        found = _Named(
            found.runs + some.runs,
            found.threads + some.threads,
            (found.of_graph + some.of_graph)[:limit],
            some.below if len(found.runs + found.threads) < limit else None,
        )
    more = await reader.run(hits_at, found.runs + found.of_graph, found.threads)
    return _best((*best, *more), text, limit)


def _rank(hit: Hit, text: str) -> int:
    """Return how well a hit fits; what does not fit at all may have changed since it was found."""
    identity, needle = hit.key[-1], lower(text)
    if identity == text:
        return _EXACT
    if lower(identity).startswith(needle):
        return _STARTING
    if needle in lower(identity):
        return _IN_ID
    return _IN_GRAPH if needle in lower(hit.graph or "") else _ELSEWHERE


def _best(found: Iterable[Hit], text: str, limit: int) -> tuple[Hit, ...]:
    """Return the hits that fit, each once, the best first and the newest of those."""
    ranked: list[tuple[tuple[object, ...], Hit]] = []
    for hit in {(type(hit), hit.key): hit for hit in found}.values():
        made = hit.started if isinstance(hit, RunSummary) else hit.created
        at = microseconds(made.instant)
        is_thread = isinstance(hit, ThreadSummary)
        order = (_rank(hit, text), at is None, -(at or 0), is_thread, hit.key)
        if order[0] < _ELSEWHERE:
            ranked.append((order, hit))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(hit for _, hit in ranked[:limit])


def _stretch(connection: IndexConnection, text: str, below: int, limit: int) -> _Named:
    """Look through the runs of the index before a rowid, the newest first."""
    (start,) = connection.execute(_START, (below,)).fetchall()[0]
    values = {"needle": bind(lower(text)), "start": start, "below": below, "limit": limit}
    runs = connection.execute(_RUNS, values).fetchall()
    threads = connection.execute(_THREADS, values).fetchall()
    return _Named(
        [number for number, named in runs if named],
        [ThreadKey(*key) for key in threads],
        [number for number, named in runs if not named],
        start,
    )
