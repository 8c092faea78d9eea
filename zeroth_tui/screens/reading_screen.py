"""The part of the explorer that reads: each question in a worker, the answers in reactives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, tzinfo
from typing import Final

import msgspec
from textual import work
from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import WorkerCancelled

from zeroth_store.browse import RunBrowser, RunKey
from zeroth_store.errors import StoreError
from zeroth_store.protocols import RunOperator
from zeroth_tui.screens import reading
from zeroth_tui.screens.reading import Wanted
from zeroth_tui.text import line
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.run_tree import Forest
from zeroth_tui.widgets.run_tabs import hint
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.top_bar import DatabaseFacts, TopBar

POLL_SECONDS: Final = 0.25
"""How often the database is asked whether somebody committed."""
FIRST_PAGE: Final = 100
"""How many threads or runs are read at first, and again at each end of the list."""


class ReadingScreen(Screen[None]):
    """Keeps what is shown equal to what the database holds."""

    forest: reactive[Forest | None] = reactive(None, init=False)
    """What the left half shows."""
    opened: reactive[LoadedRun | None] = reactive(None, init=False)
    """The run on the right."""

    run_tree = query_one(RunTree)
    run_view = query_one(RunView)
    top_bar = query_one(TopBar)

    def __init__(
        self,
        browser: RunBrowser,
        *,
        name: str,
        operator: RunOperator | None,
        first_filter: str = "",
        clock: Callable[[], datetime],
        zone: tzinfo,
    ) -> None:
        """Show what `browser` reads; without an `operator` nothing can be changed."""
        super().__init__()
        self._browser = browser
        self._operator = operator
        self._first_filter = first_filter
        self._clock = clock
        self._zone = zone
        self._wanted = Wanted(limit=FIRST_PAGE)
        self._facts = DatabaseFacts(name, read_only=operator is None)
        self._snapshot = False
        self._arrived = False
        self._looked_at: RunKey | None = None

    @work(exclusive=True, group="identity")
    async def _identify(self) -> None:
        try:
            kind, revision, snapshot = await self._browser.identity()
        except StoreError as error:
            self._trouble(error)
            return
        self._snapshot = snapshot
        self._tell(kind=f"{kind} rev {revision}" if revision else kind)

    @work(exclusive=True, group="tree")
    async def _reload(self) -> None:
        first = not self._arrived
        item = self.run_tree.item
        near = item if isinstance(item, RunKey) and self.run_tree.cursor else None
        top = self.run_tree.top if self._wanted.flat else 0
        try:
            forest = await reading.forest(self._browser, self._wanted, near=near, top=top)
            if first and (key := reading.newest_thread(forest)) is not None:
                self._wanted = self._wanted.opened(key)
                forest = await reading.forest(self._browser, self._wanted, near=near, top=top)
        except StoreError as error:
            self._trouble(error)
            return
        self.forest = forest
        if first:
            self._arrived = True
            self._place_cursor(forest)
            self._index()
        if not forest.threads and not forest.loose and forest.flat is None:
            self.run_view.say(
                hint("This database holds no runs yet."),
                hint("They appear here as soon as something writes them."),
            )
        self._count()

    @work(exclusive=True, group="stretch")
    async def _fill(self, position: int) -> None:
        """Read the rows of a flat list around a position that came in sight."""
        known = self.forest.flat if self.forest is not None else None
        if known is None:
            return
        try:
            self.forest = await reading.stretch(self._browser, self._wanted, known, position)
        except StoreError as error:
            self._trouble(error)

    @work(exclusive=True, group="index")
    async def _index(self) -> None:
        """Bring the side index up to the database, behind everything else."""
        try:
            await self._browser.keep_index()
        except StoreError as error:
            self._trouble(error)
            return
        # A flat list is read from the index, which only now knows of the last changes.
        if self._wanted.flat:
            self._reload()

    @work(exclusive=True, group="counts")
    async def _count(self) -> None:
        try:
            counts = await self._browser.counts()
        except StoreError as error:
            self._trouble(error)
            return
        read = self._clock().astimezone(self._zone)
        word = "snapshot of" if self._snapshot else "live"
        self._tell(counts=counts, live=f"{word} {read:%H:%M:%S %Z}", trouble="")

    @work(exclusive=True, group="run")
    async def _open(self, key: RunKey) -> None:
        try:
            loaded = await reading.run(self._browser, key, self._clock)
        except StoreError as error:
            self._trouble(error)
            return
        if loaded is None:
            self.run_view.say(hint(f"Run {line(key.run_id)} is no longer in the database."))
            return
        self.opened = loaded
        self._wanted = self._wanted.with_children(key, loaded.related.children)

    @work(group="watch")
    async def _watch(self) -> None:
        """Read again what is shown whenever somebody committed, one time after the other."""
        seen: object = None
        while True:
            try:
                version = await self._browser.version()
            except StoreError as error:
                self._trouble(error)
            else:
                if seen is not None and (version != seen or self._facts.trouble):
                    await self._refresh()
                seen = version
            await asyncio.sleep(POLL_SECONDS)

    async def _refresh(self) -> None:
        """Read everything on screen again, and wait until that is done.

        Waiting keeps a database that changes all the time from starving the screen: a read is
        never given up for the next one.
        """
        self._reopen()
        self._index()
        with suppress(WorkerCancelled):  # the person asked for something else meanwhile
            await self._reload().wait()

    def action_reload(self) -> None:
        """Read everything again."""
        self._reload()
        self._reopen()

    def _look_at(self, key: RunKey | None) -> None:
        """Show another run; None for none."""
        self._looked_at = key
        self._reopen()

    def _reopen(self) -> None:
        """Read the run that is looked at again."""
        if self._looked_at is not None:
            self._open(self._looked_at)

    def _tell(self, **changes: object) -> None:
        self._facts = msgspec.structs.replace(self._facts, **changes)
        self.top_bar.facts = self._facts

    def _trouble(self, error: StoreError) -> None:
        """Say that what is on screen may be old, and why."""
        self._tell(trouble=str(error))

    def _place_cursor(self, forest: Forest) -> None:
        newest = reading.newest_run(forest)
        if newest is not None:
            self.run_tree.show(self.run_tree.source, item=newest)
