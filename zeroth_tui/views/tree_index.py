"""Which row of the tree is which: by arithmetic, so that a tree of any length costs the same."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from itertools import accumulate
from typing import NamedTuple

from zeroth_store.browse import ThreadKey
from zeroth_tui.views.run_tree import LOOSE, Forest, Node, thread_nodes


class _Block(NamedTuple):
    """The rows below one unfolded thread."""

    position: int
    """Where the thread is among the threads."""
    start: int
    """The row of the first of them."""
    nodes: tuple[Node, ...]


class TreeIndex:
    """Finds nodes by row and rows by item. Every thread is one row, and what is below it more."""

    def __init__(self, forest: Forest, now: datetime) -> None:
        self._forest = forest
        self._heads = forest.total + (1 if forest.loose else 0)
        self._blocks = _blocks(forest, now)
        self._starts = [block.start for block in self._blocks]
        self._below = list(accumulate(len(block.nodes) for block in self._blocks))
        self._length = self._heads + (self._below[-1] if self._below else 0)
        self._positions = {thread.key: at for at, thread in forest.threads.items()}
        self._positions.update(forest.places)
        if forest.loose:
            self._positions[LOOSE] = forest.total

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._length

    def node(self, row: int) -> Node:
        """Return what a row stands for; a thread that is not loaded is a note."""
        at = bisect_right(self._starts, row) - 1
        if at < 0:
            return self._head(row)
        block = self._blocks[at]
        if row < block.start + len(block.nodes):
            return block.nodes[row - block.start]
        return self._head(row - self._below[at])

    def find(self, item: object) -> int | None:
        """Return the first row of an item, or None."""
        if isinstance(item, ThreadKey):
            position = self._positions.get(item)
            return None if position is None else self._row_of(position)
        if item is None:
            return None
        for block in self._blocks:
            for at, node in enumerate(block.nodes):
                if node.item == item:
                    return block.start + at
        return None

    def position(self, row: int) -> int:
        """Return the position of the thread that a row belongs to."""
        at = bisect_right(self._starts, row) - 1
        if at < 0:
            return row
        block = self._blocks[at]
        if row < block.start + len(block.nodes):
            return block.position
        return row - self._below[at]

    def _head(self, position: int) -> Node:
        forest = self._forest
        if position >= forest.total:
            is_open = LOOSE in forest.open
            return Node(LOOSE, 0, "thread", open=is_open, note="thread not found")
        thread = forest.threads.get(position)
        if thread is None:
            return Node(None, 0, "note", note="loading …")
        return Node(thread.key, 0, "thread", thread=thread, open=thread.key in forest.open)

    def _row_of(self, position: int) -> int:
        return position + sum(len(b.nodes) for b in self._blocks if b.position < position)


def _blocks(forest: Forest, now: datetime) -> list[_Block]:
    places = dict(forest.places)
    if forest.loose and LOOSE in forest.open:
        places[LOOSE] = forest.total
    blocks: list[_Block] = []
    above = 0
    for thread, position in sorted(places.items(), key=lambda pair: pair[1]):
        nodes = thread_nodes(forest, thread, now)
        blocks.append(_Block(position, position + 1 + above, nodes))
        above += len(nodes)
    return blocks
