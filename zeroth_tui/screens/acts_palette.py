"""The part of the command palette that acts on runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider


class Command(NamedTuple):
    """An act as the palette offers it."""

    action: str
    """The name of the screen's action."""
    words: str
    help: str


COMMANDS: Final = (
    Command("act", "Actions", "What can be done to the open run, or to the marked ones (x)"),
    Command("act_on_matches", "Actions on all matches", "On all that the filter lets through (X)"),
    Command("checkpoint", "Write a checkpoint", "Of the open run, or of the marked ones (c)"),
    Command("restore", "Restore a checkpoint", "Of the one under the cursor in Checkpoints (b)"),
    Command("fork", "Fork", "A new run from the chosen step or checkpoint (F)"),
    Command("journal", "Journal", "What was done from here, and undo (@)"),
)


@runtime_checkable
class Acting(Protocol):
    """What a screen offers so that the palette acts for it."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what cannot be done at all."""
        ...

    def action_act(self) -> None:
        """Offer what can be done."""
        ...

    def action_act_on_matches(self) -> None:
        """Offer what can be done to all that match."""
        ...


class ActsProvider(Provider):
    """Offers what acts on runs, where anything may be changed."""

    async def discover(self) -> Hits:
        """Yield everything."""
        for command, run in self._commands():
            yield DiscoveryHit(command.words, run, help=command.help)

    async def search(self, query: str) -> Hits:
        """Yield what fits."""
        matcher = self.matcher(query)
        for command, run in self._commands():
            if (score := matcher.match(command.words)) > 0:
                yield Hit(score, matcher.highlight(command.words), run, help=command.help)

    def _commands(self) -> Iterator[tuple[Command, Callable[[], None]]]:
        screen = self.screen
        if not isinstance(screen, Acting):
            return
        for command in COMMANDS:
            if screen.check_action(command.action, ()):
                yield command, getattr(screen, f"action_{command.action}")
