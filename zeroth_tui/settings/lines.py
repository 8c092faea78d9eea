"""On which line of a TOML text a value stands, which Python's parser does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from zeroth_tui.settings.errors import Path

_AT: Final = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")


@lru_cache(maxsize=1)
def lines_of(text: str) -> dict[str, int]:
    """Return the lines on which the values of a valid TOML text begin, by their dotted keys.

    A value is found where the text up to there can be read for the first time, so that the parser
    alone decides what is a key. That takes the square of the length: for settings it does not
    matter.
    """
    found: dict[str, int] = {}
    written = text.split("\n")
    begin = 1
    for end in range(1, len(written) + 1):
        try:
            document = tomllib.loads("\n".join(written[:end]))
        except tomllib.TOMLDecodeError:
            continue  # inside of something that is longer than a line
        for path in _paths(document):
            found.setdefault(_dotted(path), begin)
        begin = end + 1
    return found


def line_of(found: Mapping[str, int], path: Path) -> int:
    """Return the line of a value, or of the closest thing around it that has one."""
    while path and _dotted(path) not in found:
        path = path[:-1]
    return found.get(_dotted(path), 1)


def _dotted(path: Path) -> str:
    """Return a path in one word: `a.b` may be written as two keys or, in quotes, as one."""
    return ".".join(map(str, path))


def wrong_line(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    """Return the line at which a text stops being TOML, and why without the place."""
    words = str(error)
    place = _AT.search(words)
    at = int(place[1]) if place is not None and place[1] else text.rstrip().count("\n") + 1
    return at, _AT.sub("", words)


def _paths(value: object, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in inner:
        yield from _paths(one, (*path, key))
