"""A session as one animated picture: its screens, one after another, each for a while."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from tests.tui.harness import Explorer

_VIEW_BOX: Final = re.compile(r'<svg class="rich-terminal" viewBox="0 0 ([\d.]+) ([\d.]+)"')
_CAPTION: Final = 30
"""The height, in the picture's units, of the line below the screen."""


class Step(NamedTuple):
    """What is pressed next, and what a person would say to it."""

    says: str
    keys: tuple[str, ...] = ()
    seconds: float = 3.0
    """How long the screen stands."""


SESSION: Final = (
    Step("Threads and their runs, newest first"),
    Step("t t: only failures, each with its reason", ("t", "t")),
    Step("enter: the run opens at its failure", ("enter",), 4),
    Step("1: what ran when, with each branch decision", ("1",), 4),
    Step("2: which edges were considered, and why one was not taken", ("2",), 4),
    Step("3: what went into the step that failed", ("3",)),
    Step("ctrl+t: everything as it was when it began", ("ctrl+t",)),
    Step("right: event by event", ("right", "right")),
    Step("esc: back to now; o: the last minutes at a glance", ("escape", "escape", "o"), 4),
)


class Frame(NamedTuple):
    """A screen as it was drawn, and for how long it stands."""

    svg: str
    says: str
    seconds: float


async def record(explorer: Explorer, session: Sequence[Step]) -> str:
    """Press the keys of a session; returns its screens as an animated SVG."""
    frames: list[Frame] = []
    for step in session:
        await explorer.press(*step.keys)
        frames.append(Frame(explorer.svg, step.says, step.seconds))
    return animated(frames)


def animated(frames: Sequence[Frame]) -> str:
    """Return one SVG that shows the frames by turns, for ever."""
    found = _VIEW_BOX.search(frames[0].svg)
    assert found is not None, "not a screenshot of Textual"
    width, height = float(found[1]), float(found[2])
    total = sum(frame.seconds for frame in frames)
    parts, styles, begins = [], [], 0.0
    for number, frame in enumerate(frames):
        ends = begins + frame.seconds
        styles.append(_turn(number, begins / total, ends / total, total))
        caption = (
            f'<text x="{width / 2:g}" y="{height + 20:g}" class="says">{escape(frame.says)}</text>'
        )
        placed = f'<svg width="{width:g}" height="{height:g}"'
        screen = frame.svg.replace("<svg", placed, 1)
        parts.append(f'<g class="turn-{number}">{screen}{caption}</g>')
        begins = ends
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height + _CAPTION:g}">'
        f"<style>.says{{font:16px sans-serif;fill:#888;text-anchor:middle}}{''.join(styles)}"
        f"</style>{''.join(parts)}</svg>\n"
    )


def _turn(number: int, begins: float, ends: float, total: float) -> str:
    """Return the style that shows a frame from one share of the whole time to another."""
    hidden, visible = "{visibility:hidden}", "{visibility:visible}"
    if not number:
        shares = f"0%{visible}{ends:.3%}{hidden}"
    elif ends < 1:
        shares = f"0%{hidden}{begins:.3%}{visible}{ends:.3%}{hidden}"
    else:
        shares = f"0%{hidden}{begins:.3%},100%{visible}"
    return (
        f"@keyframes turn-{number}{{{shares}}}"
        f".turn-{number}{{visibility:hidden;animation:turn-{number} {total:g}s step-end infinite}}"
    )
