"""How a run's status looks, and which of several statuses matters most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zeroth_store.past.life import UNDER_WAY
from zeroth_store.status import LIVE, RunStatus
from zeroth_tui import text
from zeroth_tui.line import Role


class Look(NamedTuple):
    """A status on screen: told apart by glyph and word, so that colour is never needed."""

    glyph: str
    """One cell wide."""
    word: str
    """The status as stored, made visible."""
    role: Role


_LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        RunStatus.PENDING: Look("○", "PENDING", "pending"),
        RunStatus.RUNNING: Look("▶", "RUNNING", "running"),
        RunStatus.WAITING_APPROVAL: Look("◷", "WAITING_APPROVAL", "waiting"),
        RunStatus.WAITING_INTERRUPT: Look("‖", "WAITING_INTERRUPT", "waiting"),
        RunStatus.COMPLETED: Look("✔", "COMPLETED", "ok"),
        RunStatus.FAILED: Look("✖", "FAILED", "error"),
        UNDER_WAY: Look("▷", "UNDER_WAY", "running"),
    }
)

_URGENCY: Final[tuple[str, ...]] = (
    RunStatus.FAILED,
    RunStatus.WAITING_APPROVAL,
    RunStatus.WAITING_INTERRUPT,
    RunStatus.RUNNING,
    RunStatus.PENDING,
)
"""What needs a person first. Unknown statuses follow, then COMPLETED."""


def look(status: str | None) -> Look:
    """Return how a stored status looks; compared exactly, so ` RUNNING` is no known status."""
    if status is None:
        return Look("?", "(null)", "unknown")
    return _LOOKS.get(status) or Look("?", text.line(status) or "(empty)", "unknown")


def by_urgency(statuses: Iterable[str | None]) -> list[str | None]:
    """Return statuses in the order in which they need a person."""
    return sorted(statuses, key=lambda status: (_urgency(status), status or ""))


def is_live(status: str | None) -> bool:
    """Whether a run of this status is not over: it is pending, running or waiting."""
    return status in LIVE


def _urgency(status: str | None) -> int:
    if status == RunStatus.COMPLETED:
        return len(_URGENCY) + 1
    return _URGENCY.index(status) if status in _URGENCY else len(_URGENCY)
