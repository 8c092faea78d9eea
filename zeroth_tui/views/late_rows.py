"""Rows of a long pane, laid out when they come in sight: blocks between a head and a foot."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from zeroth_tui.line import Row


class LateRows:
    """Rows by position. A block is one or more rows, whose number is known before they are."""

    def __init__(
        self,
        head: Sequence[Row],
        sizes: Sequence[int],
        foot: Sequence[Row],
        *,
        make: Callable[[int], Sequence[Row]],
        place: Callable[[object], int | None],
    ) -> None:
        """`make` lays a block out; `place` says which block begins with an item's row, if any."""
        self._head = head
        self._sizes = sizes
        single = sum(sizes) == len(sizes)
        self._ends: Sequence[int] = range(1, len(sizes) + 1) if single else list(accumulate(sizes))
        self._foot = foot
        self._make = make
        self._place = place
        self._made: dict[int, Sequence[Row]] = {}

    def __len__(self) -> int:
        return self._behind + len(self._foot)

    def __iter__(self) -> Iterator[Row]:
        yield from self._head
        for at in range(len(self._sizes)):
            yield from self._block(at)
        yield from self._foot

    def row(self, index: int, width: int) -> Row:  # noqa: ARG002 - laid out for one width
        """Return one row."""
        if index < len(self._head):
            return self._head[index]
        if index >= self._behind:
            return self._foot[index - self._behind]
        at = bisect_right(self._ends, index - len(self._head))
        return self._block(at)[index - self._begin(at)]

    def find(self, item: object) -> int | None:
        """Return where the first row of an item is, or None."""
        if (block := self._place(item)) is not None:
            return self._begin(block)
        for at, size in enumerate(self._sizes):
            if size > 1:
                for index, row in enumerate(self._block(at), self._begin(at)):
                    if row.item == item:
                        return index
        foot = enumerate(self._foot, self._behind)
        return next((index for index, row in foot if row.item == item), None)

    @property
    def _behind(self) -> int:
        """Where the foot begins."""
        return len(self._head) + (self._ends[-1] if self._ends else 0)

    def _begin(self, block: int) -> int:
        return len(self._head) + (self._ends[block - 1] if block else 0)

    def _block(self, at: int) -> Sequence[Row]:
        rows = self._made.get(at)
        if rows is None:
            rows = self._made[at] = self._make(at)
        return rows
