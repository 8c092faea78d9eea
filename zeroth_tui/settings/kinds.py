"""What a setting may be: how a value of the file, or the text of a variable, becomes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from zeroth_tui.settings.errors import Path, RefusedError, must_be
from zeroth_tui.themes import THEME_NAMES
from zeroth_tui.views.columns import Name

LEAST_REFRESH, MOST_REFRESH = 0.1, 60.0
"""Seconds: more often would keep a quiet database busy, less often would look like a halt."""

COLUMNS: Final[tuple[Name, ...]] = tuple(name for name in get_args(Name) if name != "run")
"""What may be chosen beside the run itself, which is always there."""

_TRUTH: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def text(value: object) -> str:
    """Take any text that says something. Raises ValueError, as all of these do."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value


def path(value: object) -> str:
    """Take what may name a file."""
    if "\0" in (found := text(value)):
        raise ValueError
    return found


def theme(value: object) -> str:
    """Take the name of a theme, ours or Textual's."""
    if (found := text(value)) not in THEME_NAMES:
        from textual.theme import BUILTIN_THEMES

        if found not in BUILTIN_THEMES:
            raise ValueError
    return found


def truth(value: object) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise ValueError
    return value


def zone(value: object) -> str:
    """Take the name of a time zone that this machine knows."""
    from zoneinfo import ZoneInfo

    if (found := text(value)) not in {"local", "UTC"}:
        try:
            ZoneInfo(found)
        except (LookupError, OSError) as error:
            raise ValueError from error
    return found


def seconds(value: object) -> float:
    """Take a number of seconds that makes sense between two looks."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not LEAST_REFRESH <= (found := float(str(value))) <= MOST_REFRESH:
        raise ValueError
    return found


def columns(value: object) -> tuple[Name, ...]:
    """Take the names of columns, each once."""
    known = {str(name): name for name in COLUMNS}
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError
    if len({*value}) < len(value) or not known.keys() >= {*value}:
        raise ValueError
    return tuple(known[name] for name in value)


def keymap(value: object) -> dict[str, str]:
    """Take keys by the names of what they do; `a.b = "x"` names one as well as a table does."""
    return dict(_keys(value, ()))


def _keys(value: object, path: Path) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _keys(inner, (*path, name))
    elif path:
        name = ".".join(map(str, path))
        try:
            yield name, text(value)
        except ValueError as error:
            raise must_be(name, value, 'keys as in "x" or "ctrl+x,f5"', path) from error
    else:
        raise RefusedError("keymap must be a table, headed [keymap]")


def spelled_truth(words: str) -> bool | str:
    """Read true or false from the text of a variable."""
    return _TRUTH.get(words.strip().lower(), words)


def spelled_number(words: str) -> float | str:
    """Read a number from the text of a variable."""
    try:
        return float(words)
    except ValueError:
        return words
