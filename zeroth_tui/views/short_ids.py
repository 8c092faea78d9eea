"""Ids as short as a list allows: what is shown side by side never looks the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from zeroth_tui import text
from zeroth_tui.views.layout import SHORT_CELLS, is_random, short

LEAST_DIGITS = 6
"""So many digits of a random id are shown at the least."""

_WHOLE = 36


class ShortIds:
    """Shortens ids of one list: random ones to their first digits, others at either end."""

    def __init__(self, ids: Iterable[str]) -> None:
        """Tell these ids apart; others may be asked for, too."""
        every = set(ids)
        self._digits = _digits({one for one in every if is_random(one)})
        self._alike = _alike({one for one in every if not is_random(one)}, short)
        self._whole = _alike(self._alike, _tail)
        self.cells = max((text.cells(self.of(one)) for one in every), default=self._digits)
        """How wide the widest of them is."""

    def of(self, identity: str) -> str:
        """Return the short form of an id."""
        if is_random(identity):
            return identity[: self._digits]
        if identity in self._whole:
            return text.line(identity)
        return _tail(identity) if identity in self._alike else short(identity)


def _digits(ids: set[str]) -> int:
    """Return how many first digits tell all of these apart."""
    for digits in range(LEAST_DIGITS, _WHOLE):
        if len({one[:digits] for one in ids}) == len(ids):
            return digits
    return _WHOLE


def _tail(identity: str) -> str:
    """Return the end of an id, where numbers stand that tell it from the next one."""
    shown = text.line(identity)
    end = shown[-SHORT_CELLS:]
    while text.cells(end) >= SHORT_CELLS:
        end = end[1:]
    return f"…{end}"


def _alike(ids: set[str], shorten: Callable[[str], str]) -> set[str]:
    """Return those ids whose short form is another's, too."""
    forms = {one: shorten(one) for one in ids}
    times = Counter(forms.values())
    return {one for one, form in forms.items() if times[form] > 1}
