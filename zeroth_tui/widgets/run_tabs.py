"""The tabs of a run: their order, and what each is made of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Final

from zeroth_tui.line import Line, Piece
from zeroth_tui.plain import PLAIN
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.plain_steps import step_to_open
from zeroth_tui.views.step import StepItem
from zeroth_tui.widgets.pane import Build
from zeroth_tui.widgets.timeline_pane import TimelinePane

TABS: Final = ("Timeline", "Conditions", "State", "Checkpoints", "Failure", "Raw", "Graph")
TIMELINE, CONDITIONS, STATE, CHECKPOINTS, FAILURE, RAW, GRAPH = range(len(TABS))


def tab_rows(
    tab: int,
    run: LoadedRun,
    timeline: TimelinePane,
    clock: Callable[[], datetime],
    zone: tzinfo,
) -> Build:
    """Return what lays out a tab's rows; State and Checkpoints make their own."""
    detail, related, steps = run.detail, run.related, run.steps
    clock = run.clock(clock)
    # A tab is imported when it is opened: the first paint needs one of them.
    match tab:
        case 0:
            from zeroth_tui.views.timeline_rows import late_timeline_rows

            return lambda width: late_timeline_rows(
                detail,
                related,
                steps,
                width,
                clock(),
                viewport=timeline.viewport,
                collapse=timeline.collapse,
                plain=timeline.app.has_class(PLAIN),
            )
        case 1:
            from zeroth_tui.views.conditions import condition_rows

            return lambda width: condition_rows(detail, steps, width)
        case 4:
            from zeroth_tui.views.failure import failure_rows

            return lambda width: failure_rows(detail, related, steps, width, clock(), zone)
        case 6:
            from zeroth_tui.views.graph import graph_rows

            return lambda width: graph_rows(run.graph, detail, steps, width)
        case _:
            from zeroth_tui.views.raw import raw_rows

            return lambda _width: raw_rows(detail)


def pane_id(index: int) -> str:
    """Return the widget id of a tab's pane."""
    return f"pane-{TABS[index].lower()}"


def tab_item(tab: int, run: LoadedRun, step: int | None) -> StepItem | None:
    """Return what a tab's cursor is on when this step is the selected one."""
    if step is None:
        return None
    if tab == GRAPH:
        from zeroth_tui.views.graph import last_visit

        return last_visit(run.steps, step)
    return StepItem(step)


def opening_tab(old: LoadedRun | None, new: LoadedRun, tab: int) -> int:
    """Return the tab to show a run in, or the same one as of another time."""
    if old is not None and old.as_of and not new.as_of and _same_run(old, new):
        return tab
    if new.detail.summary.status == "FAILED":
        return FAILURE
    return TIMELINE if tab == FAILURE or (new.as_of and tab == CHECKPOINTS) else tab


def _same_run(one: LoadedRun, other: LoadedRun) -> bool:
    return one.detail.summary.key == other.detail.summary.key


def first_step(run: LoadedRun) -> int | None:
    """Return the step to select at opening: the one that failed, else the last."""
    return step_to_open(run.steps)


def hint(words: str) -> Line:
    """Return a muted line for RunView.say."""
    return (Piece(words, "muted"),)
