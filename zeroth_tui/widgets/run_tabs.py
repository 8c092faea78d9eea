"""The tabs of a run: their order, and what each is made of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Final

from zeroth_tui.line import Line, Piece
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.step import Step
from zeroth_tui.widgets.pane import Build
from zeroth_tui.widgets.timeline_pane import TimelinePane

TABS: Final = ("Timeline", "Conditions", "State", "Checkpoints", "Failure", "Raw")
TIMELINE, CONDITIONS, STATE, CHECKPOINTS, FAILURE, RAW = range(len(TABS))


def tab_rows(
    tab: int,
    run: LoadedRun,
    timeline: TimelinePane,
    clock: Callable[[], datetime],
    zone: tzinfo,
) -> Build:
    """Return what lays out a tab's rows; the State tab is not made of fixed rows."""
    detail, related, steps = run.detail, run.related, run.steps
    # A tab is imported when it is opened: the first paint needs one of them.
    match tab:
        case 0:
            from zeroth_tui.views.timeline_rows import timeline_rows

            return lambda width: timeline_rows(
                detail,
                related,
                steps,
                width,
                clock(),
                viewport=timeline.viewport,
                collapse=timeline.collapse,
            )
        case 1:
            from zeroth_tui.views.conditions import condition_rows

            return lambda width: condition_rows(detail, steps, width)
        case 3:
            from zeroth_tui.views.checkpoints import checkpoint_rows

            return lambda width: checkpoint_rows(run.checkpoints, clock(), zone, width)
        case 4:
            from zeroth_tui.views.failure import failure_rows

            return lambda width: failure_rows(detail, related, steps, width, clock(), zone)
        case _:
            from zeroth_tui.views.raw import raw_rows

            return lambda _width: raw_rows(detail)


def pane_id(index: int) -> str:
    """Return the widget id of a tab's pane."""
    return f"pane-{TABS[index].lower()}"


def first_step(run: LoadedRun) -> int | None:
    """Return the step to select at opening: the one that failed, else the last."""
    failed = [step for step in run.steps if step.status == "failed"]
    chosen: list[Step] = failed or list(run.steps)
    return chosen[-1].index if chosen else None


def hint(words: str) -> Line:
    """Return a muted line for RunView.say."""
    return (Piece(words, "muted"),)
