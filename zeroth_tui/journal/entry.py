"""One act of one person on one run, and its line in the journal's file."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

import msgspec

from zeroth_store.actions import Act
from zeroth_store.run_detail import Stored
from zeroth_store.summaries import RunKey
from zeroth_tui import text

LONGEST_KEPT: Final = 65_536
"""How many characters of a value the file keeps; a longer one is left out."""

_BYTES: Final = "base64"

Cells = Mapping[str, Any]
"""Column of `runs` -> what is Stored in it, a union that msgspec cannot read by its type."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, and what became of it."""

    time: Annotated[datetime, msgspec.Meta(tz=True)]
    """In UTC."""
    session: str
    """Tells one start of the explorer from the others."""
    user: str
    database: str
    kind: Literal["own", "guest"]
    key: RunKey
    act: Act
    reason: str = ""
    seen: str
    """The status that was seen, and compared with, before the act."""
    aimed: str
    """The status that the act gives a run."""
    columns: tuple[str, ...] = ()
    """The columns that were to be written."""
    written: bool
    stored: str | None
    """The status read back afterwards."""
    problem: str = ""
    before: Cells = msgspec.field(default_factory=dict)
    after: Cells = msgspec.field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    """Columns whose values the file does not keep as they were: secrets, and very long ones."""


def to_line(entry: Entry) -> str:
    """Return an entry as one line of ASCII, its secrets hidden and without its line end."""
    before, after = _kept(entry.before), _kept(entry.after)
    changed = {name for name in before if before[name] != entry.before[name]}
    changed |= {name for name in after if after[name] != entry.after[name]}
    members = {
        **{name: getattr(entry, name) for name in _PLAIN},
        "time": entry.time.astimezone(UTC).isoformat(),
        "reason": text.mask_text(entry.reason),
        "problem": text.mask_text(entry.problem),
        "before": {name: _json(value) for name, value in before.items()},
        "after": {name: _json(value) for name, value in after.items()},
        "withheld": sorted(changed),
    }
    return json.dumps(members)


def from_line(line: bytes) -> Entry | None:
    """Return the entry of a line; None where it holds none that this version can read."""
    try:
        members = json.loads(line)
        cells = {
            name: {column: _value(value) for column, value in members[name].items()}
            for name in ("before", "after")
        }
        return msgspec.convert({**members, **cells}, Entry)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


_PLAIN: Final = (
    "session",
    "user",
    "database",
    "kind",
    "key",
    "act",
    "seen",
    "aimed",
    "columns",
    "written",
    "stored",
)


def _kept(cells: Cells) -> dict[str, Stored]:
    """Return the cells as the file keeps them."""
    return {name: _without_secrets(name, value) for name, value in cells.items()}


def _without_secrets(name: str, value: Stored) -> Stored:
    if isinstance(value, str | bytes) and len(value) > LONGEST_KEPT:
        return None
    if not isinstance(value, str) or not value:
        return value
    if text.is_secret(name):
        return text.MASK
    is_json = value.lstrip()[:1] in {"{", "["}
    return text.mask_text(text.mask_json(value) if is_json else value)


def _json(value: Stored) -> object:
    return {_BYTES: base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(value: object) -> Stored:
    if isinstance(value, dict):
        return base64.b64decode(value[_BYTES], validate=True)
    if value is None or isinstance(value, int | float | str):
        return value
    raise TypeError(type(value).__name__)
