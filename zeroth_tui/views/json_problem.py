"""What makes a text that somebody types no JSON, and where."""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple


class JsonProblem(NamedTuple):
    """The first thing that is wrong."""

    words: str
    at: int | None
    """Where in the text, in characters; None where that is not known."""


def json_problem(text: str, *, constants: bool = False) -> JsonProblem | None:
    """Return what makes a text no JSON; None where nothing does.

    NaN and the infinities, which Python's reader takes, are none: SQLite's own functions fail on
    them. `constants` lets them pass.
    """
    refuse = None if constants else _refuse
    try:
        json.loads(text, parse_constant=refuse, parse_int=str)
    except json.JSONDecodeError as error:
        return JsonProblem(f"not JSON: {error.msg}", error.pos)
    except _NoNumber as error:
        places = (found.start() for found in _CONSTANT.finditer(text) if found[0] == str(error))
        return JsonProblem(f"not JSON: {error} is no number", next(places, None))
    except RecursionError:
        return JsonProblem("nested too deeply to be checked", None)
    return None


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return where the character at a position stands, both counted from 0."""
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1


_CONSTANT: Final = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity', re.DOTALL)


class _NoNumber(ValueError):
    """A name that Python's reader takes for a number."""


def _refuse(name: str) -> object:
    raise _NoNumber(name)
