"""The part of the explorer that goes to a run or a thread, wherever it is in the list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

import msgspec
from textual import on, work
from textual.command import Provider

from zeroth_store.browse import RunKey, RunSummary, ThreadKey, ThreadSummary
from zeroth_store.errors import StoreError
from zeroth_store.status import RunStatus
from zeroth_tui.screens.finding_screen import FindingScreen
from zeroth_tui.text import line
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.named_views import reopen_command
from zeroth_tui.widgets.folding_list import FoldingList
from zeroth_tui.widgets.run_tabs import TABS


def _palette() -> type[Provider]:
    from zeroth_tui.screens.palette import RunsProvider

    return RunsProvider


def thread_of(run: RunSummary) -> ThreadKey | None:
    """Return the thread that a run is in; None where it names none."""
    if run.thread_id is None:
        return None
    return ThreadKey(run.key.tenant_id, run.key.workspace_scope, run.thread_id)


class GoingScreen(FindingScreen):
    """Opens what was asked for at the start, in the palette or by a link."""

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}

    def start(self) -> None:
        """Show what the explorer was opened for."""
        if self._opening.run_id:
            self._find_run(self._opening.run_id)
        else:
            self.show_view(self._opening.view)

    @work(exclusive=True, group="find")
    async def _find_run(self, run_id: str) -> None:
        """Open the run that was asked for."""
        try:
            found = await self._browser.find(run_id)
        except StoreError as error:
            self._trouble(error)
            return
        runs = [one for one in found if isinstance(one, RunSummary)]
        exact = [run for run in runs if run.key.run_id == run_id] or runs
        if exact:
            self._first_tab = self._opening.tab
            self._aim_at(exact[0])
        else:
            words = f"No run has an id that begins with {line(run_id, 80)}"
            self.notify(words, severity="warning", markup=False)
        self.show_view(self._opening.view)

    def open_run(self, run: RunSummary) -> None:
        """Put the cursor on a run: in the list on show, else in its thread, else among all runs."""
        self._aim_at(run)
        self._show_aimed()

    async def open_by_key(self, key: RunKey) -> None:
        """Put the cursor on a run of which only the key is known, and which may be new or gone."""
        try:
            if self._wanted.flat and (await self._browser.index_progress()).ready:
                await self._browser.keep_index()  # from which lists by position are read
            found = await self._browser.run(key)
        except StoreError as error:
            self._trouble(error)
            return
        if found is None:
            words = f"Run {line(key.run_id, 80)} is no longer in the database."
            self.notify(words, severity="warning", markup=False)
            return
        if self._wanted.mode == "failures" and found.summary.status != RunStatus.FAILED:
            self._wanted = msgspec.structs.replace(self._wanted, mode="threads")
        self.open_run(found.summary)

    def open_thread(self, key: ThreadKey) -> None:
        """Unfold a thread and put the cursor on it."""
        self._wanted = msgspec.structs.replace(self._wanted.opened(key), mode="threads")
        self._going = self._near = key
        self._show_aimed()

    @on(FoldingList.ParentWanted)
    async def go_up(self, event: FoldingList.ParentWanted) -> None:
        """Put the cursor on what a run hangs under, wherever that is."""
        event.stop()
        run, thread = event.run, thread_of(event.run)
        if run.parent_run_id is not None:
            await self.open_by_key(run.key._replace(run_id=run.parent_run_id))
        elif thread is not None:
            self.open_thread(thread)

    def _aim_at(self, run: RunSummary) -> None:
        """Let the next list that is read have its cursor on a run."""
        self._look_at(run.key)
        self._going = run.key
        if (thread := thread_of(run)) is not None:
            self._wanted = self._wanted.opened(thread)
            self._near = thread

    def _show_aimed(self) -> None:
        self.run_tree.focus()
        elsewhere = isinstance(self._going, ThreadKey) or self._wanted.searches
        if not (elsewhere and self.filter_bar.put("")):  # else Changed comes, and reads the list
            self.read_list()

    def _put_cursor_on(self, item: RunKey | ThreadKey) -> None:
        """Put the cursor on what was gone to; a filter that leaves it out ends."""
        super()._put_cursor_on(item)
        if self.run_tree.item != item and self._wanted.filter is not None:
            self._going = item
            self.filter_bar.put("")

    def watch_opened(self, opened: LoadedRun | None) -> None:
        """Go to the tab, or to the value, for which a run was opened."""
        if opened is not None and opened.detail.summary.key != self._shown:
            self._shown = opened.detail.summary.key
            self.call_after_refresh(self._go_inside)

    def _go_inside(self) -> None:
        tab, self._first_tab = self._first_tab, ""
        if tab.title() in TABS:
            self.run_view.tab = TABS.index(tab.title())
        self._spot_shown = None
        self.go_to_spot()

    def reopen_command(self) -> str:
        """Return the shell command that opens what is on show again."""
        wanted, inside = self._wanted, self.run_view.has_focus_within
        run = self._looked_at.run_id if self._looked_at is not None and inside else None
        return reopen_command(
            self._opening.location,
            self.filter_bar.applied,
            wanted.order,
            wanted.mode,
            run,
            TABS[self.run_view.tab] if run is not None else None,
        )

    # What the palette asks

    async def look_up(self, text: str) -> tuple[RunSummary | ThreadSummary, ...]:
        """Return the runs and threads that fit a text, the best first. Raises a StoreError."""
        return await self._browser.find(text)

    def now(self) -> datetime:
        """Return the time from which ages are counted."""
        return self._clock()
