"""The way from the root of a JSON value to one inside it."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import Final, NamedTuple

from zeroth_tui import text


class Again(NamedTuple):
    """A key that the object has had before: JSON allows it, and every value is shown."""

    key: str
    nth: int
    """2 for the second value under this key."""


class Rest(Enum):
    """Ends the path of the row that stands for children not listed yet."""

    REST = "rest"


Step = str | int | Again | Rest
Path = tuple[Step, ...]

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def path_text(path: Path) -> str:
    """Return a path as people write it, made visible: `$.a[0]["odd key"].b`."""
    return "$" + "".join(map(_step_text, path))


def _step_text(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, Again):
        return f"{_step_text(step.key)}(#{step.nth})"
    if isinstance(step, Rest):
        return ""
    if _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    return f"[{text.one_line_json(json.dumps(step, ensure_ascii=False))}]"
