"""How one run reads in a list, and the parts that its row shares with the tree."""

from __future__ import annotations

from datetime import datetime

from zeroth_store.browse import RunSummary
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece
from zeroth_tui.status import look
from zeroth_tui.views.header import run_length
from zeroth_tui.views.layout import is_random, short

_STATUS_CELLS = 10
"""Wide enough for COMPLETED and a blank; the waiting statuses are shortened to fit."""
_SHORT_WORDS = {"WAITING_APPROVAL": "APPROVAL", "WAITING_INTERRUPT": "INTERRUPT"}


_LEAST_EXTRA = 8
"""Fewer cells than this say nothing useful about a run."""


def failed_line(run: RunSummary, width: int, now: datetime) -> Line:
    """Return glyph, short id, node and reason in the room there is, duration and age."""
    seen = look(run.status)
    name, times = short(run.key.run_id), _times(run, now)
    room = max(0, width - 2 - text.cells(name) - 1 - len(times))
    reason, node = text.line(run.failure_reason, 80), text.line(run.failed_node, 80)
    why = text.clip(f"{node}: {reason}" if node else reason, room)
    return (
        Piece(f"{seen.glyph} ", seen.role),
        Piece(f"{name} "),
        Piece(text.pad(why, room), seen.role),
        Piece(times, "muted"),
    )


def _times(run: RunSummary, now: datetime) -> str:
    return f"{fmt.duration(run_length(run, now)):>7}{fmt.age(run.started.instant, now):>5}"


def run_line(run: RunSummary, width: int, now: datetime, extra: str) -> Line:
    """Return glyph, short id, status, duration and age, and what there is room for of `extra`."""
    seen = look(run.status)
    word = _SHORT_WORDS.get(seen.word, seen.word)
    times = _times(run, now)
    name = short(run.key.run_id)
    fixed = 2 + text.cells(name) + 1 + _STATUS_CELLS + len(times)
    rest = width - fixed - 2
    shown = f"  {text.clip(extra, rest)}" if extra and rest >= _LEAST_EXTRA else ""
    return (
        Piece(f"{seen.glyph} ", seen.role),
        Piece(f"{name} "),
        Piece(text.pad(text.clip(word, _STATUS_CELLS - 1), _STATUS_CELLS), seen.role),
        Piece(times, "muted"),
        Piece(shown, "muted"),
    )


def reason_line(run: RunSummary) -> Line:
    """Return why a run failed, and at which node."""
    parts = [Piece(text.line(run.failure_reason, 80), "error")]
    if run.failed_node:
        parts.append(Piece(f" {text.line(run.failed_node, 80)}", "muted"))
    return tuple(parts)


def thread_name(thread_id: str) -> str:
    """Return a thread's id whole, but a random one by its first digits."""
    return short(thread_id) if is_random(thread_id) else text.line(thread_id, 200) or "(empty)"


def scope_words(tenant_id: str, workspace_scope: str) -> str:
    """Return a scope as `tenant` or `tenant/workspace`."""
    tenant = text.line(tenant_id, 60)
    if workspace_scope == "null":
        return tenant
    return f"{tenant}/{text.line(workspace_scope.removeprefix('value:'), 60)}"


def fold_mark(is_open: bool | None) -> Piece:
    """Return the mark of what is open, closed, or has nothing to unfold."""
    if is_open is None:
        return Piece("  ")
    return Piece("▾ " if is_open else "▸ ", "muted")
