"""One value of a JSON tree that has been looked at, and whether it is open."""

from __future__ import annotations

from itertools import repeat
from typing import Final, NamedTuple

from zeroth_tui import text
from zeroth_tui.views.json_tree.lexical import PAGE
from zeroth_tui.views.json_tree.path import Again, Path, Step
from zeroth_tui.views.json_tree.spans import JsonText, Span

LONG_STRING: Final = 200
"""Longer strings, and those of several lines, unfold to a block of their own."""


SUMMARY: Final = 4
"""How many children the line of a folded container tells."""


class Peek(NamedTuple):
    """What a folded container says of itself."""

    first: tuple[Span, ...]
    """The first few children."""
    total: str
    """How many there are: `3`, or `1,000+`."""


class Node:
    """A value, its place and its fold state. Children are found when they are first asked for."""

    __slots__ = (
        "_children",
        "_peek",
        "depth",
        "is_open",
        "kind",
        "parent",
        "rest",
        "revealed",
        "source",
        "span",
        "step",
    )

    def __init__(self, source: JsonText, span: Span, step: Step, parent: Node | None) -> None:
        self.source = source
        self.span = span
        self.step = step
        """What leads here from the parent."""
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.kind = source.kind(span)
        """The first character of the value as stored."""
        self.is_open = False
        self.revealed = False
        """Whether somebody asked to see this secret."""
        self.rest = 0
        """Bytes of the children that are not listed yet."""
        self._children: list[Node] | None = None
        self._peek: Peek | None = None

    @property
    def is_container(self) -> bool:
        """Whether this is an object or a list."""
        return self.kind in "{["

    @property
    def is_hidden(self) -> bool:
        """Whether this is a secret that nobody asked to see."""
        if self.revealed or self.kind in "tfn":
            return False
        return text.is_secret(name_of(self.step))

    @property
    def is_foldable(self) -> bool:
        """Whether opening it shows more."""
        if self.is_hidden:
            return False
        if self.is_container:
            return self.source.has_children(self.span)
        return self.kind == '"' and self._is_long_string

    @property
    def children(self) -> list[Node]:
        """The children that have been listed: the first page at least."""
        if self._children is None:
            self._children = []
            self.list_more()
        return self._children

    @property
    def peek(self) -> Peek:
        """The first children of this container and how many it has, without listing them."""
        if self._peek is None:
            spans = [node.span for node in self.listed[:PAGE]]
            rest = self.rest or len(self.listed) > PAGE
            if not spans:
                spans, rest = self.source.children(self.span)
            self._peek = Peek(tuple(spans[:SUMMARY]), f"{len(spans):,}{'+' if rest else ''}")
        return self._peek

    @property
    def listed(self) -> list[Node]:
        """The children that have been listed so far, without listing any."""
        return self._children or []

    @property
    def path(self) -> Path:
        """The steps from the root to here."""
        steps: list[Step] = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))

    def list_more(self) -> None:
        """List the next page of children."""
        if not self.is_container:
            return
        known = self._children or []
        after = known[-1].span if known else None
        spans, rest_at = self.source.children(self.span, after)
        steps = _told_apart(spans, known) if self.kind == "{" else [span.key for span in spans]
        known += map(Node, repeat(self.source), spans, steps, repeat(self))
        self._children = known
        self.rest = self.span.end - 1 - rest_at if rest_at else 0

    def child(self, step: Step) -> Node | None:
        """Return the child that a step leads to, listing as many pages as that takes."""
        looked_at = 0
        while True:
            children = self.children
            if isinstance(step, int) and step < len(children):
                return children[step] if self.kind == "[" and step >= 0 else None
            for node in children[looked_at:]:
                if node.step == step:
                    return node
            looked_at = len(children)
            if not self.rest:
                return None
            self.list_more()

    @property
    def _is_long_string(self) -> bool:
        if self.span.end - self.span.start - 2 > LONG_STRING:
            return True
        return "\n" in self.source.string(self.span)


def _told_apart(spans: list[Span], known: list[Node]) -> list[Step]:
    """Return the steps to an object's members: a key that was there before is one `Again`."""
    seen: dict[str, int] = {}
    for node in known:
        name = name_of(node.step)
        seen[name] = seen.get(name, 0) + 1
    steps: list[Step] = []
    for span in spans:
        key = str(span.key)
        seen[key] = seen.get(key, 0) + 1
        steps.append(Again(key, seen[key]) if seen[key] > 1 else key)
    return steps


def name_of(step: Step) -> str:
    """Return the key that a step goes by; "" for the items of a list."""
    if isinstance(step, Again):
        return step.key
    return step if isinstance(step, str) else ""
