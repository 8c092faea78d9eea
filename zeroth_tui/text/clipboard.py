"""Stored text for the clipboard: always one line, so that pasting it never runs anything."""

from __future__ import annotations

import json
import re
from typing import Final

from zeroth_tui.text.show import stands_for_itself

_SUSPECT: Final = re.compile(r"[^\x20-\x7e]")
_STRUCTURAL: Final = re.compile(r"[\t\n\r]")


def one_line_json(text: str) -> str:
    r"""Return `text` as one line that holds no control, hidden or unencodable character.

    Text that is such a line already comes back as it is (an id, a path, most stored JSON). JSON
    over several lines is put on one; any other text becomes a JSON string. What cannot be shown
    is a JSON escape (`\n`, `\u202e`, `\ud800`), so that decoding gives back what was stored.
    """
    if all(stands_for_itself(char) for char in set(text)):
        return text
    if _is_json(text):
        # Valid JSON holds bare line ends and tabs between its tokens only.
        return _SUSPECT.sub(_escaped, _STRUCTURAL.sub(" ", text))
    return _SUSPECT.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if stands_for_itself(char) else json.dumps(char)[1:-1]
