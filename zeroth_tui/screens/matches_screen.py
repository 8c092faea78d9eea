"""The part of the explorer that acts on every run that the list's filter lets through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from textual import work
from textual.binding import BindingType

from zeroth_store.browse import RunKey
from zeroth_store.errors import StoreError
from zeroth_tui.format import count
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.acting_screen import MANY, ActingScreen

MOST: Final = 1_000
"""How many runs are acted on at once."""


class Matches(NamedTuple):
    """Runs that match, as of one moment."""

    keys: Sequence[RunKey]
    words: str
    """What they are called."""


class MatchesScreen(ActingScreen):
    """Takes the runs that match now, and acts on exactly these, whatever comes later."""

    BINDING_GROUP_TITLE = "Act"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "What can be done to every run that the filter lets through",
            ("explorer.act_on_matches", "X", "act_on_matches", "Actions on all matches"),
        ),
    ]

    def action_act_on_matches(self) -> None:
        """Offer what can be done to all runs that match the filter."""
        if not self._narrowed:
            self.notify("X acts on all runs that match a filter: set one with / first")
        else:
            self._act_on_matches()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done at all."""
        if action == "act_on_matches":
            return self._actor is not None
        return super().check_action(action, parameters)

    @property
    def _narrowed(self) -> bool:
        """Whether the list leaves any runs out."""
        return self._wanted.filter is not None or self._wanted.mode == "failures"

    @work(group="ask", exclusive=True)
    async def _act_on_matches(self) -> None:
        try:
            found = await self._matches()
        except StoreError as error:
            self._trouble(error)
            return
        if not found.keys:
            self.notify("No run matches, so there is nothing to act on")
            return
        if len(found.keys) > MANY:
            self.notify(f"Looking at how {count(len(found.keys))} runs stand …", markup=False)
        await self.ask_about(found.keys, None, found.words)

    async def _matches(self) -> Matches:
        """Return the runs that match, in the list's order, up to MOST."""
        if self._wanted.searches:
            return self._found()
        # One reading, so that no run is counted twice or left out while others come in.
        window = await self._browser.window(self._wanted.query, self._wanted.order, 0, MOST)
        listed = tuple(run.key for run in window.rows)
        if window.total > len(listed) == MOST:
            about = "" if window.exact else "about "
            words = f"the first {count(MOST)} of {about}{count(window.total)} runs that match"
            return Matches(listed, words)
        return Matches(listed, _all(len(listed), "match" if len(listed) > 1 else "matches"))

    def _found(self) -> Matches:
        """Return the runs that a search through payloads has found so far."""
        flat = self.forest.flat if self.forest is not None else None
        keys = () if flat is None else tuple(run.key for run in flat.runs.values())
        if len(keys) > MOST:
            return Matches(keys[:MOST], f"the first {count(MOST)} of {count(len(keys))} runs found")
        done = flat is not None and flat.exact
        return Matches(keys, _all(len(keys), "were found" if done else "were found so far"))


def _all(number: int, what: str) -> str:
    return f"the one run that {what}" if number == 1 else f"all {count(number)} runs that {what}"
