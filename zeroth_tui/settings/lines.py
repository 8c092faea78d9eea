"""On which line of a TOML text a value stands, which Python's parser does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from zeroth_tui.settings.errors import Path

_AT: Final = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")


@lru_cache(maxsize=1)
def lines_of(text: str) -> dict[str, int]:
    """Return the lines on which the values of a valid TOML text begin, by their dotted keys.

    The parser alone decides what is a key: it reads every statement by itself.
    """
    found: dict[str, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for line, is_header, document in _statements(text.split("\n")):
        if is_header:
            table = _entered(document, counts)
            paths: tuple[Path, ...] = tuple(table[:end] for end in range(1, len(table) + 1))
        else:
            paths = tuple((*table, *path) for path in _paths(document))
        for path in paths:
            found.setdefault(_dotted(path), line)
    return found


def _statements(written: Sequence[str]) -> Iterator[tuple[int, bool, dict[str, Any]]]:
    """Yield where each statement begins, whether it is the head of a table, and what it says.

    A statement ends with the first line up to which it can be read.
    """
    begin = 0
    for end in range(1, len(written) + 1):
        try:
            document = tomllib.loads("\n".join(written[begin:end]))
        except tomllib.TOMLDecodeError:
            continue  # inside of something that is longer than a line
        if document:
            yield begin + 1, written[begin].lstrip().startswith("["), document
        begin = end


def _entered(document: dict[str, Any], counts: dict[Path, int]) -> Path:
    """Return the path of the table whose head is read; `counts` knows how often lists were met."""
    path: Path = ()
    inner: Any = document
    while inner:
        if isinstance(inner, list):  # the head is that of one more table of a list
            counts[path] = counts.get(path, 0) + 1
            return (*path, counts[path] - 1)
        ((key, inner),) = inner.items()
        path = (*path, key)
        if isinstance(inner, dict) and path in counts:
            path = (*path, counts[path] - 1)
    return path


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
