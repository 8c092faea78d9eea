"""Whether a run in a list is stuck: from what is stored alone, with the evidence in words."""

from __future__ import annotations

from datetime import datetime

from zeroth_store.browse import RunSummary
from zeroth_store.status import RunStatus
from zeroth_tui.views.lease import lease_words


def stuck_words(run: RunSummary, now: datetime) -> str | None:
    """Return why nobody will take a run further by itself; None where somebody will."""
    match run.status:
        case RunStatus.WAITING_INTERRUPT:
            return "waits for an interrupt: nothing resumes it"
        case RunStatus.WAITING_APPROVAL if run.approval_missing:
            return "waits for an approval that does not exist"
        case RunStatus.RUNNING if not run.driven and not _is_held(run, now):
            return _lease(run, now)
        case RunStatus.PENDING if run.lease is not None and run.lease.worker_id is not None:
            return _lease(run, now)
        case _:
            return None


def _is_held(run: RunSummary, now: datetime) -> bool:
    """Whether a worker has the run, as far as can be read."""
    if run.lease is None or run.lease.worker_id is None:
        return False
    expires = run.lease.expires.instant
    return expires is None or expires > now


def _lease(run: RunSummary, now: datetime) -> str | None:
    words = lease_words(run, None, now)
    return None if words is None else words.text
