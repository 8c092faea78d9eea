"""The hints that show a newcomer around, each of which stays until its key had its effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.content import Content
from textual.widgets import Static

from zeroth_tui.key_words import keyed
from zeroth_tui.screens.help_screen import HelpScreen
from zeroth_tui.screens.overview_screen import OverviewScreen
from zeroth_tui.widgets.column_bar import ColumnBar
from zeroth_tui.widgets.run_tabs import CONDITIONS, STATE

if TYPE_CHECKING:
    from zeroth_tui.screens.touring_screen import TouringScreen


class Hint(NamedTuple):
    """One stop of the tour."""

    words: str
    """What there is to see."""
    key: str
    """The key that leads on, and what it does."""
    done: Callable[[TouringScreen], bool]
    """Whether that has happened."""


HINTS: Final = (
    Hint(
        "On the left are threads and their runs, newest first. What changes, changes here.",
        "{list.down:↓}  goes down the list; the run on the right follows",
        lambda screen: screen.run_tree.item != screen.was_at,
    ),
    Hint(
        "The list has three modes: threads, all runs, and failures with their reasons.",
        "{explorer.mode:t}  shows the next mode",
        lambda screen: screen.query_one(ColumnBar).has_class("-open"),
    ),
    Hint(
        "A failed run opens at its failure, any other one at its timeline.",
        "{list.open:enter}  goes into the run",
        lambda screen: screen.run_view.has_focus_within,
    ),
    Hint(
        "A run has seven tabs. Conditions tells which way each decision went, on what value,"
        " and why not the other.",
        "{explorer.conditions:2}  opens Conditions",
        lambda screen: screen.run_view.tab == CONDITIONS,
    ),
    Hint(
        "State is what a step got and returned, and what it changed. {run.previous:[} and"
        " {run.next:]} go from step to step.",
        "{explorer.state:3}  opens State",
        lambda screen: screen.run_view.tab == STATE,
    ),
    Hint(
        "That was a run. One step back is always the same key.",
        "{explorer.back:esc}  returns to the list",
        lambda screen: screen.run_tree.has_focus,
    ),
    Hint(
        "Words match ids, nodes and errors; status:failed since:1h says it exactly.",
        "{explorer.filter:/}  filters the list",
        lambda screen: screen.filter_bar.is_open,
    ),
    Hint(
        "Type a filter, tab completes it. A mistake is underlined and never empties the list.",
        "{filter.leave:esc}  ends the filter, or first closes the choices",
        lambda screen: not screen.filter_bar.is_open,
    ),
    Hint(
        "Cancel, pause, approve, replay: first you see every value that would be written."
        " Nothing happens on one key; {act.back:esc} closes it.",
        "{explorer.act:x}  offers what can be done to this run",
        lambda screen: screen.app.screen is not screen,
    ),
    Hint(
        "How many fail, what takes long, who waits, what is stuck: every figure opens its runs.",
        "{explorer.overview:o}  sums up the last minutes, {overview.close:esc} comes back",
        lambda screen: isinstance(screen.app.screen, OverviewScreen),
    ),
    Hint(
        "Everything as it was when this run began: {past.before:,} and {past.after:.} go from event"
        " to event, {past.leave:esc} to now.",
        "{explorer.time_machine:ctrl+t}  goes into the past",
        lambda screen: screen.has_class("-past"),
    ),
    Hint(
        "The rest you find by its name with ctrl+p. This is the last hint.",
        "{explorer.help:?}  lists all keys",
        lambda screen: isinstance(screen.app.screen, HelpScreen),
    ),
)
"""The tour, from the first to the last stop."""


class Tour(Static):
    """Says one hint in lines of its own: what it speaks of stays in sight."""

    DEFAULT_CSS = """
    Tour {
        height: auto;
        max-height: 4;
        padding: 0 1;
        background: $accent-muted;
        color: $foreground;
    }
    """

    def say(self, at: int) -> None:
        """Show a hint by its place in HINTS."""
        hint = HINTS[at]
        self.update(
            Content.assemble(
                (f"Tour {at + 1} of {len(HINTS)}  ", "bold"),
                keyed(self, hint.words),
                "\n",
                (keyed(self, hint.key), "bold"),
                keyed(self, "    {explorer.leave_tour:Q}  leaves the tour"),
            )
        )
