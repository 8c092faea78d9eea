"""Which key is the most useful one to know next, where somebody is who has not used it yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple


class Seen(NamedTuple):
    """What is on the screen."""

    on_run: bool
    """Whether the cursor of the list is on a run."""
    in_run: bool
    """Whether the focus is in the open run."""
    failed: bool
    """Whether the open run has failed."""


class Hint(NamedTuple):
    """One thing that is worth to be known."""

    command: str
    """The id of the command whose use ends the hint."""
    words: Callable[[Seen], str]
    """What it does, behind the name of its key; other keys stand in it as in `{app.theme:T}`."""
    fits: Callable[[Seen], bool]


HINTS: Final = (
    Hint(
        "list.open",
        lambda seen: "opens the failure" if seen.failed else "goes into the run",
        lambda seen: seen.on_run and not seen.in_run,
    ),
    Hint(
        "explorer.state",
        lambda _: (
            "shows what a step got and returned;"
            " {explorer.timeline:1} to {explorer.graph:7} are the tabs"
        ),
        lambda seen: seen.in_run,
    ),
    Hint("explorer.back", lambda _: "goes back to the list", lambda seen: seen.in_run),
    Hint(
        "explorer.filter",
        lambda _: "finds runs by any part, node or error",
        lambda seen: not seen.in_run,
    ),
    Hint("explorer.act", lambda _: "shows what can be done to the run", lambda seen: seen.on_run),
    Hint("explorer.overview", lambda _: "sums up the last minutes", lambda _: True),
    Hint(
        "explorer.time_machine",
        lambda _: "goes back in time",
        lambda seen: seen.on_run or seen.in_run,
    ),
    Hint("explorer.help", lambda _: "shows every key", lambda _: True),
)
"""The most useful ones first."""


def hint_words(seen: Seen, keys: Mapping[str, str], used: frozenset[str]) -> str:
    """Return the hint to show, empty where there is none; `keys` names those that work here."""
    for hint in HINTS:
        if hint.command in keys and hint.command not in used and hint.fits(seen):
            return f"{keys[hint.command]} {hint.words(seen)}"
    return ""
