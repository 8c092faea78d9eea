"""The parts of the State tab: which stored text each shows, and what a step changed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from zeroth_store.browse import Spot
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.json_diff import diff, diff_rows
from zeroth_tui.views.json_tree import Path
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.plain_steps import place
from zeroth_tui.views.step import Step, StepItem
from zeroth_tui.views.step_words import title

PARTS: Final = ("Input", "Output", "Difference", "Run input", "Run output", "Metadata")
INPUT, OUTPUT, DIFFERENCE, RUN_INPUT, RUN_OUTPUT, METADATA = PARTS


def parts_of(step: Step | None) -> tuple[str, ...]:
    """Return the parts there are; a run without steps has its own ones only."""
    return PARTS if step is not None else PARTS[PARTS.index(RUN_INPUT) :]


def open_part(run: LoadedRun, step: Step | None, wanted: str) -> str:
    """Return the part to show: the wanted one, else the first of the run that holds something."""
    parts = parts_of(step)
    if wanted in parts:
        return wanted
    return next((part for part in parts if part_text(run, step, part) is not None), parts[0])


def part_text(run: LoadedRun, step: Step | None, part: str) -> str | None:
    """Return the stored JSON that a part shows; None where none is stored."""
    match part:
        case "Run input":
            return run.detail.initial_input
        case "Run output":
            return run.detail.output
        case "Metadata":
            return run.detail.metadata
        case _:
            return None if step is None else _payload(run, step, part)


def part_of(spot: Spot) -> tuple[str, Path]:
    """Return the part and the path in it where a search has found something."""
    if spot.step is None and not spot.in_flight:
        return (RUN_INPUT if spot.place == "input" else RUN_OUTPUT), spot.path
    return (INPUT if spot.place == "input" else OUTPUT), spot.path


def step_of(run: LoadedRun, spot: Spot) -> int | None:
    """Return the `Step.index` of the step in which a search has found something, if any."""
    if not spot.in_flight:
        return spot.step
    node = run.detail.in_flight_node
    return next((step.index for step in reversed(run.steps) if step.node_id == node), None)


def difference_rows(run: LoadedRun, step: Step | None) -> tuple[Row, ...]:
    """Return what differs between the output of the step before and that of this one.

    The first step is compared with the run's input.
    """
    if step is None:
        return (Row((Piece("no step recorded", "muted"),)),)
    before = _before(run, step)
    old = run.detail.initial_input if before is None else _payload(run, before, OUTPUT)
    new = _payload(run, step, OUTPUT)
    since = "the run's input" if before is None else f"the output of {title(before)}"
    heading = Row((Piece(f"from {since} to this output", "muted"),))
    if new is None:
        return heading, Row((Piece("this step has no output", "muted"),))
    return heading, *_changed(old, new)


@lru_cache(maxsize=4)
def _changed(old: str | None, new: str) -> tuple[Row, ...]:
    """Return the difference, worked out once although the pane is drawn again and again."""
    return diff_rows(diff(old, new))


def _before(run: LoadedRun, step: Step) -> Step | None:
    """Return the step before one, in the order of the timeline."""
    at = place(run.steps, StepItem(step.index))
    return run.steps[at - 1] if at else None


def _payload(run: LoadedRun, step: Step, part: str) -> str | None:
    at = step.index
    history = run.detail.history
    if 0 <= at < len(history) and history[at].index == at:
        return history[at].input if part == INPUT else history[at].output
    entry = next((entry for entry in history if entry.index == at), None)
    if entry is not None:
        return entry.input if part == INPUT else entry.output
    in_flight = part == INPUT and step.node_id == run.detail.in_flight_node
    return run.detail.in_flight_input if in_flight else None


def heading_rows(step: Step | None, part: str, width: int) -> tuple[Row, Row]:
    """Return the selected step's name and status, and the names of the parts."""
    if step is None:
        return Row((Piece("no step recorded", "muted"),)), _names(parts_of(step), part, width)
    status = Piece(f"  {text.line(step.status, 40)}")
    return Row((Piece(title(step), "strong"), status)), _names(parts_of(step), part, width)


def _names(parts: tuple[str, ...], part: str, width: int) -> Row:
    """Return the names of the parts; where not all fit, from the one before the open one on."""
    whole = len("  ".join(parts)) + len("[]")
    first = 0 if whole <= width else max(0, parts.index(part) - 1)
    line: list[Piece] = [Piece("… ", "muted")] if first else []
    for one in parts[first:]:
        shown = Piece(f"[{one}]", "strong") if one == part else Piece(one, "muted")
        line += (shown, Piece("  "))
    return Row(tuple(line))
