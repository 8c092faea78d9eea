"""What changed between two JSON texts, by path; numbers differ when their stored texts do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, NamedTuple

from zeroth_tui.views.json_tree.node import Node
from zeroth_tui.views.json_tree.path import Path, Step
from zeroth_tui.views.json_tree.spans import JsonText
from zeroth_tui.views.json_tree.strict import Malformed

LIMIT: Final = 1000
"""How many changes are reported unless a caller says otherwise."""

_BUDGET: Final = 20_000
"""Values looked at: some seconds' worth would be too long to wait for."""
_ID_KEYS: Final = ("id", "key", "name")

Kind = Literal["added", "removed", "changed", "more"]


class Change(NamedTuple):
    """One difference."""

    path: Path
    """Where it is; for an item of a list its place afterwards, when it was removed the one before.
    """
    kind: Kind
    """`more` comes last, and says that there are more changes than were asked for."""
    before: str | None = None
    """The JSON text as stored, None where there was nothing."""
    after: str | None = None


def diff(before: str | None, after: str | None, limit: int = LIMIT) -> tuple[Change, ...]:
    """Return the changes that lead from one JSON text to another, in stored order.

    Items of lists are matched by their ids where all have one, else by place behind what both lists
    begin and end with. Containers too large to compare count as changed whole, and so does a text
    that is no JSON.
    """
    if before == after:
        return ()
    if before is None or after is None:
        return (Change((), "added" if before is None else "removed", before, after),)
    try:
        changes = _Comparison().changes(_root(before), _root(after))
    except Malformed:
        return (Change((), "changed", before, after),)
    found = tuple(islice(changes, limit + 1))
    return found if len(found) <= limit else (*found[:limit], Change((), "more"))


def _root(text: str) -> Node:
    source = JsonText(text)
    return Node(source, source.root, 0, None)


Pair = tuple[Path, Node | None, Node | None]


class _Comparison:
    """Compares two trees node by node, within a budget of nodes looked at."""

    def __init__(self) -> None:
        self._left = _BUDGET

    def changes(self, before: Node, after: Node) -> Iterator[Change]:
        """Yield the differences; a stack instead of recursion, since values nest without bound."""
        stack: list[Pair] = [((), before, after)]
        while stack:
            path, old, new = stack.pop()
            if old is None or new is None:
                kind: Kind = "added" if old is None else "removed"
                yield Change(path, kind, _stored(old), _stored(new))
            elif _stored(old) != _stored(new):
                pairs = self._pairs(path, old, new)
                if pairs is not None:
                    stack.extend(reversed(pairs))
                elif not _same_string(old, new):
                    yield Change(path, "changed", _stored(old), _stored(new))

    def _pairs(self, path: Path, old: Node, new: Node) -> list[Pair] | None:
        """Return which children to compare; None where the values are to be taken whole."""
        if old.kind != new.kind or not old.is_container:
            return None
        if not (self._list(old) and self._list(new)):
            return None
        if old.kind == "{":
            return _by_name(path, _steps(old), _steps(new))
        ids = _ids(old.children, new.children)
        return _by_id(path, *ids) if ids else _by_place(path, old.children, new.children)

    def _list(self, node: Node) -> bool:
        """List all children, unless that goes beyond the budget."""
        counted = 0
        while True:
            self._left -= len(node.children) - counted
            counted = len(node.children)
            if self._left < 0 or not node.rest:
                return self._left >= 0
            node.list_more()


def _stored(node: Node | None) -> str | None:
    return None if node is None else node.source.slice(node.span)


def _same_string(old: Node, new: Node) -> bool:
    """Whether two strings differ in their escapes only."""
    if old.kind != '"' or new.kind != '"':
        return False
    return old.source.string(old.span) == new.source.string(new.span)


def _steps(node: Node) -> dict[Step, Node]:
    return {child.step: child for child in node.children}


def _by_name(path: Path, old: dict[Step, Node], new: dict[Step, Node]) -> list[Pair]:
    pairs: list[Pair] = [((*path, step), node, new.get(step)) for step, node in old.items()]
    return pairs + [((*path, step), None, node) for step, node in new.items() if step not in old]


def _by_id(path: Path, old: dict[bytes, Node], new: dict[bytes, Node]) -> list[Pair]:
    pairs: list[Pair] = []
    for name, node in old.items():
        twin = new.get(name)
        pairs.append(((*path, (twin or node).step), node, twin))
    added = [node for name, node in new.items() if name not in old]
    return pairs + [((*path, node.step), None, node) for node in added]


def _by_place(path: Path, old: list[Node], new: list[Node]) -> list[Pair]:
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and _stored(old[start]) == _stored(new[start]):
        start += 1
    end = 0
    while end < shorter - start and _stored(old[-1 - end]) == _stored(new[-1 - end]):
        end += 1
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    both = min(len(left), len(right))
    pairs: list[Pair] = [((*path, b.step), a, b) for a, b in zip(left, right, strict=False)]
    pairs += [((*path, node.step), node, None) for node in left[both:]]
    return pairs + [((*path, node.step), None, node) for node in right[both:]]


def _ids(old: list[Node], new: list[Node]) -> tuple[dict[bytes, Node], dict[bytes, Node]] | None:
    """Return both lists' items by the id-like key that tells all of them apart, if there is one."""
    if not old or not new:
        return None
    for key in _candidates(old[0]):
        left, right = _keyed(old, key), _keyed(new, key)
        if left is not None and right is not None:
            return left, right
    return None


def _candidates(item: Node) -> list[str]:
    if item.kind != "{":
        return []
    keys = [child.step for child in item.children if isinstance(child.step, str)]
    return [key for key in _ID_KEYS if key in keys] + [key for key in keys if key.endswith("_id")]


def _keyed(items: list[Node], key: str) -> dict[bytes, Node] | None:
    found: dict[bytes, Node] = {}
    for item in items:
        value = item.source.member(item.span, key) if item.kind == "{" else b"{"
        if value[:1] in {b"", b"{", b"["}:
            return None
        found[value] = item
    return found if len(found) == len(items) else None
