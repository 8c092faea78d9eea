"""Finding text inside one JSON payload: in keys and values as they read once decoded."""

from __future__ import annotations

import re
from json.decoder import JSONDecoder
from typing import Any, Final

from zeroth_store.ascii_case import lower
from zeroth_store.browse import JsonText
from zeroth_store.filters import PayloadTerm, payload_needles
from zeroth_store.payloads import JsonPath

ESCAPE: Final = r"\u"
"""How a letter begins that is escaped; beside letters beyond ASCII it means that spellings mix."""

UNUSUAL: Final = r"\u00[0-7]"
"""Where a letter may be stored as an escape that Zeroth writes as it is, e.g. `A` as `\\u0041`."""

_SLASH: Final = r"\/"
_LONGEST: Final = 4_096
_WORDS: Final = {None: "null", True: "true", False: "false"}


class _Members(tuple[tuple[str, Any], ...]):
    """The members of a JSON object, each of them also where a key is written twice."""

    __slots__ = ()


_EXACT: Final = JSONDecoder(
    object_pairs_hook=_Members, parse_float=str, parse_int=str, parse_constant=str
)
"""Decodes numbers as their stored digits."""


class TextFinder:
    """Finds the texts of one term, ignoring ASCII case."""

    def __init__(self, term: PayloadTerm) -> None:
        self.place: Final = term.place
        """Where the term looks."""
        self.negated: Final = term.negated
        """Whether the term wants that nothing is found."""
        self._texts = tuple(map(lower, term.values))
        self._needles = payload_needles(term)
        spellings = (*map(re.escape, self._needles), "\\" + UNUSUAL, "\\" + _SLASH)
        self._hint = re.compile("|".join(spellings), re.ASCII | re.IGNORECASE)

    @property
    def patterns(self) -> tuple[str, ...]:
        """Patterns of SQL's LIKE for cells that may hold a text, unless it is spelled unusually.

        They let some others pass: any letter may stand where there is a wildcard in a text, and of
        a long text only the beginning counts, because SQLite refuses very long patterns.
        """
        plain = [needle[:_LONGEST].replace("%", "_") for needle in self._needles]
        slashes = [_SLASH] if any("/" in needle for needle in plain) else []
        return tuple(f"%{each}%" for each in (*plain, *slashes))

    def find(self, payload: JsonText) -> JsonPath | None:
        """Return the path of the first key or value that holds a text; None when none does.

        What is no JSON, or nested too deeply, is searched as it is stored, as one value.
        """
        if not self._may_hold(payload):
            return None
        try:
            value = _EXACT.decode(payload)
        except (ValueError, RecursionError):
            return self.find_stored(payload)
        return self._walk(value)

    def find_stored(self, text: str) -> JsonPath | None:
        """Return the root's path when a text is anywhere in what is stored, else None."""
        stored = lower(text)
        return () if any(needle in stored for needle in self._needles) else None

    def _may_hold(self, payload: JsonText) -> bool:
        """Say whether decoding is worth while, as the patterns do for SQL."""
        mixed = not payload.isascii() and ESCAPE in payload
        return mixed or self._hint.search(payload) is not None

    def _walk(self, root: Any) -> JsonPath | None:
        todo: list[tuple[JsonPath, Any]] = [((), root)]
        while todo:
            path, value = todo.pop()
            if path and isinstance(path[-1], str) and self._holds(path[-1]):
                return path
            if isinstance(value, _Members):
                todo.extend(((*path, key), inner) for key, inner in reversed(value))
            elif isinstance(value, list):
                last = len(value) - 1
                todo.extend(((*path, last - i), inner) for i, inner in enumerate(reversed(value)))
            elif self._holds(value if isinstance(value, str) else _WORDS[value]):
                return path
        return None

    def _holds(self, said: str) -> bool:
        text = lower(said)
        return any(wanted in text for wanted in self._texts)
