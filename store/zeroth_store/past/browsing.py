"""What a caller may ask of a database's past: a browser for any moment, and what happened when."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import msgspec

from zeroth_store.errors import StoreError
from zeroth_store.past.events import Event
from zeroth_store.summaries import RunKey

if TYPE_CHECKING:
    from zeroth_store.browse import RunBrowser


class PastUnknown(StoreError):
    """The past of a database cannot be read now."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """How much is known of a moment."""

    runs: int
    """How many runs were there."""
    under_way: int
    """How many of them were written later, while nothing tells their status then."""
    undated: int
    """How many runs have no start that can be read: they are always shown."""


class PastView(NamedTuple):
    """Everything as it was at a moment, as far as the database tells."""

    browser: RunBrowser
    """Leaves out what is not known of that moment; opened and closed with that of the present."""
    known: Known


class Past(Protocol):
    """The past of one database. Everything raises a StoreError."""

    async def at(self, moment: datetime) -> PastView:
        """Return everything as it was at a moment.

        Raises PastUnknown where there is no side index, without which only the present is known.
        """
        ...

    async def events(self, key: RunKey) -> tuple[Event, ...]:
        """Return what has happened to a run; nothing for one that is gone."""
        ...

    async def neighbour(self, moment: datetime, *, forward: bool) -> datetime | None:
        """Return when a run was started or written last, next to a moment."""
        ...


@runtime_checkable
class HasPast(Protocol):
    """A browser whose database can be looked at as it was."""

    def past(self) -> Past:
        """Return the past; what is read of it is kept as long as it is."""
        ...
