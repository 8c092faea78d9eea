"""What draws a person's attention who looks elsewhere: the bell, and the desktop's notices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zeroth_tui.text.show import line

_BELL: Final = "\x07"
_END: Final = "\x1b\\"
_OSC_9: Final = frozenset({"iTerm.app", "WezTerm", "ghostty"})
"""The values of TERM_PROGRAM whose terminals show what follows `OSC 9`."""
_OSC_9_TERMS: Final = ("xterm-ghostty", "xterm-kitty")
_OSC_777_TERMS: Final = ("foot", "rxvt")
_LIMIT: Final = 200


def attention(environment: Mapping[str, str], title: str, words: str) -> str:
    """Return what to write to the terminal that `environment` tells of: nothing to a dumb one.

    Only terminals that are known to pass a notice on to the desktop get one: others may print it.
    """
    term = environment.get("TERM", "")
    if term in {"", "dumb"}:
        return ""
    head, body = (line(text, _LIMIT).replace(";", ",") for text in (title, words))
    if environment.get("TERM_PROGRAM") in _OSC_9 or term.startswith(_OSC_9_TERMS):
        return f"{_BELL}\x1b]9;{head}: {body}{_END}"
    if term.startswith(_OSC_777_TERMS) or "VTE_VERSION" in environment:
        return f"{_BELL}\x1b]777;notify;{head};{body}{_END}"
    return _BELL
