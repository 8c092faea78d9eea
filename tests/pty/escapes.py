"""What a stream of terminal output did: which modes it set, and what in it the app did not make."""

from __future__ import annotations

import base64
import re
from typing import Final

AT_REST: Final = {7: True, 25: True}
"""Private modes that are on in a terminal nobody has touched: line wrap and the cursor."""

_MODES: Final = re.compile(rb"\x1b\[\?(\d+)([hl])")
_KITTY: Final = re.compile(rb"\x1b\[([<>])\d*u")
_COPIED: Final = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
_OURS: Final = re.compile(
    rb"\x1b\[[0-9;:]*m"  # colours
    rb"|\x1b\[[0-9;]*[HABCDGJK]"  # moving, erasing
    rb"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p"  # questions about frames and sizes
    rb"|\x1b\]22;[a-z-]*\x07"  # the shape of the mouse pointer
    rb"|\x1b\[>\d+u|\x1b\[<u"  # keys as Kitty reports them
)
_CUT_OFF: Final = re.compile(rb"\x1b(?:\[[0-9;:?>]*)?\Z")
_ACTS: Final = re.compile(
    "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufe00-\ufe0f\U000e0000-\U000e0fff]|\r(?!\n)"
)


def modes_left(output: bytes) -> dict[int, bool]:
    """Return the private modes that differ at the end from a terminal at rest."""
    last = {int(number): switch == b"h" for number, switch in _MODES.findall(output)}
    return {number: on for number, on in last.items() if on != AT_REST.get(number, False)}


def keyboards_left(output: bytes) -> int:
    """Return how many of Kitty's keyboard modes were entered and not left."""
    return sum({b">": 1, b"<": -1}[sign] for sign in _KITTY.findall(output))


def copied(output: bytes) -> list[str]:
    """Return what was put into the clipboard."""
    return [base64.b64decode(text).decode() for text in _COPIED.findall(output)]


def foreign(output: bytes) -> list[str]:
    """Return what acts on a terminal and was not made by the app, with what follows it.

    Copying is the app's own as long as what it copies is harmless.
    """
    whole = _CUT_OFF.sub(b"", output)
    left = _COPIED.sub(b"", _OURS.sub(b"", whole)).decode("utf-8", "surrogateescape")
    texts = [left, *copied(output)]
    return [
        ascii(text[found.start() : found.start() + 40])
        for text in texts
        for found in _ACTS.finditer(text)
    ] + [ascii(char) for char in left if "\udc80" <= char <= "\udcff"]
