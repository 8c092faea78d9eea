"""A walk through everything the explorer can show, in a real terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.pty.poison import SEEN
from tests.pty.terminal import Terminal

DOWN, UP, TAB, ESCAPE, ENTER, CTRL_P = "\x1b[B", "\x1b[A", "\t", "\x1b[27u", "\r", "\x10"
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

STEPS: Final = (
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
    ("the palette", (CTRL_P, "o", "r")),
    ("the palette closed", (ESCAPE,)),
    ("the end of the list", ("G",)),
    ("the next mode", ("t",)),
    ("the mode after it", ("t",)),
    ("the first mode", ("t",)),
    ("another thread", ("g", DOWN, DOWN, ENTER)),
)
"""Name of a place -> the keys that lead there from the one before."""


def tour(terminal: Terminal, *, quiet: float = 0.15) -> Iterator[tuple[str, bool]]:
    """Go everywhere; yields each place, and whether hostile text was on the screen there.

    For a tab that is the part below the run's header.
    """
    for name, keys in STEPS:
        for key in keys:
            terminal.press(key)
            terminal.rest(quiet, 3)
        if name.startswith("tab "):
            terminal.wait_for(f"[{name.removeprefix('tab ')}]")
            yield name, terminal.becomes(lambda: SEEN in pane(terminal), 5)
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
