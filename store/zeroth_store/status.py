"""The states of runs and threads, and which run state may follow which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from zeroth_store.errors import InvalidTransition


class RunStatus(StrEnum):
    """Lifecycle states of a run; the values are what the `runs.status` column holds."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    WAITING_APPROVAL = "WAITING_APPROVAL"
    WAITING_INTERRUPT = "WAITING_INTERRUPT"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


class ThreadStatus(StrEnum):
    """Lifecycle states of a thread; the values are what the `threads.status` column holds."""

    ACTIVE = "active"
    COMPLETED = "completed"
    ARCHIVED = "archived"


ALLOWED_TRANSITIONS: Final[Mapping[RunStatus, frozenset[RunStatus]]] = MappingProxyType(
    {
        RunStatus.PENDING: frozenset({RunStatus.RUNNING, RunStatus.FAILED}),
        RunStatus.RUNNING: frozenset(
            {
                RunStatus.WAITING_APPROVAL,
                RunStatus.WAITING_INTERRUPT,
                RunStatus.COMPLETED,
                RunStatus.FAILED,
            }
        ),
        RunStatus.WAITING_APPROVAL: frozenset(
            {RunStatus.PENDING, RunStatus.RUNNING, RunStatus.COMPLETED, RunStatus.FAILED}
        ),
        RunStatus.WAITING_INTERRUPT: frozenset(
            {RunStatus.RUNNING, RunStatus.COMPLETED, RunStatus.FAILED}
        ),
        RunStatus.COMPLETED: frozenset(),
        RunStatus.FAILED: frozenset({RunStatus.PENDING}),
    }
)
"""Status -> the statuses that may follow it. Staying in a status is always allowed."""

LIVE: Final = frozenset(
    status.value for status in RunStatus if status not in (RunStatus.COMPLETED, RunStatus.FAILED)
)
"""The statuses of runs that are not over, as stored."""

DEAD_LETTER: Final = "dead_letter"
"""The `failure_state.reason` of a run that failed too often to be tried again."""


def check_transition(current: RunStatus, new: RunStatus) -> None:
    """Raise InvalidTransition unless a run may go from `current` to `new`."""
    if new != current and new not in ALLOWED_TRANSITIONS[current]:
        raise InvalidTransition(current, new)
