"""A walk through everything the explorer can show, in a real terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tests.pty.poison import SEEN
from tests.pty.terminal import Terminal

DOWN, UP, TAB, ESCAPE, ENTER = "\x1b[B", "\x1b[A", "\t", "\x1b[27u", "\r"
CTRL_P, CTRL_T = "\x10", "\x14"
"""Keys; escape as terminals send it that tell it from the beginning of another key."""

TABS: Final = {
    "1": "Timeline",
    "2": "Conditions",
    "3": "State",
    "4": "Checkpoints",
    "5": "Failure",
    "6": "Raw",
    "7": "Graph",
}

STEPS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("a failed run", ("t", "t", "g")),
    *((f"tab {name}", (key,)) for key, name in TABS.items()),
    ("inside the checkpoints", ("4", TAB, "d")),
    ("back from the checkpoints", (ESCAPE, ESCAPE)),
    ("all of the state", ("3", TAB, "e")),
    ("the state's text", ("R",)),
    ("a step's output", ("\x1b[C",)),
    ("a step's difference", ("\x1b[C",)),
    ("copying a value", ("y",)),
    ("copying a path", ("Y",)),
    ("the end of a tab", ("6", "G")),
    ("the list again", (ESCAPE, TAB)),
    ("help", ("?",)),
    ("help closed", ("?",)),
    ("copying an id", ("y",)),
    ("copying the command", ("Y",)),
    ("what can be done", ("x",)),
    ("what will be done", ("1",)),
    ("nothing done", (ESCAPE, ESCAPE)),
    ("a checkpoint to write", ("c",)),
    ("no checkpoint written", (ESCAPE, ESCAPE)),
    ("the journal", ("@",)),
    ("the journal closed", (ESCAPE,)),
    ("the views", ("v",)),
    ("the views closed", (ESCAPE,)),
    ("the overview", ("o",)),
    ("a figure of the overview", (TAB, DOWN)),
    ("the overview closed", (ESCAPE,)),
    ("the past", (CTRL_T,)),
    ("an event later", (".",)),
    ("the past left", (ESCAPE,)),
    ("why nothing is forked", ("4", TAB, "F")),
    ("the list once more", (ESCAPE, ESCAPE, TAB)),
    ("what a filter can hold", ("/", "graph:")),
    ("a filter", ("\x7f" * 6, "status:failed", ENTER)),
    ("all that match", ("X",)),
    ("none of them changed", (ESCAPE, ESCAPE)),
    ("the filter cleared", (ESCAPE,)),
    ("a promise to tell", ("W", "W")),
    ("the palette", (CTRL_P, "o", "r")),
    ("the palette closed", (ESCAPE,)),
    ("the end of the list", ("G",)),
    ("the next mode", ("t",)),
    ("the mode after it", ("t",)),
    ("the first mode", ("t",)),
    ("another thread", ("g", DOWN, DOWN, ENTER)),
)
"""Name of a place -> the keys that lead there from the one before."""


SHORT: Final = tuple(step for step in STEPS if step[0] == "a failed run" or step[0][:3] == "tab")
"""A short tour, of the tabs alone."""


def tour(
    terminal: Terminal,
    *,
    quiet: float = 0.15,
    steps: Sequence[tuple[str, tuple[str, ...]]] = STEPS,
) -> Iterator[tuple[str, bool]]:
    """Go everywhere; yields each place, and whether hostile text was on the screen there.

    For a tab that is the part below the run's header.
    """
    for name, keys in steps:
        for key in keys:
            terminal.press(key)
            terminal.rest(quiet, 1.5)
        if name.startswith("tab "):
            terminal.wait_for(f"[{name.removeprefix('tab ')}]")
            seconds = 1 if name == "tab Conditions" else 30  # most runs took no decision
            yield name, terminal.becomes(lambda: SEEN in pane(terminal), seconds)
        else:
            yield name, SEEN in terminal.text
    for name, column in (("mouse over the list", 10), ("mouse over the run", 100)):
        for row in range(1, 30, 4):
            terminal.press(f"\x1b[<35;{column};{row}M")
        terminal.rest(quiet + 0.4, 3)  # a tooltip takes its time
        yield name, SEEN in terminal.text


def pane(terminal: Terminal) -> str:
    """Return what a screen of 160 columns shows of the open tab."""
    return "\n".join(line[70:] for line in terminal.text.splitlines()[5:])
