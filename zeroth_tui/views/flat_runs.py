"""A list of runs by position, of which only the stretches that were in sight are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Self, get_args

import msgspec

from zeroth_store.browse import OrderBy, RunOrder, RunSummary, Window

_MOST_KEPT: Final = 1200
"""Loaded runs beyond this number are forgotten, all but the newest stretch."""


class FlatRuns(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a flat list: how long it is, and the runs of some positions."""

    total: int = 0
    exact: bool = True
    """Whether `total` and the positions are counted, not estimated."""
    order: RunOrder = RunOrder()
    """The order the runs are in, which may not be the one asked for."""
    runs: Mapping[int, RunSummary] = MappingProxyType({})
    """Position -> run."""

    def with_window(self, window: Window) -> Self:
        """Return the list with one stretch more; another order or length starts it anew."""
        stretch = {window.start + at: run for at, run in enumerate(window.rows)}
        same = (window.total, window.order) == (self.total, self.order)
        kept = dict(self.runs) if same and len(self.runs) < _MOST_KEPT else {}
        return type(self)(
            total=window.total, exact=window.exact, order=window.order, runs=kept | stretch
        )

    def position(self, key: object) -> int | None:
        """Return where a run is, if that stretch is loaded."""
        return next((at for at, run in self.runs.items() if run.key == key), None)

    @property
    def newest(self) -> int | None:
        """The position of the newest run; None in an order that does not tell."""
        if self.order.by != "created":
            return None
        return 0 if self.order.descending else self.total - 1

    def missing(self, start: int, stop: int) -> bool:
        """Whether any position from `start` up to `stop` is not loaded."""
        return any(at not in self.runs for at in range(start, min(stop, self.total)))


def order_words(order: RunOrder) -> str:
    """Return an order for a title: `newest first`, `duration ↓`."""
    if order == RunOrder():
        return "newest first"
    return f"{order.by} {'↓' if order.descending else '↑'}"


ORDERS: Final = tuple(RunOrder(by) for by in get_args(OrderBy))
"""The orders that the sort key goes through, each descending first."""


def next_order(order: RunOrder) -> RunOrder:
    """Return the order after this one: the same turned round, then the next column."""
    if order.descending:
        return RunOrder(order.by, descending=False)
    columns = [known.by for known in ORDERS]
    return ORDERS[(columns.index(order.by) + 1) % len(ORDERS)]
