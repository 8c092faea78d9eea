"""A screen over another one, which gives up what it does in the background when it is left."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class PushedScreen(Screen[ScreenResultType]):
    """Base of the screens that read or check something while they are open."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave; what is under way for this screen would find its parts gone."""
        self.workers.cancel_node(self)
        return super().dismiss(result)
