"""The dialog that forks a run: in which thread, from which state, and exactly what is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from textual import work

from zeroth_store.actions import Write
from zeroth_store.run_detail import JsonText
from zeroth_tui.line import Row
from zeroth_tui.screens.act_dialog import ActDialog
from zeroth_tui.text import clip, line
from zeroth_tui.views.act_choices import Candidate
from zeroth_tui.views.branch_source import Source
from zeroth_tui.views.branch_words import EDIT, NEW, about_way, fork_rows, way_rows
from zeroth_tui.views.fork_state import NotEditable, changes, editable
from zeroth_tui.views.json_diff import Change
from zeroth_tui.views.layout import short

_TITLE: Final = 70


class Forks(NamedTuple):
    """What a fork would write, planned for both ways."""

    same: Write
    """In the thread of its source."""
    new: Write
    """In a thread of its own."""
    state: JsonText
    """What the new run starts from."""


PlanForks = Callable[[JsonText | None], Awaitable[Forks]]
"""Plans forks from the stored state, or from an edited one. Raises a StoreError."""


class ForkDialog(ActDialog):
    """Returns the fork that was shown when it was confirmed, or None.

    The source is as it stood at opening: the write compares with that.
    """

    def __init__(self, run: Candidate, source: Source, forks: Forks, plan: PlanForks) -> None:
        """Ask how to fork `run`, which offers that alone; `plan` plans with an edited state."""
        super().__init__([run], self._planned, lead=self._said)
        self._source = source
        self._first = self._forks = forks
        self._plan_forks = plan
        self._new_thread = False
        self._text: str | None = None
        self._edits: tuple[Change, ...] | None = None

    def _planned(self, *_: object) -> Write:
        return self._forks.new if self._new_thread else self._forks.same

    def menu_title(self) -> str:
        """Return what is forked, and from where."""
        return clip(f"Fork run {short(self._source.key.run_id)} {self._source.words}", _TITLE)

    def menu_rows(self, width: int) -> tuple[Row, ...]:
        """Return the ways to fork."""
        thread = self._first.same.columns.get("thread_id")
        edited = None if self._edits is None else len(self._edits)
        return way_rows(thread if isinstance(thread, str) else None, edited, width)

    def about(self, at: int, width: int) -> tuple[Row, ...]:
        """Return what is to be known of a way to fork."""
        return about_way(at, self.choices[0], width)

    def choose(self, at: int) -> None:
        """Show what a way to fork writes, or the state to be edited."""
        if at == EDIT:
            self._edit()
            return
        self._new_thread = at == NEW
        self.open_page(self.choices[0])

    def _said(self, width: int) -> tuple[Row, ...]:
        return fork_rows(self._source, new_thread=self._new_thread, edits=self._edits, width=width)

    @work(group="ask")
    async def _edit(self) -> None:
        from zeroth_tui.screens.state_editor import StateEditor

        try:
            shown = editable(self._first.state)
        except NotEditable as error:
            self.notify(line(str(error)), severity="warning", markup=False)
            return
        editor = StateEditor(shown, self._text or shown, self._take, may_show=bool(self._text))
        if await self.app.push_screen_wait(editor):
            self.open_menu()

    async def _take(self, edited: str) -> None:
        """Plan with an edited state, and remember what that changes."""
        forks = await self._plan_forks(edited)
        # Comparing large states takes a while; the screen stays free meanwhile.
        self._edits = await asyncio.to_thread(changes, self._first.state, forks.state)
        self._forks, self._text = forks, edited
