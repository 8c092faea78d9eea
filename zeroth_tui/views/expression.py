"""An edge's expression with its words, numbers and strings told apart."""

from __future__ import annotations

import re
from typing import Final

from zeroth_tui.line import Line, Piece, Role

_TOKEN: Final = re.compile(
    r"""(?P<string>"[^"]*"|'[^']*')
      | (?P<number>(?<![\w.])\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)
      | (?P<keyword>\b(?:and|or|not|in|is|if|else|True|False|None|true|false|null)\b)
      | (?P<operator>[<>=!]=?|&&|\|\|)
      | (?P<plain>.+?)
    """,
    re.VERBOSE | re.DOTALL,
)
_ROLES: Final[dict[str, Role]] = {
    "string": "string",
    "number": "number",
    "keyword": "keyword",
    "operator": "keyword",
}


def highlighted(expression: str, role: Role) -> Line:
    """Return a clean text in pieces; `role` is that of names and of everything else."""
    pieces: list[Piece] = []
    for match in _TOKEN.finditer(expression):
        own = _ROLES.get(match.lastgroup or "", role)
        if pieces and pieces[-1].role == own:
            pieces[-1] = Piece(pieces[-1].text + match[0], own)
        else:
            pieces.append(Piece(match[0], own))
    return tuple(pieces)
