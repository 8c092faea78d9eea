r"""JSON that a person edits: what cannot be shown is written as the escape that JSON has for it."""

from __future__ import annotations

import json
import re
from typing import Final

from zeroth_tui.text.show import stands_for_itself

_SUSPECT: Final = re.compile(r"[^\t\n\x20-\x7e]")
_LINE_END: Final = re.compile(r"\r\n?")


def for_editing(text: str) -> str:
    r"""Return JSON text, or a piece of it, as a person can see and edit it.

    A control or hidden character becomes its JSON escape (`\u001b`, `\u202e`), which in a string
    decodes to the same character, and outside of one is no JSON any more.
    """
    return _SUSPECT.sub(_escaped, _LINE_END.sub("\n", text))


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if stands_for_itself(char) else json.dumps(char)[1:-1]
