"""The README's table of keys, from the bindings: `python -m tests.tui.key_table` prints it."""

from __future__ import annotations

from typing import Final

from textual.dom import DOMNode

from zeroth_tui.app import ExplorerApp
from zeroth_tui.key_words import names
from zeroth_tui.screens.explorer import ExplorerScreen
from zeroth_tui.screens.journal_screen import JournalScreen
from zeroth_tui.screens.keys import GROUPS, declared
from zeroth_tui.screens.overview_screen import OverviewScreen
from zeroth_tui.views.help_rows import Entry, merged
from zeroth_tui.widgets.checkpoints_pane import CheckpointsPane
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.overview_tables import OverviewTables
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.state_pane import StatePane
from zeroth_tui.widgets.time_bar import TimeBar
from zeroth_tui.widgets.timeline_pane import TimelinePane

PLACES: Final[tuple[type[DOMNode], ...]] = (
    *(ExplorerScreen, RunTree, RunView, TimelinePane, StatePane, CheckpointsPane, FilterBar),
    *(TimeBar, OverviewTables, OverviewScreen, JournalScreen, ExplorerApp),
)
"""What the table tells the keys of; dialogs name their own."""

PALETTE: Final = (
    "| Everywhere | `ctrl+p` | Palette: finds all of this, and runs and threads, by name |"
)


def rows() -> list[str]:
    """Return a row for each entry that the help shows."""
    found: dict[str, dict[str, Entry]] = {group: {} for group in GROUPS}
    for place in PLACES:
        for group, binding in declared(place):
            name = binding.id or ""
            words = binding.tooltip or binding.description
            found[group].setdefault(name, Entry(names(binding), words, "", name))
    told: list[str] = []
    for group, entries in found.items():
        for at, entry in enumerate(merged(tuple(entries.values()))):
            keys = " ".join(f"`{key}`" for key in entry.keys)
            told.append(f"| {'' if at else f'**{group}** '}| {keys} | {entry.words} |")
    return told


def table() -> str:
    """Return the whole table."""
    return "\n".join(("| where | keys | what they do |", "|---|---|---|", *rows(), PALETTE))


if __name__ == "__main__":
    print(table())
