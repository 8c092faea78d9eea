"""The part of the explorer that tells when a run has ended or waits for somebody."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.reactive import reactive

from zeroth_store.browse import RunBrowser, RunKey
from zeroth_store.errors import StoreError
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.following_screen import FollowingScreen

if TYPE_CHECKING:
    from zeroth_tui.views.awaited import News


class AlertingScreen(FollowingScreen):
    """Rings, and leaves a notice on the desktop, for the runs that a person waits for."""

    BINDING_GROUP_TITLE = "Watch"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "Tell when the run, or the marked ones, end or wait; again: no longer",
            ("explorer.await_run", "W", "await_run", "Tell me"),
        ),
    ]

    awaited: reactive[frozenset[RunKey]] = reactive(frozenset[RunKey](), init=False, repaint=False)
    """The runs that a person waits for."""

    _statuses: Mapping[RunKey, str | None] = MappingProxyType({})
    """The same runs, with the status that each had when it was looked at last."""

    def action_await_run(self) -> None:
        """Tell when the marked runs, else the open one, end or wait; or no longer."""
        from zeroth_tui.views.awaited import promise

        summary = self.opened.detail.summary if self.opened is not None else None
        chosen = self.marks or frozenset[RunKey]({summary.key} if summary is not None else ())
        if chosen and chosen <= self.awaited:
            self._wait_for({key: was for key, was in self._statuses.items() if key not in chosen})
            self.notify(promise(len(chosen), kept=False), markup=False)
        elif chosen:
            self._await(sorted(chosen))

    async def take_change(self, *, replaced: bool) -> None:
        """Tell what became of the runs that are waited for, then show what has changed."""
        await self.look_after(self._browser)
        await super().take_change(replaced=replaced)

    @work(group="await")
    async def _await(self, keys: Sequence[RunKey]) -> None:
        """Wait for those of the runs that are not over, and say so of the others."""
        from zeroth_tui.views.awaited import news, promise

        try:
            found = await self._browser.summaries(keys)
        except StoreError as error:
            self._trouble(error)
            return
        statuses = dict(self._statuses)
        for key in keys:
            run = found.get(key)
            told = news(None if run is None else run.status, key.run_id, run)
            if told is not None:
                self.notify(told.words, severity=told.severity, markup=False)
            elif run is not None:
                statuses[key] = run.status
        if more := len(statuses) - len(self._statuses):
            self.notify(promise(more, kept=True), markup=False)
        self._wait_for(statuses)

    async def look_after(self, browser: RunBrowser) -> None:
        """Tell what became of the runs that are waited for. Raises a StoreError."""
        from zeroth_tui.views.awaited import news

        if not self.awaited:
            return
        asked = self._statuses
        found = await browser.summaries(tuple(asked))
        statuses = dict(self._statuses)
        for key, before in asked.items():
            if key not in statuses:  # it was given up meanwhile
                continue
            run = found.get(key)
            told = news(before, key.run_id, run)
            if run is not None:
                statuses[key] = run.status
            if told is not None:
                self._alert(told)
                if told.over:
                    del statuses[key]
        self._wait_for(statuses)

    def _wait_for(self, statuses: Mapping[RunKey, str | None]) -> None:
        self._statuses = statuses
        self.awaited = frozenset(statuses)

    def _alert(self, told: News) -> None:
        """Say it on the screen, and to who looks elsewhere."""
        from zeroth_tui.text.notices import attention

        self.notify(told.words, severity=told.severity, markup=False, timeout=30)
        driver = self.app._driver
        if driver is not None and (signal := attention(os.environ, "zeroth-tui", told.words)):
            driver.write(signal)
            driver.flush()
