"""The part of the explorer that follows the newest run, and that holds the view still."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual import on, work
from textual.binding import BindingType

from zeroth_store.browse import Mark, RunKey, RunOrder, RunSummary, ThreadKey
from zeroth_store.errors import StoreError
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens import reading
from zeroth_tui.screens.going_screen import GoingScreen, thread_of
from zeroth_tui.screens.reading_screen import ReadingScreen
from zeroth_tui.views.run_tree import LOOSE
from zeroth_tui.widgets.row_list import RowList

_NEWEST_FIRST = RunOrder()


class FollowingScreen(GoingScreen):
    """Keeps the cursor on the newest run until it is moved; shows nothing new while paused."""

    BINDING_GROUP_TITLE = "Watch"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "Stay on the newest run; any move lets go", ("explorer.follow", "f", "follow", "Follow")
        ),
        *hidden(
            "Hold the view still and count what changes; again: show all of it",
            ("explorer.pause", "p", "pause", "Pause"),
        ),
    ]

    _following = False
    _let_go = False
    """Whether a move has ended the following: a move to where new runs come in takes it up."""
    _followed: object | None = None
    """What the cursor was put on last; where it is elsewhere, somebody has moved it."""
    _unfolded: ThreadKey | None = None
    """The thread that was unfolded only to follow."""
    _mark: Mark | None = None
    """How the runs stood when the pause began; None while nothing is paused."""

    def action_follow(self) -> None:
        """Go to the newest run and stay on the newest, or stay where the cursor is."""
        self._let_go = False
        self._follow(not self._following)
        if self._following:
            self._followed = self.run_tree.item
            self._end_pause()
            self._catch_up()

    def action_pause(self) -> None:
        """Hold the view still and count what changes meanwhile, or show all of it."""
        if self._facts.fresh.waiting is None:
            self._pause()
        else:
            self._end_pause()
            self._catch_up()

    def read_list(self) -> None:
        """Read the list that is wanted now, whose cursor may be anywhere."""
        self._followed = None
        super().read_list()

    def action_reload(self) -> None:
        """Read everything again; a pause goes on from there."""
        if self._mark is None:
            super().action_reload()
        else:
            self._pause(after_reading=True)

    @on(RowList.Moved, "#tree")
    def notice_move(self, event: RowList.Moved) -> None:
        """Stop following when the cursor is moved; follow again when it is where new runs come."""
        if not event.by_hand or not (self._following or self._let_go):
            return
        flat = self.forest.flat if self.forest is not None else None
        at_newest = flat is not None and self.run_tree.cursor == flat.newest
        self._let_go = not at_newest
        self._followed = event.item
        self._follow(at_newest)

    def open_run(self, run: RunSummary) -> None:
        """Put the cursor on a run, which ends the following."""
        self._follow(False)
        super().open_run(run)

    def open_thread(self, key: ThreadKey) -> None:
        """Put the cursor on a thread, which ends the following."""
        self._follow(False)
        super().open_thread(key)

    async def take_change(self, *, replaced: bool) -> None:
        """Show what has changed, or count it while the view is held still."""
        if replaced:  # what waits cannot be counted any more
            self._end_pause()
        if self._mark is None:
            await super().take_change(replaced=replaced)
        else:
            self._tell_fresh(waiting=await self._browser.changed_since(self._mark), trouble="")

    async def aim(self) -> None:
        """Let the next list have its cursor on the newest run, if that is followed."""
        if self._following and self._has_moved:
            self._let_go = True
            self._follow(False)
        if not self._following or self._wanted.searches:
            return
        window = await self._browser.window(self._wanted.query, _NEWEST_FIRST, 0, 1)
        if window.rows and window.rows[0].key != self.run_tree.item:
            await self._aim_at_newest(window.rows[0])

    async def _aim_at_newest(self, run: RunSummary) -> None:
        """Unfold the run's thread in the tree; fold the one that the run before had unfolded."""
        thread = None if self._wanted.flat else thread_of(run)
        listed = thread is not None and await self._browser.thread_position(thread) is not None
        known = self.forest
        if not (self._wanted.flat or listed) and known and known.total > reading.THREADS // 2:
            return  # it stands behind the last thread; its own may come a moment later
        unfolded, before = self._wanted.open, self._unfolded
        self._aim_at(run)
        if thread is not None:
            self._near = thread if listed else LOOSE
            if self._near != before:
                self._unfolded = None if self._near in unfolded else self._near
                unfolded = frozenset(key for key in unfolded if key != before)
            unfolded |= {self._near}
        self._wanted = msgspec.structs.replace(self._wanted, open=unfolded)

    @property
    def _has_moved(self) -> bool:
        """Whether the cursor or the list was moved since it was put on the newest run."""
        rows = self.run_tree
        in_sight = rows.top <= rows.cursor < rows.top + max(1, rows.size.height)
        return not in_sight or self._followed not in {None, rows.item}

    def _put_cursor_on(self, item: RunKey | ThreadKey) -> None:
        """Put the cursor on what was gone to; no filter ends because of what is followed."""
        if not self._following:
            super()._put_cursor_on(item)
            return
        ReadingScreen._put_cursor_on(self, item)
        self._followed = self.run_tree.item

    def _follow(self, follows: bool) -> None:
        self._following = follows
        self._tell_fresh(following=follows)

    def _end_pause(self) -> None:
        for group in ("pause", "catch_up"):  # which may be about to begin
            self.workers.cancel_group(self, group)
        self._mark = None
        self._tell_fresh(waiting=None)

    @work(exclusive=True, group="pause")
    async def _pause(self, *, after_reading: bool = False) -> None:
        try:
            if after_reading:
                await self.refresh_all()
            self._mark = await self._browser.mark()
        except StoreError as error:
            self._trouble(error)
            return
        self._tell_fresh(waiting=0)

    @work(exclusive=True, group="catch_up")
    async def _catch_up(self) -> None:
        """Show everything as it is now."""
        try:
            await self.refresh_all()
        except StoreError as error:
            self._trouble(error)
