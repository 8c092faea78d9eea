"""When a step began and ended, and how well that is known."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, NamedTuple

from zeroth_store.browse import AuditEntry, HistoryEntry
from zeroth_store.history import Brief

Knowledge = Literal["exact", "span", "ends", "unknown"]
"""exact: an audit measured it. span: the start is stored and so is the end, if there is one.
ends: only the completion is known. unknown: no time can be read."""

_OPEN: Final = frozenset({"started", "running"})
"""Statuses of library callers whose entry is written when the node begins."""


class Times(NamedTuple):
    """What is known of a step's time."""

    knowledge: Knowledge
    start: datetime | None
    """None where no start is stored: it is never guessed."""
    end: datetime | None
    clamped: bool = False
    """True when what is stored is impossible (an end before the start, a time to come)."""


UNKNOWN: Final = Times("unknown", None, None)


def entry_times(entry: HistoryEntry, audit: AuditEntry | None, now: datetime) -> Times:
    """Return the times of a history entry, from its audit where that measured something.

    Entries that completed hold their completion in `started`; those that failed hold both. Audits
    of parallel branches and of approvals have no length: they hold the start, the entry the end.
    """
    start, end = audit_span(audit)
    if start is not None and end is not None and start != end:
        return clamp(Times("exact", start, end), now)
    stored_end = entry.completed.instant or entry.started.instant
    if start is not None and stored_end is not None:
        if stored_end > start:
            return clamp(Times("span", start, stored_end), now)
        return clamp(Times("exact", start, start), now)
    return clamp(_stored(entry.started.instant, entry.completed.instant, entry.status), now)


def brief_times(entry: Brief, now: datetime) -> Times:
    """Return the times of a history entry that has no audit."""
    return clamp(_stored(entry.started_at, entry.completed_at, entry.status), now)


def audit_times(audit: AuditEntry, now: datetime) -> Times:
    """Return the times of a step of which only the audit remains."""
    start, end = audit_span(audit)
    if start is not None and end is not None:
        return clamp(Times("exact", start, end), now)
    end = end or start or audit.created.instant
    return clamp(Times("ends", None, end), now) if end else UNKNOWN


def audit_span(audit: AuditEntry | None) -> tuple[datetime | None, datetime | None]:
    """Return an audit's start and end; both None without an audit."""
    if audit is None:
        return None, None
    return audit.started.instant, audit.completed.instant


def clamp(times: Times, now: datetime) -> Times:
    """Bring impossible times into order and mark them: nothing lies after now or ends early."""
    knowledge, start, end, clamped = times
    if start is not None and start > now:
        start, clamped = now, True
    if end is not None and end > now:
        end, clamped = now, True
    if start is not None and end is not None and end < start:
        end, clamped = start, True
    return Times(knowledge, start, end, clamped)


def _stored(started: datetime | None, completed: datetime | None, status: str | None) -> Times:
    if started is not None and completed is not None:
        return Times("span", started, completed)
    if started is not None and (status or "").lower() in _OPEN:
        return Times("span", started, None)
    end = completed or started
    return Times("ends", None, end) if end else UNKNOWN
