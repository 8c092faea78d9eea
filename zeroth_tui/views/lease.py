"""A run's lease in words: who drives it, for how long, or why nobody does."""

from __future__ import annotations

from datetime import datetime

from zeroth_store.browse import RunSummary
from zeroth_store.past.runs import UNTOLD
from zeroth_store.status import RunStatus
from zeroth_tui import text
from zeroth_tui.format import age
from zeroth_tui.line import Piece, Role
from zeroth_tui.status import is_live


def lease_words(summary: RunSummary, parent: RunSummary | None, now: datetime) -> Piece | None:
    """Return what the lease means for this run; None where nothing has to be said."""
    if summary.lease == UNTOLD:
        return None
    if summary.lease is None or summary.lease.worker_id is None:
        return _without(summary, parent)
    worker = text.line(summary.lease.worker_id, 60)
    expires = summary.lease.expires.instant
    if expires is None:
        return Piece(f"held by {worker}, until when is not readable", "warning")
    if expires > now:
        return _held(summary.status, worker, expires, now)
    return _expired(summary.status, worker, expires, now)


def _without(summary: RunSummary, parent: RunSummary | None) -> Piece | None:
    if summary.status == RunStatus.PENDING:
        return Piece("waiting for a worker", "pending")
    if summary.status != RunStatus.RUNNING:
        return None
    if summary.driven:
        return Piece("driven by its parent's worker", "running")
    if parent is not None and is_live(parent.status) and parent.lease is not None:
        return Piece("driven by its parent's worker", "running")
    return Piece("running without a lease: nothing will pick it up", "error")


def _held(status: str | None, worker: str, expires: datetime, now: datetime) -> Piece:
    left = age(now, expires) if expires > now else "0s"
    verb = "claimed" if status == RunStatus.PENDING else "held"
    role: Role = "ok" if is_live(status) else "warning"
    return Piece(f"{verb} by {worker}, {'0s' if left == 'now' else left} left", role)


def _expired(status: str | None, worker: str, expires: datetime, now: datetime) -> Piece | None:
    ago = age(expires, now)
    when = "just now" if ago == "now" else f"{ago} ago"
    if status == RunStatus.RUNNING:
        words = f"lease expired {when}: goes on when a worker restarts"
        return Piece(words, "warning")
    if status == RunStatus.PENDING:
        return Piece(f"the lease of {worker} expired {when}: any worker may claim it", "pending")
    return None
