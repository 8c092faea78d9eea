"""A frame around a list, whose lower edge may change with every key."""

from __future__ import annotations

from typing import Self

from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region


class Framed(Vertical):
    """Draws only its lower edge again when that says something else.

    Textual draws a whole widget again for another border subtitle, here with every line of the
    list inside it: three quarters of what painting a step of the cursor takes.
    """

    _edge_only = False

    def say_below(self, words: Content) -> None:
        """Write into the lower edge."""
        self._edge_only = True
        self.border_subtitle = words
        self._edge_only = False

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw again; while the lower edge is written, that alone."""
        if self._edge_only and not regions:
            edge = Region(0, self.outer_size.height - 1, self.outer_size.width, 1)
            regions = (edge.translate(-self.content_offset),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
