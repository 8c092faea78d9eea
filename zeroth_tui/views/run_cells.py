"""What one run says in each column of a list."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from zeroth_store.browse import RunSummary
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Role
from zeroth_tui.status import is_live, look
from zeroth_tui.views.columns import LEAD, Column, Columns
from zeroth_tui.views.header import run_length
from zeroth_tui.views.layout import is_random, short
from zeroth_tui.views.short_ids import ShortIds
from zeroth_tui.views.stuck import stuck_words

SHORT_WORDS: Final = {"WAITING_APPROVAL": "APPROVAL", "WAITING_INTERRUPT": "INTERRUPT"}
"""The statuses whose names are too long for a list."""

_MINUTE: Final = timedelta(minutes=1)

MARK: Final = "●"
"""Stands in front of a run that is marked."""

AWAITED: Final = "♪"
"""Stands there for a run whose end is waited for."""


def mark(*, marked: bool, awaited: bool = False) -> Piece:
    """Return the first cell of every row: whether it is marked, or its end is waited for."""
    if not marked and awaited:
        return Piece(AWAITED, "waiting")
    return Piece(MARK if marked else " ", "keyword")


def visible(run: RunSummary) -> tuple[object, ...]:
    """Return what a list shows of a run that only a write can change."""
    return run.status, run.failure_reason, run.failed_node, run.cost


def ticks(run: RunSummary, now: datetime) -> bool:
    """Whether what a list shows of a run is another every second: its length, or its age."""
    started = run.started.instant
    return is_live(run.status) or (started is not None and now - started < _MINUTE)


def lead(run: RunSummary, now: datetime) -> Line:
    """Return what stands before a run's id: the status glyph, and `!` where it is stuck."""
    seen = look(run.status)
    return (
        Piece(seen.glyph, seen.role),
        Piece("!" if stuck_words(run, now) else " ", "warning"),
    )


def status_word(run: RunSummary) -> str:
    """Return a run's status in at most nine letters, where it is one we know."""
    word = look(run.status).word
    return SHORT_WORDS.get(word, word)


def reason(run: RunSummary, now: datetime) -> Piece | None:
    """Return why a run failed and at which node, or why it is stuck."""
    if run.failure_reason is not None:
        node, why = text.line(run.failed_node, 80), text.line(run.failure_reason, 80)
        return Piece(f"{node}: {why}" if node else why, "error")
    words = stuck_words(run, now)
    return None if words is None else Piece(words, "warning")


def run_row(
    run: RunSummary,
    columns: Columns,
    ids: ShortIds,
    now: datetime,
    *,
    marked: bool,
    awaited: bool = False,
) -> Line:
    """Return a run in the columns of a flat list."""
    line = [mark(marked=marked, awaited=awaited), *lead(run, now)]
    used = LEAD
    why = reason(run, now)
    in_place = why if why is not None and not columns.has("why") else None
    for column in columns.every:
        cell = _cell(run, column, ids, now, why)
        if column.name == "graph" and in_place is not None:
            cell = in_place
        line.append(Piece(" " * (column.start - used)))
        line.append(Piece(column.cell(cell.text), cell.role))
        used = column.start + column.width
    return tuple(line)


def _cell(
    run: RunSummary, column: Column, ids: ShortIds, now: datetime, why: Piece | None
) -> Piece:
    muted: Role = "muted"
    match column.name:
        case "run":
            return Piece(ids.of(run.key.run_id))
        case "status":
            return Piece(status_word(run), look(run.status).role)
        case "took":
            return Piece(fmt.duration(run_length(run, now)), muted)
        case "age":
            return Piece(fmt.age(run.started.instant, now), muted)
        case "written":
            return Piece(fmt.age(run.updated.instant, now), muted)
        case "cost":
            return Piece(cost_words(run), muted)
        case "scope":
            return Piece(scope_words(run.key.tenant_id, run.key.workspace_scope))
        case "graph":
            return Piece(text.line(run.graph, 80), muted)
        case "thread":
            return Piece(thread_name(run.thread_id), muted)
        case "why":
            return why or Piece("")


def cost_words(run: RunSummary) -> str:
    """Return what a run cost in all; `≈` where a part of it is estimated."""
    measured, estimated = run.cost.measured, run.cost.estimated
    known = [part for part in (measured, estimated) if part is not None]
    if not known:
        return ""
    return f"{'≈' if estimated else ''}{fmt.money(sum(known))}"


def thread_name(thread_id: str | None) -> str:
    """Return a thread's id whole, but a random one by its first digits."""
    if thread_id is None:
        return ""
    return short(thread_id) if is_random(thread_id) else text.line(thread_id, 200) or "(empty)"


def scope_words(tenant_id: str, workspace_scope: str) -> str:
    """Return a scope as `tenant` or `tenant/workspace`."""
    tenant = text.line(tenant_id, 60)
    if workspace_scope == "null":
        return tenant
    return f"{tenant}/{text.line(workspace_scope.removeprefix('value:'), 60)}"
