"""The conditions pane: every edge that was considered, by the visit that considered it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zeroth_store.browse import ConditionEntry, RunDetail
from zeroth_tui import text
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.views import edges
from zeroth_tui.views.decisions import Group, distinct, groups
from zeroth_tui.views.expression import highlighted
from zeroth_tui.views.layout import paragraph, row
from zeroth_tui.views.problems import problem_rows
from zeroth_tui.views.step import EdgeItem, Step, StepItem, led_to
from zeroth_tui.views.step_words import title

_COLUMN: Final = "condition_results"


def condition_rows(detail: RunDetail, steps: Sequence[Step], width: int) -> tuple[Row, ...]:
    """Return all decisions of a run; a taken edge's item is the step that it led to."""
    rows = problem_rows(detail, _COLUMN, width)
    for step in steps:
        if step.conditions:
            rows += _group(_title(step), step.conditions, step, steps, width)
    for group in _unplaced(detail, steps):
        source = group[0].source
        title = "source not recorded" if source is None else text.line(source, 200)
        rows += _group(f"{title}  (visit not in the history)", group, None, steps, width)
    if not detail.conditions:
        rows += paragraph(_why_empty(detail, steps), width, "muted")
    return tuple(rows)


def _title(step: Step) -> str:
    edges_once = [edge for edge, _ in distinct(step.conditions)]
    taken = sum(edge.taken for edge in edges_once)
    count = len(edges_once)
    return f"{title(step)}  {count} {'edge' if count == 1 else 'edges'}, {taken} taken"


def _group(
    words: str, group: Group, step: Step | None, steps: Sequence[Step], width: int
) -> list[Row]:
    item = StepItem(step.index) if step else None
    rows = [row(width, Piece(words, "strong"), item=item)]
    for edge, times in distinct(group):
        rows += _edge(edge, times, step, steps, width)
    return rows


def _edge(
    edge: ConditionEntry, times: int, step: Step | None, steps: Sequence[Step], width: int
) -> list[Row]:
    target = led_to(steps, step, edge) if step else None
    item = StepItem(target.index) if target else EdgeItem(edge.index)
    role: Role = "plain" if edge.taken else "muted"
    said = Piece(f"  {edges.outcome(edge)}", edges.outcome_role(edge))
    again = Piece(f"  recorded {times} times" if times > 1 else "", "muted")
    way = Piece(f" {edges.label(edge)} -> {edges.target(edge)}", role)
    answer = text.clip(edges.answer(edge), max(12, width // 2))
    room = max(12, width - text.cells(answer) - len("        matched yes  "))
    asked = highlighted(text.clip(edges.question(edge), room), role)
    answered = Piece(f"  {answer}", "string")
    return [
        row(width, Piece("  "), edges.mark(edge), way, said, again, item=item),
        row(width, Piece("      "), *asked, answered, _matched(edge), item=item),
    ]


def _matched(edge: ConditionEntry) -> Piece:
    words = {True: "matched yes", False: "matched no", None: "matched ?"}[edge.matched]
    return Piece(f"  {words}", "muted")


def _unplaced(detail: RunDetail, steps: Sequence[Step]) -> tuple[Group, ...]:
    """Return groups that no step holds."""
    placed = {edge.index for step in steps for edge in step.conditions}
    return groups(edge for edge in detail.conditions if edge.index not in placed)


def _why_empty(detail: RunDetail, steps: Sequence[Step]) -> str:
    if detail.erased:
        return "Retention erased this run's decisions."
    if any(problem.column == _COLUMN for problem in detail.problems):
        return "No decision can be read."
    if all(step.failed or step.origin != "history" for step in steps):
        return "Nothing has been evaluated: no node has completed."
    return "No edge was considered: the nodes that ran have none that lead on."
