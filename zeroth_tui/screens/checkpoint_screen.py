"""The part of the explorer that looks into checkpoints: differences, and runs as of then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from textual import on, work
from textual.worker import Worker

from zeroth_store.browse import CheckpointSummary, RunBrowser, RunKey
from zeroth_store.errors import StoreError
from zeroth_tui.screens.reading_screen import ReadingScreen
from zeroth_tui.text import line
from zeroth_tui.views.checkpoint_changes import is_thread_state
from zeroth_tui.views.checkpoint_difference import compare
from zeroth_tui.views.loaded import LoadedRun, load
from zeroth_tui.widgets.checkpoints_pane import CheckpointsPane
from zeroth_tui.widgets.run_tabs import CHECKPOINTS

_GONE = "This checkpoint has no row any more: retention removes checkpoints"


class CheckpointScreen(ReadingScreen):
    """Shows the open run as of a checkpoint until somebody returns to now."""

    _as_of: str | None = None
    """The checkpoint that is shown instead of the run's row."""

    @on(CheckpointsPane.FactsWanted)
    def ask_what_changed(self, event: CheckpointsPane.FactsWanted) -> None:
        """Read what the checkpoints in sight are compared by."""
        event.stop()
        self._read_facts(event)

    @on(CheckpointsPane.OpenWanted)
    def open_checkpoint(self, event: CheckpointsPane.OpenWanted) -> None:
        """Show what a checkpoint holds."""
        event.stop()
        if self._looked_at is not None:
            self._open_checkpoint(self._looked_at, event.checkpoint)

    @on(CheckpointsPane.DifferenceWanted)
    def show_difference(self, event: CheckpointsPane.DifferenceWanted) -> None:
        """Show what is different in two checkpoints."""
        event.stop()
        self._compare(event)

    def return_to_now(self) -> bool:
        """Show the run as it is; False when it is shown so already."""
        if self._as_of is None:
            return False
        self._as_of = None
        self.run_view.tab = CHECKPOINTS
        self._reopen()
        return True

    @work(exclusive=True, group="facts")
    async def _read_facts(self, wanted: CheckpointsPane.FactsWanted) -> None:
        try:
            facts = await self._browser.checkpoint_facts(wanted.key, wanted.checkpoint_ids)
        except StoreError as error:
            self._trouble(error)
            return
        self.run_view.checkpoints.learn(wanted, facts)

    @work(exclusive=True, group="checkpoint")
    async def _open_checkpoint(self, key: RunKey, checkpoint: CheckpointSummary) -> None:
        text = await self._readable(key, checkpoint)
        if text is None or key != self._looked_at:
            return
        if is_thread_state(checkpoint):
            self.run_view.checkpoints.show_thread_state(checkpoint, text)
        else:
            self._as_of = checkpoint.checkpoint_id
            self._reopen()

    @work(exclusive=True, group="checkpoint")
    async def _compare(self, wanted: CheckpointsPane.DifferenceWanted) -> None:
        old = await self._readable(wanted.key, wanted.before)
        new = await self._readable(wanted.key, wanted.after) if old is not None else None
        if old is not None and new is not None:
            found = await asyncio.to_thread(compare, wanted.before, old, wanted.after, new)
            if wanted.key == self._looked_at:
                self.run_view.checkpoints.show_difference(found)

    async def _readable(self, key: RunKey, checkpoint: CheckpointSummary) -> str | None:
        """Return a checkpoint's state, or say why it cannot be read."""
        try:
            state = await self._browser.checkpoint_state(key, checkpoint.checkpoint_id)
        except StoreError as error:
            self._trouble(error)
            return None
        problem = _GONE if state is None else state.problem
        if problem is not None:
            self.notify(line(problem), severity="warning", markup=False)
        return None if state is None else state.text

    @work(exclusive=True, group="run")
    async def _open_as_of(self, key: RunKey, checkpoint_id: str) -> None:
        try:
            loaded = await _run_as_of(self._browser, key, checkpoint_id, self._clock)
        except StoreError as error:
            self._trouble(error)
            return
        if (key, checkpoint_id) != (self._looked_at, self._as_of):
            return
        if loaded is None:
            self.notify(_GONE, severity="warning", markup=False)
            self.return_to_now()
        else:
            self.opened = loaded

    def _look_at(self, key: RunKey | None, *, after: float = 0) -> None:
        """Show another run, as it is now."""
        self._as_of = None
        super()._look_at(key, after=after)

    def _reopen(self, after: float = 0) -> Worker[None] | None:
        """Read what is shown again: the run, or the checkpoint that stands in for it."""
        if self._as_of is not None and self._looked_at is not None:
            return self._open_as_of(self._looked_at, self._as_of)
        return super()._reopen(after)


async def _run_as_of(
    browser: RunBrowser, key: RunKey, checkpoint_id: str, clock: Callable[[], datetime]
) -> LoadedRun | None:
    """Read a run as a checkpoint holds it; None when none can be read."""
    found = await browser.run_as_of(key, checkpoint_id)
    if found is None:
        return None
    checkpoints = await browser.checkpoints(key)
    graph = await browser.graph(found.detail.summary.key)
    as_of = found.detail.as_of
    then = as_of.moment.instant if as_of is not None else None
    now = then or clock()
    return await asyncio.to_thread(load, found.detail, found.related, checkpoints, now, graph)
