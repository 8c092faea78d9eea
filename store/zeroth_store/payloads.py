"""What a search through payloads finds: runs, and where in them the text is."""

from __future__ import annotations

from typing import Literal

import msgspec

from zeroth_store.summaries import RunSummary

JsonPath = tuple[str | int, ...]
"""The keys and positions that lead from the root of a JSON value to one inside it."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A place in what a run or one of its steps was given or gave."""

    place: Literal["input", "output"]
    step: int | None = None
    """The `HistoryEntry.index` of the step; None for what the run itself was given or gave."""
    in_flight: bool = False
    """True for the input of the node that was dispatched last: see `RunDetail.in_flight_input`."""
    path: JsonPath = ()
    """Where in that payload; a key that was found is the last of it. The root, too, where the
    stored text could not be decoded. Of a key that is written twice it cannot say which."""


class Hit(msgspec.Struct, frozen=True):
    """A run that a search wants."""

    run: RunSummary
    spot: Spot | None
    """Where the first text that must be there is; None when a search only says what must not be.

    Steps come first, in the order stored: there a value can be seen beside its node.
    """


class SearchPage(msgspec.Struct, frozen=True):
    """The hits in a stretch of runs; see `Page`."""

    hits: tuple[Hit, ...]
    scanned: int
    """How many runs were looked at, hits or not."""
    more: int | None = None
    """Pass it as `after` to search the runs behind these; None at the end."""
