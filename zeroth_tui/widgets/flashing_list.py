"""A list whose rows light up for a moment when what they show has changed."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Final

from zeroth_tui.widgets.row_list import RowList

FLASH_SECONDS: Final = 0.6
"""How long a changed row stays lit: long enough to be seen from the corner of the eye."""


class FlashingList(RowList):
    """Lights rows up by their items, once for each change, where motion is wanted at all."""

    _lit: frozenset[Hashable] = frozenset()

    def flash(self, items: frozenset[Hashable]) -> None:
        """Light the rows of some items up."""
        if items and self.app.animation_level != "none":
            self._light(self._lit | items)
            self.set_timer(FLASH_SECONDS, partial(self._fade, items))

    def looks(self) -> dict[int, str]:
        """Return what sets rows off; the cursor is seen over what is lit."""
        return dict.fromkeys(self._lit_rows(), "changed") | super().looks()

    def _fade(self, items: frozenset[Hashable]) -> None:
        self._light(self._lit - items)

    def _light(self, items: frozenset[Hashable]) -> None:
        before = self._lit_rows()
        self._lit = items
        for index in before ^ self._lit_rows():
            self.refresh_row(index)

    def _lit_rows(self) -> set[int]:
        """Return the rows in sight that are lit."""
        if not self._lit:
            return set()
        sight = range(self.top, self.top + self.size.height)
        return {index for index in sight if (row := self.row_at(index)) and row.item in self._lit}
