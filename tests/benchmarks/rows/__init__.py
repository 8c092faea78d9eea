"""The measurements, one module a group; a new group is one more entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.benchmarks.report import Row
from tests.benchmarks.rows import idle, lists, live, opening, overview, soak, start, store, tree
from tests.benchmarks.setting import Setting

GROUPS: dict[str, Callable[[Setting], Iterator[Row]]] = {
    "start": start.rows,
    "idle": idle.rows,
    "store": store.rows,
    "opening": opening.rows,
    "lists": lists.rows,
    "tree": tree.rows,
    "overview": overview.rows,
    "live": live.rows,
    "soak": soak.rows,
}
"""Each group by its name on the command line."""
