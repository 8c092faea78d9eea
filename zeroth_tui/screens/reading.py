"""What the explorer asks of the browser to draw itself, as plain functions of what is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, Self

import msgspec

from zeroth_store.browse import RunBrowser, RunKey, RunOrder, RunQuery, RunSummary, ThreadKey
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.loaded import LoadedRun, load
from zeroth_tui.views.run_tree import LOOSE, Forest

if TYPE_CHECKING:
    from zeroth_store.filters import Filter

STRETCH: Final = 240
"""How many rows of a flat list are read at once."""

Mode = Literal["threads", "runs", "failures"]


class Wanted(msgspec.Struct, frozen=True):
    """What the left half is asked to show."""

    limit: int
    """How many threads at the most."""
    mode: Mode = "threads"
    filter: Filter | None = None
    """Shows matching runs instead of the tree."""
    order: RunOrder = RunOrder()
    """How runs are sorted where there is no tree."""
    open: frozenset[ThreadKey | RunKey] = frozenset()
    children: Mapping[RunKey, tuple[RunSummary, ...]] = MappingProxyType({})
    """Children of runs that were looked at."""

    def opened(self, key: ThreadKey) -> Self:
        """Return the same with one thread open."""
        return msgspec.structs.replace(self, open=self.open | {key})

    def toggled(self, key: ThreadKey | RunKey) -> Self:
        """Return the same with one thread or run opened or closed."""
        return msgspec.structs.replace(self, open=self.open ^ {key})

    def longer(self, by: int) -> Self:
        """Return the same with room for more."""
        return msgspec.structs.replace(self, limit=self.limit + by)

    @property
    def flat(self) -> bool:
        """Whether runs are wanted without the tree."""
        return self.mode != "threads" or self.filter is not None

    @property
    def query(self) -> RunQuery:
        """Which runs are wanted where there is no tree."""
        statuses = ("FAILED",) if self.mode == "failures" else ()
        return RunQuery(statuses=statuses, filter=self.filter)

    def with_children(self, key: RunKey, children: tuple[RunSummary, ...]) -> Self:
        """Return the same, knowing a run's children."""
        if self.children.get(key, ()) == children:
            return self
        return msgspec.structs.replace(self, children={**self.children, key: children})


async def forest(browser: RunBrowser, wanted: Wanted, *, near: RunKey | None, top: int) -> Forest:
    """Read what the left half shows; of a flat list the stretch around `near`, else from `top`."""
    if not wanted.flat:
        return await _tree(browser, wanted)
    at = None if near is None else await browser.position(wanted.query, wanted.order, near)
    return await stretch(browser, wanted, FlatRuns(), top if at is None else at)


async def stretch(browser: RunBrowser, wanted: Wanted, known: FlatRuns, at: int) -> Forest:
    """Read the stretch of a flat list around a position, beside what is known of the list."""
    start = max(0, at - STRETCH // 2)
    window = await browser.window(wanted.query, wanted.order, start, STRETCH)
    with_scope = _several_scopes(run.key for run in window.rows)
    return Forest(flat=known.with_window(window), with_scope=with_scope)


async def _tree(browser: RunBrowser, wanted: Wanted) -> Forest:
    page = await browser.threads(limit=wanted.limit)
    keys = tuple(thread.key for thread in page.rows)
    opened = [key for key in keys if key in wanted.open]
    loose = await browser.loose_runs() if page.more is None else ()
    return Forest(
        threads=page.rows,
        more=page.more,
        loose=loose,
        runs={key: await browser.thread_runs(key) for key in opened},
        roll_ups=await browser.roll_up(keys),
        children=wanted.children,
        open=wanted.open,
        with_scope=_several_scopes((*keys, *(run.key for run in loose))),
    )


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
    return await asyncio.to_thread(load, detail, related, checkpoints, clock())


def newest_thread(shown: Forest) -> ThreadKey | None:
    """Return the thread to open at start: the newest one, or the place of runs without any."""
    if shown.threads:
        return shown.threads[0].key
    return LOOSE if shown.loose else None


def newest_run(shown: Forest) -> RunKey | None:
    """Return the run to put the cursor on at start."""
    if shown.threads:
        runs = shown.runs.get(shown.threads[0].key, ())
        return runs[-1].key if runs else None
    return shown.loose[0].key if shown.loose else None


def parse_filter(typed: str, now: datetime) -> Filter | str | None:
    """Read what was typed: a filter, None for nothing, or a sentence that says what is wrong."""
    # Only somebody who filters pays for the grammar.
    from zeroth_store.filters import FilterError, parse

    found = parse(typed, now=now)
    if isinstance(found, FilterError):
        return found.message
    if found.payload_terms:
        return "in: (searching inputs and outputs) does not work in this list"
    return found if found.terms else None
