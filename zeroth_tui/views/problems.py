"""Says which cells of a run cannot be read."""

from __future__ import annotations

from zeroth_store.browse import CellProblem, RunDetail
from zeroth_tui import text
from zeroth_tui.line import Row
from zeroth_tui.views.layout import paragraph


def problem_rows(detail: RunDetail, column: str, width: int) -> list[Row]:
    """Return a sentence for each problem of one column."""
    return [
        row
        for problem in detail.problems
        if _concerns(problem, column)
        for row in paragraph(
            f"! {text.line(problem.column)} is not readable: {text.line(problem.message)}",
            width,
            "warning",
        )
    ]


def _concerns(problem: CellProblem, column: str) -> bool:
    """Whether the problem is of this column or of a part of it, like `column[3].started_at`."""
    name = problem.column
    return name == column or name.startswith((f"{column}[", f"{column}."))
