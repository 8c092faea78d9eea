"""A JSON tree as the rows of a list, below a heading and the path of the cursor."""

from __future__ import annotations

from collections.abc import Callable

from zeroth_tui.line import Piece, Row
from zeroth_tui.views.json_tree import JsonTree


class TreeSource:
    """A heading over the rows of a JSON tree."""

    def __init__(self, heading: tuple[Row, ...], tree: JsonTree, path: Callable[[], str]) -> None:
        """Show `heading`, then the path of the cursor, then the tree."""
        self._heading = heading
        self._tree = tree
        self._path = path

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._above + self._tree.row_count

    @property
    def _above(self) -> int:
        return len(self._heading) + 1

    def row(self, index: int, width: int) -> Row:  # noqa: ARG002 - the list cuts with a mark
        """Return one row."""
        if index < len(self._heading):
            return self._heading[index]
        if index < self._above:
            return Row((Piece(self._path(), "muted"),))
        at = index - self._above
        return self._tree.rows(at, at + 1)[0]

    def find(self, item: object) -> int | None:
        """Return where a JSON path is shown, or None."""
        if not isinstance(item, tuple):
            return None
        at = self._tree.index_of(item)
        return None if at is None else at + self._above
