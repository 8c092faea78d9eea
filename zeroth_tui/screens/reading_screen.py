"""The part of the explorer that reads: each question in a worker, the answers in reactives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Final

import msgspec
from textual import work
from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker

from zeroth_store.actions import RunActor
from zeroth_store.browse import RunBrowser, RunKey, Spot, ThreadKey
from zeroth_store.errors import StoreError
from zeroth_tui.line import Line
from zeroth_tui.screens import reading
from zeroth_tui.screens.opening import Opening
from zeroth_tui.screens.reading import Place, Shape, Wanted
from zeroth_tui.text import line
from zeroth_tui.views.freshness import title_words
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.run_tree import Forest
from zeroth_tui.widgets.run_tabs import hint
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.top_bar import DatabaseFacts, TopBar

WARNING_SECONDS: Final = 30.0
"""How long a sentence stays that a person should know before anything else."""


class ReadingScreen(Screen[None]):
    """Keeps what is shown equal to what the database holds."""

    # Neither paints the screen anew: the widgets that are bound to them know what has changed.
    forest: reactive[Forest | None] = reactive(None, init=False, repaint=False)
    """What the left half shows."""
    opened: reactive[LoadedRun | None] = reactive(None, init=False, repaint=False, bindings=True)
    """The run on the right."""

    run_tree = query_one(RunTree)
    run_view = query_one(RunView)
    top_bar = query_one(TopBar)

    def __init__(
        self,
        browser: RunBrowser,
        *,
        name: str,
        actor: RunActor | None,
        journal: Path | None,
        opening: Opening,
        clock: Callable[[], datetime],
        zone: tzinfo,
    ) -> None:
        """Show what `browser` reads; without an `actor` nothing can be changed.

        What is done to runs goes into the file `journal`.
        """
        super().__init__()
        self._browser = browser
        self._actor = actor
        self._journal_path = journal
        self._live = clock
        self._clock = clock
        self._zone = zone
        self._wanted = Wanted()
        self._facts = DatabaseFacts(name, read_only=actor is None)
        self._arrived = False
        self._read_at: datetime | None = None
        self._looked_at: RunKey | None = None
        self._shape: Shape | None = None
        self._opening = opening
        self._going: RunKey | ThreadKey | None = None
        self._near: ThreadKey | None = None
        self._shown: RunKey | None = None
        self._first_tab = ""
        self.spots: dict[RunKey, Spot] = {}
        """Where a search has found what it looked for, by run."""
        self._spot_shown: tuple[RunKey | None, Spot] | None = None

    @work(exclusive=True, group="identity")
    async def _identify(self) -> None:
        try:
            kind, revision, snapshot = await self._browser.identity()
            network = await self._browser.file_system_warning()
        except StoreError as error:
            self._trouble(error)
            return
        if network and not self._facts.network:
            self.notify(line(network), severity="warning", markup=False, timeout=WARNING_SECONDS)
        self._tell(kind=f"{kind} rev {revision}" if revision else kind, network=bool(network))
        self._tell_fresh(snapshot=snapshot)

    @work(exclusive=True, group="tree")
    async def _reload(self) -> None:
        first = not self._arrived
        try:
            forest = await self._read_forest()
            if first and (key := reading.newest_thread(forest)) is not None:
                self._wanted = self._wanted.opened(key)
                forest = await reading.unfold(self._browser, forest, key)
            if isinstance(self._going, RunKey) and not reading.holds(forest, self._going):
                self._wanted = msgspec.structs.replace(self._wanted, mode="runs")
                forest = await self._read_forest()
        except StoreError as error:
            self._trouble(error)
            return
        self._shape = self._wanted.shape
        self.forest = forest
        going, self._going, self._near = self._going, None, None
        if first:
            self._arrived = True
            going = going or reading.newest_run(forest)
            self.has_arrived()
        if going is not None:
            self._put_cursor_on(going)
        if not forest.total and not forest.loose and forest.flat is None:
            await self.say_empty()
        await self._read_counts()

    async def say_empty(self) -> None:
        """Say what would fill a database without runs."""
        self.say_instead(
            hint("This database holds no runs yet."),
            hint("They appear here as soon as something writes them."),
        )

    def _put_cursor_on(self, item: RunKey | ThreadKey) -> None:
        """Put the cursor on what was gone to, if the list has it."""
        if self.run_tree.source.find(item) is not None:
            self.run_tree.show(self.run_tree.source, item=item)

    async def _read_forest(self) -> Forest:
        """Read the list around what is gone to, or what the cursor is on."""
        wanted = self._wanted
        again = wanted.shape == self._shape
        item = self._going or self.run_tree.item
        thread = self._near if self._going is not None else self.run_tree.thread
        near = item if wanted.flat or isinstance(item, ThreadKey) else thread
        near = near if isinstance(near, RunKey | ThreadKey) else None
        place = Place(near, self.run_tree.position if again else 0, again)
        return await reading.forest(self._browser, wanted, place)

    @work(exclusive=True, group="stretch")
    async def _fill(self, position: int) -> None:
        """Read what came in sight of a long list and is not loaded."""
        known, wanted = self.forest, self._wanted
        if known is None or wanted.shape != self._shape:
            return
        try:
            if known.flat is not None:
                more = await reading.stretch(self._browser, wanted, known.flat, position)
            else:
                more = await reading.threads(self._browser, wanted, known, position, True)
        except StoreError as error:
            self._trouble(error)
            return
        if self.forest is known:  # else a newer list has come meanwhile
            self.forest = more

    @work(exclusive=True, group="counts")
    async def _count(self) -> None:
        await self._read_counts()

    async def _read_counts(self) -> None:
        """Count the runs, and take note that what is on screen was read now."""
        try:
            counts = await self._browser.counts()
        except StoreError as error:
            self._trouble(error)
            return
        self._read_at = self._clock()
        read = self._read_at.astimezone(self._zone)
        self._tell(counts=counts)
        self._tell_fresh(read=f"{read:%H:%M:%S %Z}", trouble="", age="")

    @work(exclusive=True, group="run")
    async def _open(self, key: RunKey, after: float = 0) -> None:
        await asyncio.sleep(after)
        try:
            loaded = await reading.run(self._browser, key, self._clock)
        except StoreError as error:
            self._trouble(error)
            return
        if key != self._looked_at:  # the person is elsewhere by now
            return
        if loaded is None:
            self.say_instead(hint(f"Run {line(key.run_id)} is no longer in the database."))
            return
        self.opened = loaded
        if loaded.related.children:
            self._wanted = self._wanted.with_parent(key)

    def note_use(self, command: str) -> None:
        """Take note that the key of a command was used."""

    def has_arrived(self) -> None:
        """Take note that the first list is on the screen."""

    def read_list(self) -> None:
        """Read the list that is wanted now."""
        self._reload()

    def action_reload(self) -> None:
        """Read everything again."""
        self.read_list()
        self._reopen()

    def _show_title(self) -> None:
        """Name what the left half holds, and how old it is."""

    def say_instead(self, *lines: Line) -> None:
        """Say something on the right where no run is shown."""
        self.opened = None
        self.run_view.say(*lines)

    def _look_at(self, key: RunKey | None, *, after: float = 0) -> None:
        """Show another run, some seconds from now; None for none."""
        self._looked_at = key
        self._reopen(after)

    def _reopen(self, after: float = 0) -> Worker[None] | None:
        """Read the run that is looked at again."""
        return None if self._looked_at is None else self._open(self._looked_at, after)

    def _tell(self, **changes: object) -> None:
        self._facts = msgspec.structs.replace(self._facts, **changes)
        if self.app.is_running:  # while the app leaves, reads may still end
            self.top_bar.facts = self._facts

    def _tell_fresh(self, **changes: object) -> None:
        before, fresh = self._facts.fresh, msgspec.structs.replace(self._facts.fresh, **changes)
        self._tell(fresh=fresh)
        if title_words(fresh) != title_words(before) and self.app.is_running:
            self.set_class(fresh.old, "-old")
            self._show_title()

    def _trouble(self, error: StoreError) -> None:
        """Say that what is on screen may be old, and why."""
        self._tell_fresh(trouble=str(error))
