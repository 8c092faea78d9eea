"""The part of the explorer that hints at one key more, until that was used."""

from __future__ import annotations

import asyncio
from typing import Final

from textual import work

from zeroth_store.browse import RunKey
from zeroth_store.status import RunStatus
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Piece
from zeroth_tui.screens.helping_screen import HelpingScreen
from zeroth_tui.screens.keys import working
from zeroth_tui.screens.used_keys import UsedKeys
from zeroth_tui.views.hints import HINTS, Seen, hint_words
from zeroth_tui.widgets.ink import Lines
from zeroth_tui.widgets.key_bar import KeyBar

_HINTED: Final = frozenset(hint.command for hint in HINTS)


class HintingScreen(HelpingScreen):
    """Has a quiet line above the keys while there is something to hint at."""

    _used: UsedKeys | None = None
    _hint: Lines | None = None

    def start(self) -> None:
        """Show what the explorer was opened for, and the first hint where hints are wanted."""
        super().start()
        if self._opening.hints is not None and not self._opening.tour:
            self._used = UsedKeys(self._opening.hints)
            self._hint = Lines(id="hint")
            self.mount(self._hint, before=self.query_one(KeyBar))
            self.bindings_updated_signal.subscribe(self, lambda _: self._choose_hint())
            self._choose_hint()

    def note_use(self, command: str) -> None:
        """Take note that a key was used; the hint at it is never shown again."""
        used = self._used
        if used is not None and command in _HINTED and command not in used.names:
            self._remember(used, command)

    @work(group="hints")
    async def _remember(self, used: UsedKeys, command: str) -> None:
        await asyncio.to_thread(used.add, command)
        self._choose_hint()

    def _choose_hint(self) -> None:
        """Say what fits what is on the screen."""
        if self._used is None or self._hint is None:
            return
        summary = self._summary
        seen = Seen(
            on_run=isinstance(self.run_tree.item, RunKey),
            in_run=self.run_view.has_focus_within,
            failed=summary is not None and summary.status == RunStatus.FAILED,
        )
        keys = {name: keys[0] for name, keys in working(self).items()}
        words = keyed(self, hint_words(seen, keys, self._used.names))
        self._hint.show(((Piece(f" {words}", "muted"),),))
        self._hint.display = bool(words)
