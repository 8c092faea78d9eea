"""Driving one screen over an empty application: keys in, text out."""

from __future__ import annotations

import re

from textual.app import App
from textual.pilot import Pilot


class Driver:
    """A screen that is open; what opens it sets `app` and `pilot`."""

    app: App[None]
    pilot: Pilot[None]

    async def press(self, *keys: str) -> None:
        """Press keys one by one."""
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()

    @property
    def text(self) -> str:
        """What is on screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)

    @property
    def words(self) -> str:
        """What is on screen without frames and scroll bars, as one line."""
        return " ".join(re.sub("[│█]", " ", self.text).split())

    @property
    def said(self) -> str:
        """What the toasts say, unwrapped."""
        return "\n".join(note.message for note in self.app._notifications)
