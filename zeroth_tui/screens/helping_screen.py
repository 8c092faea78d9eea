"""The part of the explorer that names every key, and does what is chosen by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, Final

from textual.command import Provider
from textual.dom import DOMNode
from textual.widget import Widget

from zeroth_store.errors import StoreError
from zeroth_tui.key_words import keyed
from zeroth_tui.screens.helped_screen import HelpedScreen
from zeroth_tui.screens.keys import commands
from zeroth_tui.screens.overviewing_screen import OverviewingScreen
from zeroth_tui.screens.past_screen import PRESENT_ONLY
from zeroth_tui.screens.time_machine import TimeMachineScreen
from zeroth_tui.widgets.run_tabs import TABS

_ACTS: Final = frozenset({"act", "act_on_matches", "checkpoint", "fork", "restore"})
_FIRST_KEYS: Final = (
    ("explorer.help", "all keys"),
    ("explorer.overview", "the database at a glance"),
    ("explorer.quit", "leave"),
)
_READ_ONLY: Final = "this database is open read-only"


def _palette() -> type[Provider]:
    from zeroth_tui.screens.keys_palette import KeysProvider

    return KeysProvider


class HelpingScreen(HelpedScreen[None], TimeMachineScreen, OverviewingScreen):
    """Tells what can be done here, in the help and in the palette, and why the rest cannot."""

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = (
        TimeMachineScreen.COMMANDS | {_palette}
    )

    def action_help(self) -> None:
        """Show all keys."""
        self.note_use("explorer.help")
        super().action_help()

    def place_words(self) -> str:
        """Return where the focus is, in words."""
        if self.run_view.panes.has_focus_within:
            return f"{TABS[self.run_view.tab]} of the run"
        if self.filter_bar.has_focus_within:
            return "the filter"
        return "the list of runs" if self.run_tree.has_focus else "the past's bar"

    async def say_empty(self) -> None:
        """Welcome who has an own database, which nothing has been written into yet."""
        await super().say_empty()
        try:
            kind, _, _ = await self._browser.identity()
        except StoreError as error:
            self._trouble(error)
            return
        if kind == "own" and self._past is None:
            from zeroth_tui.views.welcome import GREETING, welcome_rows

            found = {one.id: one for one in commands(self)}
            first = [(found[name], words) for name, words in _FIRST_KEYS]
            keys = [((one.keys or one.bound)[0], words) for one, words in first]
            path = self._opening.location
            self.run_view.say(*GREETING, below=lambda width: welcome_rows(path, keys, width))

    # What the palette asks

    def reachable(self) -> Iterable[DOMNode]:
        """Return the parts that can do something, also those without the focus."""
        return (self.run_tree, *self.run_view.all_panes, self.run_view, self)

    def why_not(self, node: DOMNode, action: str, parameters: tuple[object, ...]) -> str | None:
        """Return why a part does not do something now; empty where it does, None if unknown."""
        if self.opened is None and self.run_view in node.ancestors_with_self:
            return "no run is open"
        if node.check_action(action, parameters):
            return ""
        if self._past is not None and action in PRESENT_ONLY:
            return keyed(self, "this is the past: {explorer.time_machine:ctrl+t} returns to now")
        if action == "step_time":
            return keyed(
                self, "this is the present: {explorer.time_machine:ctrl+t} goes into the past"
            )
        if action in _ACTS | {"journal"} and self._actor is None:
            return _READ_ONLY
        return "no run is open" if action in _ACTS else None

    def bring_up(self, node: DOMNode) -> None:
        """Put the focus on a part, and bring its tab to the front."""
        if isinstance(node, Widget) and node.can_focus and not node.has_focus:
            pane = next((one for one in self.run_view.all_panes if one is node), None)
            if pane is None:
                node.focus()
            else:
                self.run_view.show_pane(pane)
