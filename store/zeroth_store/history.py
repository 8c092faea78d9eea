"""A history of maybe ten thousand entries: what a timeline needs is at hand, the rest is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, TypeAlias, overload

import msgspec

from zeroth_store.run_detail import HistoryEntry, JsonText

_Instant: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)] | None


class Brief(msgspec.Struct, frozen=True, gc=False):
    """What a timeline shows of an entry."""

    node_id: str
    status: str | None = None
    attempt: int | None = None
    started_at: _Instant = None
    completed_at: _Instant = None


class History(Sequence[HistoryEntry]):
    """The entries of a stored history, made when they are looked at.

    Only for a history of which every entry can be read: an entry's place is its `index`.
    """

    def __init__(
        self,
        text: JsonText,
        briefs: list[Brief],
        first: HistoryEntry,
        read: Callable[[JsonText], Callable[[int], HistoryEntry]],
    ) -> None:
        """Hold `text`; `read` decodes it, once, when more than the first entry is wanted."""
        self.text = text
        self.briefs = briefs
        self._first = first
        self._read = read
        self._entry: Callable[[int], HistoryEntry] | None = None

    def __len__(self) -> int:
        return len(self.briefs)

    @overload
    def __getitem__(self, index: int) -> HistoryEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[HistoryEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> HistoryEntry | tuple[HistoryEntry, ...]:
        """Return an entry, or some."""
        places = range(len(self.briefs))[index]
        if isinstance(places, range):
            return tuple(map(self._at, places))
        return self._at(places)

    def __iter__(self) -> Iterator[HistoryEntry]:
        return map(self._at, range(len(self.briefs)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, History):
            return self is other or self.text == other.text
        return isinstance(other, tuple) and tuple(self) == other

    __hash__ = None  # type: ignore[assignment]

    def _at(self, place: int) -> HistoryEntry:
        if place == 0:
            return self._first
        if self._entry is None:
            self._entry = self._read(self.text)
        return self._entry(place)
