"""Copying without secrets, away from the screen's thread where that takes a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from textual import on, work
from textual.app import App

from zeroth_tui.format import count
from zeroth_tui.key_words import keyed
from zeroth_tui.text import line, mask_text
from zeroth_tui.widgets.value_pane import ValuePane

_MOST: Final = 1_000_000
"""Characters that are copied at the most: terminals drop more, or stop for seconds."""
_AT_ONCE: Final = 20_000
"""Characters that are copied without delay: their secrets are found in some 20 ms."""


class CopyingApp(App[None]):
    """Has one copy under way at the most: what was asked for last is what is copied."""

    def copy_to_clipboard(self, text: str) -> None:
        """Copy text, its secrets hidden as they are on the screen.

        In JSON that is edited they are shown: what is cut there is pasted there as it was.
        """
        self.workers.cancel_group(self, "copy")
        kept = text if self.screen.query("JsonArea:focus") else None
        if len(text) <= _AT_ONCE:
            self._put(mask_text(text), kept)
        else:
            if kept is not None:
                self._clipboard = kept
            self._copy_later(lambda: text, kept)

    @on(ValuePane.CopyWanted)
    def copy_value(self, event: ValuePane.CopyWanted) -> None:
        """Copy a part of what is stored, and say so when it is done."""
        self._copy_later(event.make, tell=True)

    @work(exclusive=True, group="copy")
    async def _copy_later(
        self, make: Callable[[], str], kept: str | None = None, *, tell: bool = False
    ) -> None:
        stored = await asyncio.to_thread(make)
        if len(stored) > _MOST:
            self._refuse(len(stored))
            return
        text = await asyncio.to_thread(mask_text, stored)
        self._put(text, kept)
        if tell:
            self.notify(f"Copied {line(text, 80)}", markup=False)

    def _refuse(self, length: int) -> None:
        """Say that a text is too long: a part of it, e.g. of JSON, would be another value."""
        words = f"Not copied: {count(length)} characters, and a terminal takes {count(_MOST)}."
        way_out = keyed(self, " `{state.save_value:w}` writes a value into a file.")
        self.notify(words + way_out, severity="warning", markup=False)

    def _put(self, text: str, kept: str | None) -> None:
        """Put text on the clipboard, and in the app's own what it is to paste instead."""
        super().copy_to_clipboard(text)
        if kept is not None:
            self._clipboard = kept
