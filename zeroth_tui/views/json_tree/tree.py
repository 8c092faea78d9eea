"""A JSON value as a tree that folds: only what is open is ever looked at, however large it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zeroth_tui.line import Piece, Row
from zeroth_tui.views.json_tree import search
from zeroth_tui.views.json_tree.node import Node
from zeroth_tui.views.json_tree.path import Path, Rest
from zeroth_tui.views.json_tree.rows import node_row, problem_text, raw_rows, rest_row, string_rows
from zeroth_tui.views.json_tree.spans import JsonText
from zeroth_tui.views.json_tree.strict import Malformed


class JsonTree:
    """A foldable view of one JSON text, opened at its first level.

    A row's item is the path of its value; rows of an unfolded string carry the string's path, and
    the row for children not listed yet ends in `Rest.REST`: toggling it lists more. Text that is no
    JSON is shown raw under a line that says what is wrong. Secrets stay masked until revealed.
    """

    def __init__(self, text: str | None) -> None:
        self._root: Node | None = None
        self._folds: Node | None = None
        self._instead: tuple[Row, ...] = ()
        self._problem: str | None = None
        self._flat: list[Row | Node] | None = None
        self._read(text)

    @property
    def problem(self) -> str | None:
        """What is wrong with the text; None when it is JSON."""
        return self._problem

    @property
    def row_count(self) -> int:
        """How many rows there are at the present folding."""
        return len(self._rows())

    def rows(self, start: int, stop: int) -> tuple[Row, ...]:
        """Return the rows from `start` up to `stop`."""
        return tuple(
            node_row(entry) if isinstance(entry, Node) else entry
            for entry in self._rows()[max(start, 0) : max(stop, 0)]
        )

    def index_of(self, path: Path) -> int | None:
        """Return the row that shows a value, or None while it is folded away."""
        for index, entry in enumerate(self._rows()):
            item = entry.path if isinstance(entry, Node) else entry.item
            if item == path:
                return index
        return None

    def toggle(self, path: Path) -> None:
        """Open or close a value; on the row of the rest, list more children."""
        if path and path[-1] is Rest.REST:
            node = self._node(path[:-1])
            if node is not None and node.rest:
                node.list_more()
        else:
            node = self._node(path)
            if node is not None:
                node.is_open = not node.is_open and node.is_foldable
        self._flat = None

    def expand(self, path: Path) -> None:
        """Open a value and everything above it."""
        node = self._node(path)
        if node is not None:
            node.is_open = node.is_foldable
            self.show(path)

    def show(self, path: Path) -> None:
        """Open everything above a value, so that it has a row."""
        node = self._node(path)
        while node is not None and node.parent is not None:
            node = node.parent
            node.is_open = not node.is_hidden
        self._flat = None

    def expand_all(self, limit: int = 2000) -> bool:
        """Open all containers, outer ones first; False if `limit` rows were reached before the end.

        Long strings stay folded.
        """
        queue = deque([self._root] if self._root else [])
        total = 1
        while queue:
            node = queue.popleft()
            if not (node.is_container and node.is_foldable):
                continue
            if total + len(node.children) > limit and node is not self._root:
                self._flat = None
                return False
            node.is_open = True
            total += len(node.children)
            queue.extend(node.children)
        self._flat = None
        return True

    def collapse_all(self) -> None:
        """Close everything but the first level."""
        stack = list(self._root.listed) if self._root else []
        while stack:
            node = stack.pop()
            node.is_open = False
            stack.extend(node.listed)
        self._flat = None

    def reveal(self, path: Path) -> None:
        """Show the secret at a path."""
        node = self._node(path)
        if node is not None:
            node.revealed = True
            self._flat = None

    def is_hidden(self, path: Path) -> bool:
        """Whether the value at a path is a masked secret."""
        node = self._node(path)
        return node is not None and node.is_hidden

    def value_text(self, path: Path) -> str:
        """Return a value exactly as stored, secrets included; "" where there is none."""
        node = self._node(path)
        return node.source.slice(node.span) if node is not None else ""

    def find(self, needle: str) -> Iterator[Path]:
        """Yield the paths of keys and values that hold `needle`, case ignored, folded ones too."""
        if self._root is not None and needle:
            yield from search.find(self._root.source, needle)

    def with_text(self, text: str | None) -> JsonTree:
        """Return a tree of another text with the same folding; secrets are masked again."""
        other = JsonTree(text)
        folds = self._root or self._folds
        if other._root is None:
            other._folds = folds
        elif folds is not None:
            _copy_folds(folds, other._root)
        return other

    def _read(self, text: str | None) -> None:
        if not text:
            note = "(nothing stored)" if text is None else "(empty)"
            self._instead = (Row((Piece(note, "muted"),)),)
            return
        try:
            source = JsonText(text)
        except Malformed as error:
            self._problem = problem_text(error)
            self._instead = (Row((Piece(self._problem, "error"),)), *raw_rows(text))
            return
        self._root = Node(source, source.root, 0, None)
        self._root.is_open = self._root.is_foldable

    def _rows(self) -> list[Row | Node]:
        if self._flat is None:
            self._flat = list(self._instead) if self._root is None else _visible(self._root)
        return self._flat

    def _node(self, path: Path) -> Node | None:
        node = self._root
        for step in path:
            if node is None or step is Rest.REST:
                break
            node = node.child(step) if node.is_container else None
        return node


def _visible(root: Node) -> list[Row | Node]:
    """Return what the present folding shows, in order."""
    flat: list[Row | Node] = []
    stack: list[Row | Node] = [root]
    while stack:
        entry = stack.pop()
        flat.append(entry)
        if not isinstance(entry, Node) or not entry.is_open or entry.is_hidden:
            continue
        if not entry.is_container:
            flat.extend(string_rows(entry))
            continue
        children = entry.children
        if entry.rest:
            stack.append(rest_row(entry))
        stack.extend(reversed(children))
    return flat


def _copy_folds(old_root: Node, new_root: Node) -> None:
    """Open in the new tree what is open in the old one, as far as it is still there."""
    pairs = [(old_root, new_root)]
    while pairs:
        old, new = pairs.pop()
        new.is_open = old.is_open and new.is_foldable
        for child in old.listed:
            if child.is_open or child.listed:
                twin = new.child(child.step) if new.is_container else None
                if twin is not None:
                    pairs.append((child, twin))
