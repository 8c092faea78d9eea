"""The timeline pane: a row for every step, its decisions and child runs below it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from zeroth_store.browse import RelatedRows, RunDetail, RunSummary
from zeroth_store.status import RunStatus
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.status import look
from zeroth_tui.views import edges
from zeroth_tui.views.axis import FIT, Viewport
from zeroth_tui.views.bars import break_columns, break_line, draw
from zeroth_tui.views.decisions import distinct
from zeroth_tui.views.late_rows import LateRows
from zeroth_tui.views.layout import paragraph, row, short
from zeroth_tui.views.plain_steps import PlainSteps, last_visits, place
from zeroth_tui.views.problems import problem_rows
from zeroth_tui.views.step import EdgeItem, RunItem, Step, StepItem, loose_children
from zeroth_tui.views.step_words import length_words, note, step_look, title, waited
from zeroth_tui.views.timeline import Timeline, bars, segments, timeline

_COLUMN: Final = "execution_history"
_LENGTH: Final = 8
_EXTRA: Final = 4
_LEAST_BAR: Final = 8


class _Frame(NamedTuple):
    """What all rows of one drawing share."""

    plan: Timeline
    viewport: Viewport
    now: datetime
    width: int
    node: int
    bar: int
    breaks: list[tuple[int, int]]
    erased: bool
    plain: bool


def timeline_rows(
    detail: RunDetail,
    related: RelatedRows,
    steps: Sequence[Step],
    width: int,
    now: datetime,
    *,
    viewport: Viewport = FIT,
    collapse: bool = True,
) -> tuple[Row, ...]:
    """Return the timeline of a run; items are StepItem, EdgeItem and RunItem."""
    return tuple(
        late_timeline_rows(detail, related, steps, width, now, viewport=viewport, collapse=collapse)
    )


def late_timeline_rows(
    detail: RunDetail,
    related: RelatedRows,
    steps: Sequence[Step],
    width: int,
    now: datetime,
    *,
    viewport: Viewport = FIT,
    collapse: bool = True,
    plain: bool = False,
) -> LateRows:
    """Return the same, a step's rows laid out when they come in sight; `plain` has no bars."""
    plan = timeline(steps, detail.summary, now, collapse=collapse)
    head = problem_rows(detail, _COLUMN, width)
    frame = _frame(plan, viewport, now, steps, width, erased=detail.erased, plain=plain)
    if plan.axis.breaks and steps and not plain:
        head.append(
            row(width, Piece(" " * (frame.node + 3)), *break_line(plan.axis, frame.bar, viewport))
        )
    loose = loose_children(steps, related) if related.children else ()
    foot = [_child(child, frame, "child run without a step") for child in loose]
    if not detail.history:
        foot += paragraph(_why_empty(detail), width, "muted")
    return LateRows(
        head,
        _sizes(steps, erased=detail.erased),
        [*foot, *_footer(steps, plan, width)],
        make=lambda at: _step_rows(steps[at], frame),
        place=lambda item: place(steps, item),
    )


def _sizes(steps: Sequence[Step], *, erased: bool) -> list[int]:
    """Return how many rows each step has."""
    if not isinstance(steps, PlainSteps):
        return [_size(step, erased=erased) for step in steps]
    sizes = [1] * len(steps)
    for at in steps.busy():
        sizes[at] = _size(steps[at], erased=erased)
    return sizes


def _size(step: Step, *, erased: bool) -> int:
    notes = note(step, erased=erased) is not None
    decisions = len(distinct(step.conditions)) if edges.is_choice(step.conditions) else 0
    return 1 + notes + decisions + len(step.children)


def _frame(
    plan: Timeline,
    viewport: Viewport,
    now: datetime,
    steps: Sequence[Step],
    width: int,
    *,
    erased: bool,
    plain: bool,
) -> _Frame:
    """Share the width: the node's name gets what it needs, up to a third."""
    longest = max((text.cells(title(step)) for step in last_visits(steps)), default=0)
    node = max(4, min(longest, width // 3))
    bar = max(_LEAST_BAR, width - node - _LENGTH - _EXTRA - 5)
    breaks = break_columns(plan.axis, bar, viewport)
    return _Frame(plan, viewport, now, width, node, bar, breaks, erased, plain)


def _step_rows(step: Step, frame: _Frame) -> list[Row]:
    glyph, role = step_look(step)
    rows = [
        row(
            frame.width,
            Piece(f"{glyph} ", role),
            Piece(text.pad(title(step), frame.node) + " ", "error" if step.failed else "plain"),
            *_bar(step, frame),
            Piece(f" {length_words(step, frame.now):>{_LENGTH}}", "muted"),
            Piece(f" x{step.attempt}" if (step.attempt or 1) > 1 else "", "warning"),
            item=StepItem(step.index),
        )
    ]
    if said := note(step, erased=frame.erased):
        rows.append(row(frame.width, Piece("    "), said, item=StepItem(step.index)))
    if edges.is_choice(step.conditions):
        rows += [
            row(
                frame.width,
                Piece("  "),
                *edges.decision_pieces(edge, frame.width),
                item=EdgeItem(edge.index),
            )
            for edge, _ in distinct(step.conditions)
        ]
    rows += [_child(child, frame) for child in step.children]
    return rows


def _bar(step: Step, frame: _Frame) -> Line:
    """Draw when a step ran, or say it."""
    wait = waited(step, frame.now)
    if not frame.plain:
        drawn = bars(step, frame.plan, frame.bar, frame.now, frame.viewport)
        return draw(drawn, frame.breaks, frame.bar, wait)
    parts = segments(step, frame.now)
    began = parts[0].start - frame.plan.axis.whole.start if parts else None
    words = "" if began is None else f"after {fmt.duration(began.total_seconds())}"
    if wait is not None:
        words += f", waited {fmt.duration(wait.total_seconds())}"
    return (Piece(text.pad(text.clip(words, frame.bar), frame.bar), "muted"),)


def _child(child: RunSummary, frame: _Frame, words: str = "child run") -> Row:
    seen = look(child.status)
    graph = text.line(child.graph, 120)
    return row(
        frame.width,
        Piece(f"  └ {words} ", "muted"),
        Piece(f"{short(child.key.run_id)} ", "link"),
        Piece(f"{seen.glyph} {seen.word}", seen.role),
        Piece(f"  {graph}", "muted"),
        item=RunItem(child.key),
    )


def _why_empty(detail: RunDetail) -> str:
    if detail.erased:
        return "Retention erased this run's history; only audits may remain."
    if any(problem.column.startswith(_COLUMN) for problem in detail.problems):
        return "No history entry can be read."
    if detail.summary.status == RunStatus.PENDING:
        return "Not started yet: no node has run."
    return "No node has reported a result: the history is empty."


def _footer(steps: Sequence[Step], plan: Timeline, width: int) -> list[Row]:
    """Return what the wall time consists of, and what the marks above mean."""
    if not steps:
        return []
    shares = (("work", plan.work), ("wait", plan.wait), ("gap", plan.gap))
    total = " + ".join(f"{name} {fmt.duration(part.total_seconds())}" for name, part in shares)
    rows = paragraph(f"{total} = wall {fmt.duration(plan.wall.total_seconds())}", width, "strong")
    if any(step.knowledge == "ends" for step in steps):
        rows += paragraph("? only the end is recorded (at ◆), no start", width, "muted")
    if steps.clamped if isinstance(steps, PlainSteps) else any(s.clamped for s in steps):
        rows += paragraph("! the stored times are impossible and were put in order", width, "muted")
    return rows
