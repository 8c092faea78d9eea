"""A JSON text whose containers are looked into one at a time: children are spans, not values.

The text is checked whole at first, so that nothing of a broken text is shown as a fact. Nothing is
decoded then but what is looked at, so numbers, escapes and duplicate keys stay as stored.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

import msgspec

from zeroth_tui.views.json_tree.lexical import (
    CONTAINER,
    NEAR,
    PAGE,
    STRING,
    STRING_START,
    UNITS,
    check,
    decoded,
    members_decoder,
    page_decoder,
    skip_space,
    tolerant,
)
from zeroth_tui.views.json_tree.strict import TOKEN, Malformed, container_ends

DEEP_LIMIT: Final = 1_000_000
"""Bytes of a text nested deeper than the fast reader goes, which a slower one still reads."""


class Span(NamedTuple):
    """Where a child of a container lies, in bytes."""

    key: str | int
    start: int
    end: int
    key_start: int
    """Where its key begins; `start` in a list."""


class JsonText:
    """A well-formed JSON text. Raises Malformed when it is none."""

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8", "surrogatepass")
        """The text in UTF-8; spans are offsets in it."""
        self._shape = self.data
        self._ends: dict[int, int] | None = None
        self._check(text)
        start = skip_space(self.data, 0)
        self.root = Span(0, start, len(self.data.rstrip(b" \t\n\r")), start)
        """The value that the text is."""

    def slice(self, span: Span) -> str:
        """Return a value exactly as stored."""
        return self.data[span.start : span.end].decode("utf-8", "surrogatepass")

    def string(self, span: Span) -> str:
        """Return the decoded text of a value that is a string."""
        return decoded(self.data[span.start : span.end])

    def string_start(self, span: Span) -> str:
        """Return up to `STRING_START` characters of a string, without decoding the rest."""
        match = UNITS.match(self.data, span.start)
        start = decoded(match[0] + b'"') if match else ""
        cut_pair = len(start) == STRING_START and "\ud800" <= start[-1] <= "\udbff"
        return start[:-1] if cut_pair else start

    def kind(self, span: Span) -> str:
        """Return the first character of a value, which tells what it is."""
        return chr(self.data[span.start])

    def has_children(self, span: Span) -> bool:
        """Whether a container holds anything."""
        return self._next(span.start + 1) < span.end - 1

    def children(self, span: Span, after: Span | None = None) -> tuple[list[Span], int]:
        """Return up to `PAGE` children behind `after`, and where the rest begins (0 for no rest).

        `after` is the last child that is known already.
        """
        if self.kind(span) == "[":
            return self._items(span, after)
        return self._members(span, after)

    def member(self, span: Span, key: str) -> bytes:
        """Return what an object holds under a key, for comparing; empty where that is unknown."""
        value = self._member_values(span).get(key)
        return b"" if value is None else bytes(value)

    def _check(self, text: str) -> None:
        try:
            check(self.data)
        except (RecursionError, msgspec.DecodeError):
            self._check_slowly(text)

    def _check_slowly(self, text: str) -> None:
        """Accept what only Python writes (NaN, lone surrogates) and what is nested very deep."""
        self._shape = tolerant(self.data)
        try:
            check(self._shape)
        except RecursionError:
            self._check_deep()
        except msgspec.DecodeError:
            self._explain(text)

    def _explain(self, text: str) -> None:
        try:
            json.loads(text, parse_int=str)
        except json.JSONDecodeError as error:
            raise Malformed(error.msg, error.pos) from None
        except RecursionError:
            pass
        self._check_deep()

    def _check_deep(self) -> None:
        if len(self.data) > DEEP_LIMIT:
            raise Malformed("too deep to fold in a text of this size", None)
        try:
            end, self._ends = container_ends(self.data)
            if skip_space(self.data, end) < len(self.data):
                raise Malformed("Extra data", end)
        except Malformed as error:
            before = self.data[: error.offset].decode("utf-8", "surrogatepass")
            raise Malformed(error.message, len(before)) from None

    def _items(self, span: Span, after: Span | None) -> tuple[list[Span], int]:
        at = span.start + 1 if after is None else self._next(after.end) + 1
        index = 0 if after is None else int(after.key) + 1
        spans: list[Span] = []
        lengths = self._item_lengths(span) if after is None else None
        at = self._next(at)
        while self.data[at] != ord("]"):
            if len(spans) == PAGE:
                return spans, at
            end = self._end(at) if lengths is None else at + lengths[len(spans)]
            spans.append(Span(index + len(spans), at, end, at))
            at = self._next(end)
            if self.data[at] == ord(","):
                at = self._next(at + 1)
        return spans, 0

    def _item_lengths(self, span: Span) -> list[int] | None:
        """Return the lengths of a list's first items; None if it is nested too deep."""
        if self._ends is not None:
            return None
        try:
            head = page_decoder().decode(memoryview(self._shape)[span.start : span.end])
        except RecursionError:
            self._learn_ends()
            return None
        return [len(raw) for raw in msgspec.structs.astuple(head)]

    def _members(self, span: Span, after: Span | None) -> tuple[list[Span], int]:
        at = self._next(span.start + 1 if after is None else after.end)
        values: dict[str, msgspec.Raw] | None = None if after is None else {}
        spans: list[Span] = []
        while self.data[at] != ord("}"):
            if self.data[at] == ord(","):
                at = self._next(at + 1)
            if len(spans) == PAGE:
                return spans, at
            key_at, key_end = at, self._string_end(at)
            at = self._next(self._next(key_end) + 1)
            end = self._near_end(at)
            if end is None:
                values = self._member_values(span) if values is None else values
                raw = values.get(decoded(self._shape[key_at:key_end]))
                end = at + len(raw) if raw is not None and self._is_at(at, raw) else self._end(at)
            spans.append(Span(decoded(self.data[key_at:key_end]), at, end, key_at))
            at = self._next(end)
        return spans, 0

    def _member_values(self, span: Span) -> dict[str, msgspec.Raw]:
        """Return the last value of each key; nothing for an object that is nested too deep."""
        if self._ends is None:
            try:
                return members_decoder().decode(memoryview(self._shape)[span.start : span.end])
            except RecursionError:
                self._learn_ends()
        return {}

    def _learn_ends(self) -> None:
        """Find all ends at once: the fast reader's depth depends on how deep its caller is."""
        if len(self.data) <= DEEP_LIMIT:
            self._ends = container_ends(self.data, self.root.start)[1]

    def _is_at(self, at: int, raw: msgspec.Raw) -> bool:
        """Whether a value lies here: of duplicate keys only the last is known."""
        end = at + len(raw)
        return self._shape[at:end] == bytes(raw) and self._shape[self._next(end)] in b",}"

    def _near_end(self, at: int) -> int | None:
        """Return where a value ends if that is cheap to find: a scalar or a small container."""
        match = TOKEN.match(self.data, at, at + NEAR)
        if match is not None and match.lastgroup == "open":
            match = CONTAINER.match(self.data, at, at + NEAR)
        return match.end() if match is not None and match.end() < at + NEAR else None

    def _end(self, at: int) -> int:
        if self._ends is not None and at in self._ends:
            return self._ends[at]
        end = self._near_end(at)
        if end is None:
            match = CONTAINER.match(self.data, at) or STRING.match(self.data, at)
            end = match.end() if match else container_ends(self.data, at)[0]
        return end

    def _string_end(self, at: int) -> int:
        match = STRING.match(self.data, at)
        return match.end() if match else at

    def _next(self, at: int) -> int:
        return skip_space(self.data, at)
