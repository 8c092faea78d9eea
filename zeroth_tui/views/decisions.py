"""Which visit of a node evaluated which conditions, and where an edge led."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from zeroth_store.browse import ConditionEntry, HistoryEntry

_NO_DECISION: Final = frozenset({"failed", "rejected", "started", "running"})
"""Statuses of entries after which no condition is evaluated."""

Group = tuple[ConditionEntry, ...]
"""The conditions that one completion of one node evaluated, in stored order."""


def groups(conditions: Iterable[ConditionEntry]) -> tuple[Group, ...]:
    """Split stored conditions into the groups that were evaluated together.

    A group ends where the source changes or where an edge comes again: a node that follows itself
    evaluates the same edges once more.
    """
    found: list[list[ConditionEntry]] = []
    edges: set[str] = set()
    for entry in conditions:
        edge = entry.edge_id or entry.condition_id
        if not found or found[-1][0].source != entry.source or edge in edges:
            found.append([])
            edges = set()
        found[-1].append(entry)
        edges.add(edge)
    return tuple(tuple(group) for group in found)


def distinct(group: Group) -> list[tuple[ConditionEntry, int]]:
    """Return each decision once, with how often it is recorded: a fan-out repeats its edges."""
    found: dict[tuple[object, ...], list[ConditionEntry]] = {}
    for edge in group:
        name = edge.edge_id or edge.condition_id, edge.source, edge.target
        came_of_it = edge.matched, edge.taken, edge.value, edge.suppression_reason
        found.setdefault((name, came_of_it), []).append(edge)
    return [(same[0], len(same)) for same in found.values()]


def by_visit(
    conditions: Iterable[ConditionEntry], history: Sequence[HistoryEntry]
) -> dict[int, Group]:
    """Return history index -> conditions: a node's k-th group is of its k-th completed visit.

    Groups beyond the last visit are joined to it: a node that fans out evaluates its edges more
    than once. Groups without a source or of a node that never completed belong to no entry.
    """
    visits: defaultdict[str | None, list[int]] = defaultdict(list)
    for entry in history:
        if (entry.status or "").lower() not in _NO_DECISION:
            visits[entry.node_id].append(entry.index)
    seen: defaultdict[str | None, int] = defaultdict(int)
    result: dict[int, Group] = {}
    for group in groups(conditions):
        source = group[0].source
        if found := visits[source]:
            index = found[min(seen[source], len(found) - 1)]
            result[index] = result.get(index, ()) + group
            seen[source] += 1
    return result
