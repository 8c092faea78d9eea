"""What the explorer asks of the browser to draw itself, as plain functions of what is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import msgspec

from zeroth_store.browse import RunBrowser, RunKey, RunOrder, RunQuery, RunSummary, ThreadKey
from zeroth_tui.screens.searching import Search
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.loaded import LoadedRun, load
from zeroth_tui.views.named_views import Mode
from zeroth_tui.views.run_tree import LOOSE, Forest

if TYPE_CHECKING:
    from zeroth_store.filters import Filter

STRETCH: Final = 240
"""How many rows of a flat list are read at once."""

THREADS: Final = 100
"""How many threads are read at once."""

_MOST: Final = 1000
"""Threads beyond this number are forgotten, all but the newest stretch."""


class Shape(NamedTuple):
    """What makes a list the same list when it is read again."""

    mode: Mode
    filter: Filter | None
    order: RunOrder


class Wanted(msgspec.Struct, frozen=True):
    """What the left half is asked to show."""

    mode: Mode = "threads"
    filter: Filter | None = None
    """Shows matching runs instead of the tree."""
    order: RunOrder = RunOrder()
    """How runs are sorted where there is no tree."""
    open: frozenset[ThreadKey | RunKey] = frozenset()
    parents: frozenset[RunKey] = frozenset()
    """Runs that were looked at and have children, which may be in other threads."""

    def opened(self, key: ThreadKey) -> Self:
        """Return the same with one thread open."""
        return msgspec.structs.replace(self, open=self.open | {key})

    def toggled(self, key: ThreadKey | RunKey) -> Self:
        """Return the same with one thread or run opened or closed."""
        return msgspec.structs.replace(self, open=self.open ^ {key})

    @property
    def flat(self) -> bool:
        """Whether runs are wanted without the tree."""
        return self.mode != "threads" or self.filter is not None

    @property
    def searches(self) -> bool:
        """Whether payloads have to be searched, which takes a while."""
        return self.filter is not None and bool(self.filter.payload_terms)

    @property
    def shape(self) -> Shape:
        """What makes the list another one, beside what is stored."""
        return Shape(self.mode, self.filter, self.order)

    @property
    def query(self) -> RunQuery:
        """Which runs are wanted where there is no tree."""
        statuses = ("FAILED",) if self.mode == "failures" else ()
        return RunQuery(statuses=statuses, filter=self.filter)

    def with_parent(self, key: RunKey) -> Self:
        """Return the same, knowing that a run has children."""
        return msgspec.structs.replace(self, parents=self.parents | {key})


class Place(NamedTuple):
    """Where in a list a person is."""

    near: RunKey | ThreadKey | None
    """What the cursor is on, or the thread it is in."""
    top: int
    """The position that is read around where `near` is nowhere."""
    again: bool
    """Whether it is the list that is on show, read once more."""


async def forest(browser: RunBrowser, wanted: Wanted, place: Place) -> Forest:
    """Read what the left half shows: the stretch around a place."""
    if wanted.flat:
        return await _flat(browser, wanted, place)
    at = None
    if isinstance(place.near, ThreadKey) and place.near != LOOSE:
        at = await browser.thread_position(place.near)
    return await threads(browser, wanted, Forest(), place.top if at is None else at, place.again)


async def _flat(browser: RunBrowser, wanted: Wanted, place: Place) -> Forest:
    at = None
    if isinstance(place.near, RunKey):
        at = await browser.position(wanted.query, wanted.order, place.near)
    around = place.top if at is None else at
    shown = await stretch(browser, wanted, FlatRuns(), around)
    return msgspec.structs.replace(shown, again=place.again)


async def stretch(browser: RunBrowser, wanted: Wanted, known: FlatRuns, at: int) -> Forest:
    """Read the stretch of a flat list around a position, beside what is known of the list."""
    start = max(0, at - STRETCH // 2)
    window = await browser.window(wanted.query, wanted.order, start, STRETCH)
    with_scope = _several_scopes(run.key for run in window.rows)
    return Forest(
        flat=known.with_window(window),
        with_scope=with_scope,
        failures=wanted.mode == "failures",
        filtered=wanted.filter is not None,
        again=True,
    )


async def threads(
    browser: RunBrowser, wanted: Wanted, known: Forest, at: int, again: bool
) -> Forest:
    """Read the threads around a position and what is unfolded, beside the threads known."""
    start = max(0, at - THREADS // 2)
    window = await browser.thread_window(start, THREADS)
    here = {start + offset: thread for offset, thread in enumerate(window.rows)}
    kept = known.threads if known.total == window.total and len(known.threads) < _MOST else {}
    shown = {**kept, **here}
    keys = tuple(thread.key for thread in here.values())
    at_end = start + len(here) >= window.total
    loose = await browser.loose_runs() if at_end else known.loose
    opened = [key for key in wanted.open if isinstance(key, ThreadKey) and key != LOOSE]
    places = {key: await browser.thread_position(key) for key in opened}
    found = {key: place for key, place in places.items() if place is not None}
    runs = {key: await browser.thread_runs(key) for key in found}
    shown_runs = {run.key for group in (*runs.values(), loose) for run in group}
    return Forest(
        threads=shown,
        total=window.total,
        exact=window.exact,
        places=found,
        loose=loose,
        runs=runs,
        roll_ups={**(known.roll_ups if kept else {}), **await browser.roll_up(keys)},
        children=await _children(browser, wanted.parents, shown_runs),
        open=wanted.open,
        with_scope=_several_scopes((*keys, *(run.key for run in loose))),
        again=again,
    )


async def _children(
    browser: RunBrowser, parents: frozenset[RunKey], shown: Iterable[RunKey]
) -> dict[RunKey, tuple[RunSummary, ...]]:
    """Return the children, in whatever thread, of the parents that are shown, and of these."""
    found: dict[RunKey, tuple[RunSummary, ...]] = {}
    while due := parents.intersection(shown) - found.keys():
        new = {key: await browser.children(key) for key in due}
        shown = {child.key for children in new.values() for child in children}
        found |= new
    return found


def _several_scopes(keys: Iterable[RunKey | ThreadKey]) -> bool:
    """Say whether what is shown belongs to several tenants or workspaces."""
    return len({(key.tenant_id, key.workspace_scope) for key in keys}) > 1


async def run(browser: RunBrowser, key: RunKey, clock: Callable[[], datetime]) -> LoadedRun | None:
    """Read one run and work out its steps; None when it is gone."""
    detail = await browser.run(key)
    if detail is None:
        return None
    related = await browser.related(key)
    checkpoints = await browser.checkpoints(key)
    graph = await browser.graph(key)
    return await asyncio.to_thread(load, detail, related, checkpoints, clock(), graph)


async def unfold(browser: RunBrowser, shown: Forest, thread: ThreadKey) -> Forest:
    """Return the tree with the newest thread, or the runs without one, unfolded as well."""
    if thread == LOOSE:
        return msgspec.structs.replace(shown, open=shown.open | {thread})
    runs = await browser.thread_runs(thread)
    return msgspec.structs.replace(
        shown,
        open=shown.open | {thread},
        places={**shown.places, thread: 0},
        runs={**shown.runs, thread: runs},
    )


def found(search: Search, *, again: bool) -> Forest:
    """Return the list of the runs that a search has found so far."""
    runs = search.runs
    return Forest(
        flat=runs,
        with_scope=_several_scopes(run.key for run in runs.runs.values()),
        filtered=True,
        again=again,
    )


def holds(shown: Forest, key: RunKey) -> bool:
    """Whether a run is in the list, or may be in one of which only a part is loaded."""
    if shown.flat is not None:
        return True
    groups = (*shown.runs.values(), *shown.children.values(), shown.loose)
    return any(run.key == key for runs in groups for run in runs)


def newest_thread(shown: Forest) -> ThreadKey | None:
    """Return the thread to open at start: the newest one, or the place of runs without any."""
    if shown.total:
        return shown.threads[0].key if 0 in shown.threads else None
    return LOOSE if shown.loose else None


def newest_run(shown: Forest) -> RunKey | None:
    """Return the run to put the cursor on at start."""
    if 0 in shown.threads:
        runs = shown.runs.get(shown.threads[0].key, ())
        return runs[-1].key if runs else None
    return shown.loose[0].key if shown.loose else None
