"""Takes what is pasted out of what is typed, so that no part of it is ever taken for keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

LONGEST: Final = 65_536
"""How many characters of one paste are kept."""

_START: Final = "\x1b[200~"
_END: Final = "\x1b[201~"
_SHORTEST_HELD: Final = 3
"""A lone ESC is a key; `ESC [ 2` is one only if nothing follows it."""
_CONTROLS: Final = {
    code: "\N{REPLACEMENT CHARACTER}"
    for code in (*range(0x20), *range(0x7F, 0xA0))
    if chr(code) not in "\t\n\r"
}


class Pasted(NamedTuple):
    """One paste."""

    text: str
    """Its beginning; controls other than line ends and tabs are U+FFFD."""
    cut: bool
    """Whether there was more."""


class PasteSplitter:
    """Reads a terminal's input, in which a terminal marks the two ends of a paste."""

    def __init__(self) -> None:
        self._held = ""
        self._pasting = False
        self._paste: list[str] = []
        self._kept = 0
        self._cut = False

    def feed(self, text: str) -> Iterator[str | Pasted]:
        """Yield, in their order, what was typed and each paste that is complete."""
        text = self._held + text
        self._held = ""
        while text:
            marker = _END if self._pasting else _START
            before, found, text = text.partition(marker)
            if not found:
                held = _beginning(marker, before, 1 if self._pasting else _SHORTEST_HELD)
                self._held = before[len(before) - held :]
                before = before[: len(before) - held]
            if self._pasting:
                self._keep(before)
            elif before:
                yield before
            if found and self._pasting:
                yield self._whole()
            self._pasting ^= bool(found)

    def _keep(self, text: str) -> None:
        kept = text[: LONGEST - self._kept]
        self._cut |= len(kept) < len(text)
        self._kept += len(kept)
        self._paste.append(kept)

    def _whole(self) -> Pasted:
        pasted = Pasted("".join(self._paste).translate(_CONTROLS), self._cut)
        self._paste, self._kept, self._cut = [], 0, False
        return pasted


def _beginning(marker: str, text: str, shortest: int) -> int:
    """Return how many characters at the end of a text may be the beginning of the marker."""
    for length in range(len(marker) - 1, shortest - 1, -1):
        if text.endswith(marker[:length]):
            return length
    return 0
