"""The first line: which database this is, what it holds, and whether it is being followed."""

from __future__ import annotations

import msgspec
from textual.reactive import reactive
from textual.strip import Strip

from zeroth_tui.format import count
from zeroth_tui.line import Line, Piece
from zeroth_tui.status import look
from zeroth_tui.text import cells, clip, line
from zeroth_tui.views.freshness import Freshness, fresh_pieces
from zeroth_tui.widgets.ink import InkWidget

_SHORTEST_NAME = 12
"""Cells that a file's name gets at least, however narrow the terminal is."""

_WITH_APP = 100
"""Narrower terminals have no room for the application's own name."""


class DatabaseFacts(msgspec.Struct, frozen=True):
    """What the first line says."""

    name: str
    """The file's name, or a word for a database without one."""
    kind: str = ""
    """E.g. `guest rev 026`."""
    counts: tuple[tuple[str | None, int], ...] | None = None
    """Runs by stored status; None until counted."""
    fresh: Freshness = Freshness()
    """How old it is."""
    indexing: str = ""
    """How far the index is that sorts and filters long lists; empty where that is not said."""
    read_only: bool = False
    network: bool = False
    """Whether it lies on a network file system."""


class TopBar(InkWidget):
    """Draws DatabaseFacts in one line, the most important parts first."""

    facts: reactive[DatabaseFacts] = reactive(DatabaseFacts(""))

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        """Draw the line: facts on the left, liveness on the right."""
        width = self.size.width
        right = self._right()
        room = width - sum(cells(piece.text) for piece in right) - 1
        left = self.strip(self._left(), max(0, room))
        return Strip.join([left, self.strip((Piece(" "), *right), width - left.cell_length)])

    def _left(self) -> Line:
        facts = self.facts
        name = clip(line(facts.name), max(_SHORTEST_NAME, self.size.width // 4))
        app = " zeroth-tui  " if self.size.width >= _WITH_APP else " "
        pieces = [Piece(app, "muted"), Piece(name, "strong")]
        pieces.append(Piece(f"  {line(facts.kind, 60)}", "muted"))
        if facts.counts is not None:
            total = sum(number for _, number in facts.counts)
            pieces.append(Piece(f"  {count(total)} {'run' if total == 1 else 'runs'}"))
            pieces += [piece for status, number in facts.counts for piece in _count(status, number)]
        return tuple(pieces)

    def _right(self) -> Line:
        facts = self.facts
        pieces = []
        if facts.read_only:
            pieces.append(Piece("READ-ONLY  ", "warning"))
        if facts.network:
            system = "file system" if self.size.width >= _WITH_APP else "fs"
            pieces.append(Piece(f"network {system}  ", "warning"))
        if facts.indexing:
            pieces.append(Piece(f"{facts.indexing}  ", "pending"))
        return (*pieces, *fresh_pieces(facts.fresh), Piece(" "))


def _count(status: str | None, number: int) -> Line:
    seen = look(status)
    return (Piece(f"  {seen.glyph} {count(number)}", seen.role),)
