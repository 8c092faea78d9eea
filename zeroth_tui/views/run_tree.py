"""The left half: threads, their runs and child runs as a tree, or runs as a flat list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import msgspec

from zeroth_store.browse import (
    THREAD_RUNS,
    RollUp,
    RunKey,
    RunSummary,
    ThreadKey,
    ThreadSummary,
)
from zeroth_tui.format import count
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.stuck import stuck_words

LOOSE: Final = ThreadKey("", "", "\0thread not found")
"""Stands for the place where runs without a thread row hang."""

CHILD: Final = "child of"
"""The note of a run at the top of its thread whose parent is in another one."""


class Node(NamedTuple):
    """One row of the tree before it is laid out."""

    item: object
    """ThreadKey, RunKey or None; a run that is shown twice is the same item twice."""
    depth: int
    kind: Literal["thread", "run", "reason", "note"]
    thread: ThreadSummary | None = None
    run: RunSummary | None = None
    open: bool | None = None
    """None where there is nothing to unfold."""
    note: str = ""


class Forest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything loaded so far of the tree, or of a flat list."""

    threads: Mapping[int, ThreadSummary] = MappingProxyType({})
    """Position -> thread, newest first; only those that were in sight."""
    total: int = 0
    """How many threads there are."""
    exact: bool = True
    """Whether `total` and the positions are counted, not estimated."""
    places: Mapping[ThreadKey, int] = MappingProxyType({})
    """The positions of the threads that are unfolded."""
    loose: tuple[RunSummary, ...] = ()
    """Runs without a thread row; they come behind the last thread."""
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
    failures: bool = False
    """Whether the flat list holds failed runs alone."""
    filtered: bool = False
    """Whether the flat list holds what a filter lets through."""
    again: bool = False
    """Whether this is the list that was shown before, read once more."""


def thread_nodes(forest: Forest, thread: ThreadKey, now: datetime) -> tuple[Node, ...]:
    """Return the rows below an unfolded thread, with what is stuck at a moment."""
    runs = forest.loose if thread == LOOSE else forest.runs.get(thread)
    nodes = (*_older(forest, thread, runs), *_thread_runs(forest, runs))
    return tuple(row for node in nodes for row in _rows(node, now))


def _older(
    forest: Forest, thread: ThreadKey, runs: tuple[RunSummary, ...] | None
) -> Iterator[Node]:
    """Yield what says how many runs of a long thread are not below it."""
    held = forest.roll_ups.get(thread)
    if runs is not None and held is not None and len(runs) >= THREAD_RUNS < held.total:
        words = f"{count(held.total - len(runs))} older runs: a filter thread:ID lists them"
        yield Node(None, 1, "note", note=words)


def _rows(node: Node, now: datetime) -> Iterator[Node]:
    """Yield a node and, where there is more to say of it, further rows of the same item."""
    yield node
    run = node.run
    if run is not None and node.note and node.note != CHILD:
        yield Node(run.key, node.depth, "note", note=node.note)
    if run is not None and (run.failure_reason is not None or stuck_words(run, now)):
        yield Node(run.key, node.depth, "reason", run=run)


def _thread_runs(forest: Forest, runs: tuple[RunSummary, ...] | None) -> Iterator[Node]:
    if runs is None:
        yield Node(None, 1, "note", note="loading …")
        return
    if not runs:
        yield Node(None, 1, "note", note="no runs are stored under this thread")
        return
    here = {run.key.run_id for run in runs}
    born: dict[str, list[RunSummary]] = {}
    for run in runs:
        if run.parent_run_id is not None:
            born.setdefault(run.parent_run_id, []).append(run)
    shown: set[RunKey] = set()
    for run in runs:
        if run.parent_run_id in here and run.parent_run_id != run.key.run_id:
            continue
        yield from _run(forest, run, born, 1, shown)
    # What is left hangs in a circle of parents: show it once, at the top.
    for run in runs:
        if run.key not in shown:
            yield from _run(forest, run, born, 1, shown, note="its parents form a circle")


def _run(
    forest: Forest,
    run: RunSummary,
    born: Mapping[str, Sequence[RunSummary]],
    depth: int,
    shown: set[RunKey],
    note: str = "",
) -> Iterator[Node]:
    if run.key in shown:
        return
    shown.add(run.key)
    children = _children(forest, run, born)
    is_open = (run.key not in forest.open) if children else None
    if not note and run.parent_run_id == run.key.run_id:
        note = "names itself as parent"
    elif not note and depth == 1 and run.parent_run_id is not None:
        note = CHILD
    yield Node(run.key, depth, "run", run=run, open=is_open, note=note)
    if is_open:
        for child in children:
            yield from _run(forest, child, born, depth + 1, shown)


def _children(
    forest: Forest, run: RunSummary, born: Mapping[str, Sequence[RunSummary]]
) -> tuple[RunSummary, ...]:
    """Return a run's children: those `born` in its thread, then those known from other threads."""
    near = tuple(child for child in born.get(run.key.run_id, ()) if child.key != run.key)
    keys = {child.key for child in near}
    far = (child for child in forest.children.get(run.key, ()) if child.key not in keys)
    return (*near, *far)


def has_position(forest: Forest, position: int) -> bool:
    """Whether the thread at a position is loaded, or there is none to load."""
    return position in forest.threads or not 0 <= position < forest.total
