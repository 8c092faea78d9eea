"""The part of the command palette that does whatever a key does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from zeroth_tui.plain import PLAIN, plain_text
from zeroth_tui.screens.keys import Command, commands, give


class KeysProvider(Provider):
    """Offers every command of the screen; of one that does nothing now it says why."""

    async def discover(self) -> Hits:
        """Yield everything."""
        for title, command in self._commands():
            run = partial(give, self.screen, command)
            yield DiscoveryHit(title, run, help=self._help(command))

    async def search(self, query: str) -> Hits:
        """Yield what fits."""
        matcher = self.matcher(query)
        for title, command in self._commands():
            if (score := matcher.match(title)) > 0:
                run = partial(give, self.screen, command)
                yield Hit(score, matcher.highlight(title), run, help=self._help(command))

    def _commands(self) -> Iterator[tuple[str, Command]]:
        return ((f"{one.group}: {one.words}", one) for one in commands(self.screen))

    def _help(self, command: Command) -> str:
        if command.reason:
            return f"Not now: {command.reason}"
        keys = " ".join(command.keys or command.bound)
        words = f"{command.help or command.words} ({keys})"
        return plain_text(words) if self.app.has_class(PLAIN) else words
