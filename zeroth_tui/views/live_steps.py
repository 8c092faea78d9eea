"""Which step of a run is selected while the run goes on, and whether that is the past."""

from __future__ import annotations

from collections.abc import Sequence

from zeroth_tui.format import count
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.plain_steps import place
from zeroth_tui.views.step import Step, StepItem, find


def kept_step(before: LoadedRun, now: LoadedRun, selected: int | None, follows: bool) -> int | None:
    """Return the `Step.index` to select in a run that was read again.

    Where the newest step was selected in a run under way and it `follows`, that is the newest
    now. A value that is being read does not follow: it would go away under the eyes. Any other
    step stays: what was in flight is found again as the entry that it became.
    """
    if not now.steps:
        return None
    if not before.steps or selected is None:
        return now.steps[-1].index
    if follows and before.live and before.steps[-1].index == selected:
        return now.steps[-1].index
    if place(now.steps, StepItem(selected)) is not None:
        return selected
    return _same_visit(now.steps, find(before.steps, selected))


def place_words(run: LoadedRun | None, selected: int | None) -> str:
    """Return where a person is in a run that is not over; nothing for any other."""
    if run is None or selected is None or not run.live:
        return ""
    at = place(run.steps, StepItem(selected))
    if at is None:
        return ""
    newer = len(run.steps) - 1 - at
    here = f"step {count(at + 1)} of {count(len(run.steps))}"
    return f"{here}, the past: {count(newer)} newer" if newer else f"{here}, now"


def _same_visit(steps: Sequence[Step], known: Step | None) -> int:
    """Return the step that is the same visit of the same node, else the newest."""
    if known is not None:
        for step in steps:
            if (step.node_id, step.visit) == (known.node_id, known.visit):
                return step.index
    return steps[-1].index
