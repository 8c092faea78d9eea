"""Runs that need a person, found among those that are not over: waiting for approval, and stuck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from zeroth_store.overview import Attention
from zeroth_store.sqlite.connection.reader import ReadConnection
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.status import LIVE, RunStatus
from zeroth_store.summaries import RunSummary

NAMED: Final = 5
"""How many runs of each kind are named."""

MOST_JUDGED: Final = 2_000
"""Among so many of the newest runs that may be stuck the stuck ones are looked for."""

_MAY_BE_STUCK: Final = f"""
SELECT number FROM kept WHERE status IN ({", ".join("?" * len(LIVE))})
  AND CASE status
    WHEN '{RunStatus.RUNNING}' THEN lease_worker_id IS NULL OR lease_expires_at <= ?
    WHEN '{RunStatus.PENDING}' THEN lease_worker_id IS NOT NULL
    ELSE 1 END
ORDER BY number DESC LIMIT ?"""
_WAITING: Final = "FROM kept WHERE status = ?"


class _Candidates(NamedTuple):
    """Runs by their rowids."""

    waiting: int
    """How many wait for an approval."""
    longest: list[int]
    """Those of them that were left alone longest."""
    may_be_stuck: list[int]
    """One more than are judged, where there are so many."""


async def attention_kept(
    index: IndexThread, reader: ReadConnection, now: datetime
) -> tuple[Attention, Attention]:
    """Return the runs that wait for an approval, and those that are stuck."""
    found = await index.run(_candidates, now)
    longest = await reader.run(summaries_at, found.longest)
    rows = tuple(longest[number] for number in found.longest if number in longest)
    judged = await reader.run(summaries_at, found.may_be_stuck[:MOST_JUDGED])
    stuck = _stuck(judged.values(), now)
    is_whole = len(found.may_be_stuck) <= MOST_JUDGED
    return Attention(found.waiting, True, rows), _attention(stuck, exact=is_whole)


def attention_of(
    runs: Sequence[RunSummary], now: datetime, *, exact: bool
) -> tuple[Attention, Attention]:
    """Return the same, looked for among some runs."""
    waiting = [run for run in runs if run.status == RunStatus.WAITING_APPROVAL]
    return _attention(waiting, exact=exact), _attention(_stuck(runs, now), exact=exact)


def _candidates(connection: IndexConnection, now: datetime) -> _Candidates:
    asks = (RunStatus.WAITING_APPROVAL.value,)
    waiting = connection.execute(f"SELECT count(*) {_WAITING}", asks).fetchall()[0][0]
    longest = connection.execute(
        f"SELECT number {_WAITING} ORDER BY updated IS NULL, updated, number LIMIT ?",
        (*asks, NAMED),
    ).fetchall()
    expired = now.astimezone(UTC).isoformat()
    may = connection.execute(_MAY_BE_STUCK, (*sorted(LIVE), expired, MOST_JUDGED + 1)).fetchall()
    return _Candidates(waiting, [row[0] for row in longest], [row[0] for row in may])


def _stuck(runs: Iterable[RunSummary], now: datetime) -> list[RunSummary]:
    from zeroth_store.filters import matches
    from zeroth_store.overview_filters import STUCK

    return [run for run in runs if matches(STUCK, run, now)]


def _attention(runs: Sequence[RunSummary], *, exact: bool) -> Attention:
    latest = datetime.max.replace(tzinfo=UTC)
    oldest = sorted(runs, key=lambda run: run.updated.instant or latest)
    return Attention(len(runs), exact, tuple(oldest[:NAMED]))
