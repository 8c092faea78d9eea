"""The left half: threads, their runs and child runs as a tree, or runs as a flat list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import RollUp, RunKey, RunSummary, ThreadKey, ThreadSummary
from zeroth_store.times import NO_MOMENT
from zeroth_tui.views.flat_runs import FlatRuns

LOOSE: Final = ThreadKey("", "", "\0thread not found")
"""Stands for the place where runs without a thread row hang."""


class More(NamedTuple):
    """The item of a last row that stands for what is not loaded yet."""

    after: int


class Node(NamedTuple):
    """One row of the tree before it is laid out."""

    item: object
    """ThreadKey, RunKey or More; a run that is shown twice is the same item twice."""
    depth: int
    kind: Literal["thread", "run", "reason", "more", "note"]
    thread: ThreadSummary | None = None
    run: RunSummary | None = None
    open: bool | None = None
    """None where there is nothing to unfold."""
    note: str = ""


class Forest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything loaded so far of the tree."""

    threads: tuple[ThreadSummary, ...] = ()
    more: int | None = None
    loose: tuple[RunSummary, ...] = ()
    runs: Mapping[ThreadKey, tuple[RunSummary, ...]] = MappingProxyType({})
    """The runs of threads that were opened."""
    roll_ups: Mapping[ThreadKey, RollUp] = MappingProxyType({})
    children: Mapping[RunKey, tuple[RunSummary, ...]] = MappingProxyType({})
    """Children in whatever thread, of runs that were looked at."""
    open: frozenset[ThreadKey | RunKey] = frozenset()
    """Threads that are unfolded, and runs whose children are folded away."""
    flat: FlatRuns | None = None
    """Runs without a tree, where a filter or a flat mode is on."""
    with_scope: bool = False
    """Whether what is shown belongs to several tenants or workspaces."""


def nodes(forest: Forest) -> tuple[Node, ...]:
    """Return the rows of the tree from top to bottom."""
    return tuple(_walk(forest))


def _walk(forest: Forest) -> Iterator[Node]:
    for thread in forest.threads:
        is_open = thread.key in forest.open
        yield Node(thread.key, 0, "thread", thread=thread, open=is_open)
        if is_open:
            yield from _thread_runs(forest, forest.runs.get(thread.key))
    if forest.more is not None:
        yield Node(More(forest.more), 0, "more", note="more threads")
    if forest.loose:
        lost = _loose_thread()
        is_open = LOOSE in forest.open
        yield Node(LOOSE, 0, "thread", thread=lost, open=is_open, note="thread not found")
        if is_open:
            yield from _thread_runs(forest, forest.loose)


def _thread_runs(forest: Forest, runs: tuple[RunSummary, ...] | None) -> Iterator[Node]:
    if runs is None:
        yield Node(None, 1, "note", note="loading …")
        return
    if not runs:
        yield Node(None, 1, "note", note="no runs are stored under this thread")
        return
    here = {run.key.run_id for run in runs}
    shown: set[RunKey] = set()
    for run in runs:
        if run.parent_run_id in here and run.parent_run_id != run.key.run_id:
            continue
        yield from _run(forest, run, runs, 1, shown)
    # What is left hangs in a circle of parents: show it once, at the top.
    for run in runs:
        if run.key not in shown:
            yield from _run(forest, run, runs, 1, shown, note="its parents form a circle")


def _run(
    forest: Forest,
    run: RunSummary,
    siblings: tuple[RunSummary, ...],
    depth: int,
    shown: set[RunKey],
    note: str = "",
) -> Iterator[Node]:
    if run.key in shown:
        return
    shown.add(run.key)
    children = _children(forest, run, siblings)
    is_open = (run.key not in forest.open) if children else None
    if not note and run.parent_run_id == run.key.run_id:
        note = "names itself as parent"
    elif not note and depth == 1 and run.parent_run_id is not None:
        note = "child of"
    yield from _run_rows(run, depth, is_open, note)
    if is_open:
        for child in children:
            yield from _run(forest, child, siblings, depth + 1, shown)


def _run_rows(run: RunSummary, depth: int, is_open: bool | None, note: str) -> Iterator[Node]:
    """Yield a run's row and, where it failed, a second one of the same item that says why."""
    yield Node(run.key, depth, "run", run=run, open=is_open, note=note)
    if run.failure_reason is not None:
        yield Node(run.key, depth, "reason", run=run)


def _children(
    forest: Forest, run: RunSummary, siblings: tuple[RunSummary, ...]
) -> tuple[RunSummary, ...]:
    """Return a run's children: those in its thread, then those known from other threads."""
    near = tuple(
        other
        for other in siblings
        if other.parent_run_id == run.key.run_id and other.key != run.key
    )
    keys = {child.key for child in near}
    far = (child for child in forest.children.get(run.key, ()) if child.key not in keys)
    return (*near, *far)


def _loose_thread() -> ThreadSummary:
    return ThreadSummary(
        key=LOOSE,
        status=None,
        graph=None,
        deployment=None,
        created=NO_MOMENT,
        updated=NO_MOMENT,
        found=False,
    )
