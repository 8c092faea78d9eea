"""A screen that lists all keys over itself, and does what is chosen among them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.screen import ScreenResultType

from zeroth_tui.screens.keys import Command, commands, give
from zeroth_tui.screens.pushed_screen import PushedScreen

if TYPE_CHECKING:
    from zeroth_tui.views.help_rows import Section


class HelpedScreen(PushedScreen[ScreenResultType]):
    """Has the help on its keys; base of the screens that have no field to type into."""

    BINDING_GROUP_TITLE = "Everywhere"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark,f1",
            "help",
            "Help",
            key_display="?",
            id="explorer.help",
            tooltip="All keys: those that work here first",
        ),
    ]

    def place_words(self) -> str:
        """Return where the focus is, in words."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Show all keys."""
        self._show_help()

    @work(group="ask")
    async def _show_help(self) -> None:
        from zeroth_tui.screens.help_screen import HelpScreen

        found = commands(self)
        shown = HelpScreen(self.place_words(), self._sections(found))
        chosen = await self.app.push_screen_wait(shown)
        for command in found:
            if command.id == chosen:
                await give(self, command)

    def _sections(self, found: Iterable[Command]) -> list[Section]:
        """Return the keys of the place with the focus, then the screen's, then the others'."""
        from zeroth_tui.views.help_rows import Entry, Section, merged

        here = [] if self.focused is None else self.focused.ancestors_with_self
        ranked: dict[tuple[int, str], list[Entry]] = {}
        for one in found:
            is_here = one.node in here
            keys = one.keys if is_here and not one.reason else one.bound
            rank = 2 if not is_here else 0 if one.node not in {self, self.app} else 1
            if keys:
                entry = Entry(keys, one.help or one.words, one.reason, one.id)
                ranked.setdefault((rank, one.group), []).append(entry)
        for group in [group for rank, group in ranked if rank == 1 and (0, group) in ranked]:
            ranked[0, group] += ranked.pop((1, group))
        order = sorted(ranked, key=lambda place: place[0])
        return [
            Section(f"In {group}" if rank == 2 else group, merged(ranked[rank, group]))
            for rank, group in order
        ]
