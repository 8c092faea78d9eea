r"""Stored values as visible text: nothing is dropped, nothing can act on a terminal.

- C0 controls and DEL are shown as their control pictures (`␀ ␉ ␊ ␛ ␡`).
- Everything else that is no visible character of its own (C1, bidi and zero-width characters, tags,
  variation selectors, skin tones, spaces other than U+0020, marks that combine over Latin letters,
  lone surrogates, private use, unassigned) is shown as `\u202e` or `\U000e0041`.
- Stored text that spells such an escape or holds a control picture is escaped itself (`\\u202e`,
  `\u2400`), so two different texts never look the same. The surrogate pairs of JSON
  (`\ud83d\ude00`) stay as they are: no decoder leaves two surrogates side by side.
"""

from __future__ import annotations

import re
from typing import Final

LINE_LIMIT: Final = 500
"""How many stored characters a one-line place shows unless it says otherwise."""

BLOCK_LIMIT: Final = 65536
"""How many stored characters a multi-line place shows: more would hold the screen up."""

_TAB: Final = 4

_HIDDEN: Final = re.compile(
    "["
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"  # combine over Latin
    "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800\U00016fe4\U0001d159"  # blank letters and symbols
    "\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors, tags
    "\U0001f3fb-\U0001f3ff"  # skin tones
    "\u2400-\u2426"  # control pictures: on screen they stand for controls
    "]"
)
_BACKSLASHES: Final = re.compile(
    r"(?<!\\)(?:"
    r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}"  # a surrogate pair as JSON spells it
    r"|\\++(?=u(?P<short>[0-9a-f]{4})|U(?P<long>[0-9a-f]{8})|(?P<char>[^\x00-\x7f]))"
    r")"
)


def _shown(code: int) -> str | None:
    """Return what stands for a character on screen, or None when it stands for itself."""
    char = chr(code)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char.isprintable() and not _HIDDEN.match(char):
        return None
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Table(dict[int, int | str]):
    """A `str.translate` table that fills itself as characters are met."""

    def __missing__(self, code: int) -> int | str:
        shown = _shown(code)
        if shown is not None:
            return shown
        self[code] = code
        return code


_ONE_LINE: Final = _Table()
_MANY_LINES: Final = _Table({0x09: 0x09, 0x0A: 0x0A})


def line(value: object, limit: int = LINE_LIMIT) -> str:
    """Return any stored value as one line of visible text.

    None is "" and bytes are `<blob 4096 bytes>`. Of a longer text the first `limit` stored
    characters are shown, and how many more there are: `… +1,234`.
    """
    return _visible(_as_text(value), limit, _ONE_LINE)


def block(value: object, limit: int = BLOCK_LIMIT) -> str:
    r"""Return any stored value as visible text that keeps its lines.

    Only `\n` ends a line: the `\r` of a Windows line end stays visible as `␍`. Tabs become spaces
    up to the next multiple of four characters. Cut like `line`.
    """
    return _visible(_as_text(value), limit, _MANY_LINES).expandtabs(_TAB)


def stands_for_itself(char: str) -> bool:
    """Whether a character is shown as it is, so that it can also be copied as it is."""
    return _shown(ord(char)) is None


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<blob {len(value)} bytes>"
    try:
        return str(value)
    except ValueError:  # an integer of more digits than Python converts
        return f"<{type(value).__name__} too long to show>"


def _visible(text: str, limit: int, table: _Table) -> str:
    more = len(text) - limit
    if more > 0:
        text = text[:limit]
    if not (text.isascii() and text.isprintable()):
        text = _escape_backslashes(text).translate(table)
    elif "\\" in text:
        text = _escape_backslashes(text)
    return f"{text}… +{more:,}" if more > 0 else text


def _escape_backslashes(text: str) -> str:
    return _BACKSLASHES.sub(_doubled, text) if "\\" in text else text


def _doubled(match: re.Match[str]) -> str:
    """Double the backslashes before what is, or reads like, an escape made here."""
    digits = match["short"] or match["long"]
    code = int(digits, 16) if digits else ord(match["char"]) if match["char"] else None
    made_here = code is not None and code <= 0x10FFFF and (_shown(code) or "").startswith("\\")
    return match[0] * 2 if made_here else match[0]
