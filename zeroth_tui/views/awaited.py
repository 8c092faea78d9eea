"""Runs that a person waits for: when to tell, and in which words."""

from __future__ import annotations

from typing import Literal, NamedTuple

from zeroth_store.browse import RunSummary
from zeroth_store.status import RunStatus
from zeroth_tui import text
from zeroth_tui.status import is_live, look
from zeroth_tui.views.layout import short

_WAITS = frozenset({RunStatus.WAITING_APPROVAL, RunStatus.WAITING_INTERRUPT})


class News(NamedTuple):
    """What became of a run that somebody waits for."""

    words: str
    severity: Literal["information", "warning", "error"]
    over: bool
    """Whether there is nothing left to wait for."""


def news(before: str | None, run_id: str, now: RunSummary | None) -> News | None:
    """Return what to tell of a run that had the status `before`; None where nothing is to be told.

    It is told that a run has ended, that it waits for somebody, and that it is gone.
    """
    name = f"Run {short(run_id)}"
    if now is None:
        return News(f"{name} is no longer in the database", "warning", over=True)
    name = f"{name} of {text.line(now.graph, 80) or 'no graph'}"
    seen = look(now.status)
    if not is_live(now.status):
        why = f": {text.line(now.failure_reason, 120)}" if now.failure_reason else ""
        failed = now.status == RunStatus.FAILED
        words = f"{name} ended: {seen.glyph} {seen.word}{why}"
        return News(words, "error" if failed else "information", over=True)
    if now.status in _WAITS and now.status != before:
        what = "an approval" if now.status == RunStatus.WAITING_APPROVAL else "an interrupt"
        return News(f"{name} waits for {what}", "warning", over=False)
    return None


def promise(number: int, *, kept: bool) -> str:
    """Return what a person is told who waits for so many runs more, or waits for them no longer."""
    runs = "this run ends or waits" if number == 1 else f"these {number} runs end or wait"
    return f"You are told when {runs}" if kept else f"You are no longer told when {runs}"
