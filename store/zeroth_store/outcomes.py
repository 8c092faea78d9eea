"""What became of a write, in words: who was faster, and whether what was written stayed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from zeroth_store.acting import ActRefused, check, target
from zeroth_store.actions import Outcome, Standing, Write
from zeroth_store.status import RunStatus

GONE: Final = "the run is gone, nothing done"


def check_seen(standing: Standing | None, write: Write, now: datetime) -> None:
    """Raise ActRefused unless the run is as it was seen and the act is still offered."""
    if standing is None:
        raise ActRefused(GONE)
    if standing.status != write.seen:
        raise ActRefused(changed_words(standing.status))
    try:
        check(write.act, target(write), standing, now)
    except ActRefused as error:
        raise ActRefused(f"{error}; nothing done") from None


def changed_words(status: str | None) -> str:
    """Return what a loser is told."""
    return f"changed to {status or 'no status'} by another writer, nothing done"


def status_in(row: Mapping[str, Any] | None) -> str | None:
    """Return the status in a row, where it is text."""
    status = None if row is None else row["status"]
    return status if isinstance(status, str) else None


def refused(write: Write, row: Mapping[str, Any] | None, why: str) -> Outcome:
    """Return that nothing was written."""
    return Outcome(key=write.key, written=False, stored=status_in(row), problem=why)


def written(
    write: Write,
    before: Mapping[str, Any],
    row: Mapping[str, Any] | None,
    problem: str = "",
    checkpoint_id: str | None = None,
) -> Outcome:
    """Return what became of a write that was committed, going by the row read back."""
    return Outcome(
        key=write.key,
        written=True,
        stored=status_in(row),
        problem=problem or _not_kept(write, row),
        before={name: before.get(name) for name in write.columns},
        after={} if row is None else {name: row.get(name) for name in write.columns},
        checkpoint_id=checkpoint_id,
    )


def unread(write: Write, before: Mapping[str, Any], error: Exception) -> Outcome:
    """Return that a write was committed, and that the row could not be read back."""
    return Outcome(
        key=write.key,
        written=True,
        stored=None,
        problem=f"it was written, but could not be read back: {error}",
        before={name: before.get(name) for name in write.columns},
    )


def _not_kept(write: Write, row: Mapping[str, Any] | None) -> str:
    """Return why what was written did not stay; empty where it did.

    A run that was given back to the workers may be on its way again, as it should.
    """
    to, stored = target(write), status_in(row)
    if row is None:
        return "it was written, and the run has been removed since"
    if to is None or to in (stored, RunStatus.PENDING):
        return ""
    return f"{to} was written, and {stored} over it by another writer: it did not stick"
