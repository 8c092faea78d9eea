"""Every setting: what it means, what it may be, and where it may be set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from zeroth_tui.settings import kinds
from zeroth_tui.settings.own_views import own_views
from zeroth_tui.themes import DEFAULT_THEME, THEME_NAMES
from zeroth_tui.views.columns import Name
from zeroth_tui.views.named_views import NamedView


class Settings(msgspec.Struct, frozen=True):
    """What a person may set once instead of at every start."""

    database: str | None = None
    """The database to open when none is named; None for the person's own store."""
    theme: str = DEFAULT_THEME
    """The name of a theme that the palette lists."""
    plain: bool = False
    """Words instead of glyphs, frames and bars, for screen readers."""
    hints: bool = True
    """Whether a line above the keys hints at one that was not used yet."""
    read_only: bool = False
    """Whether nothing is offered that writes."""
    time_zone: str = "local"
    """What times are shown in."""
    refresh: float = 1.0
    """Longest seconds between two looks at a database of which no file events tell."""
    columns: tuple[Name, ...] = ()
    """The columns of flat lists, from left to right; empty for those that fit best."""
    keymap: Mapping[str, str] = {}
    """Keys by what they do."""
    views: tuple[NamedView, ...] = ()
    """The person's own views, which come on top of the built-in ones."""


class Known(NamedTuple):
    """One setting as people read of it and as it is checked."""

    name: str
    meaning: str
    """For the printed settings and the README."""
    allowed: str
    """The values it may have, as the end of `it must be ...`."""
    take: Callable[[object], object]
    """Turns a value of the file into the setting's. Raises ValueError or RefusedError."""
    spell: Callable[[str], object] | None = None
    """Turns the text of a variable into a value of the file; None where no text can say it."""


_BOOL: Final = "true or false"

KNOWN: Final = (
    Known("database", "opened when none is named", "a path", kinds.path, str),
    Known(
        "theme",
        "colours; `T` shows the next",
        f"{', '.join(THEME_NAMES)} or a theme of Textual such as nord",
        kinds.theme,
        str,
    ),
    Known(
        "plain",
        "for screen readers: words instead of glyphs, frames and bars, and nothing moves",
        _BOOL,
        kinds.truth,
        kinds.spelled_truth,
    ),
    Known("hints", "hint at keys that were not used yet", _BOOL, kinds.truth, kinds.spelled_truth),
    Known("read_only", "offer nothing that writes", _BOOL, kinds.truth, kinds.spelled_truth),
    Known(
        "time_zone",
        "what times are shown in",
        "local, UTC or a name such as Europe/Berlin",
        kinds.zone,
        str,
    ),
    Known(
        "refresh",
        "longest seconds between two looks where no file events tell of a write",
        f"a number from {kinds.LEAST_REFRESH:g} to {kinds.MOST_REFRESH:g}",
        kinds.seconds,
        kinds.spelled_number,
    ),
    Known(
        "columns",
        "columns of flat lists, from left to right; none: those that fit best",
        f"a list of some of {', '.join(kinds.COLUMNS)}",
        kinds.columns,
    ),
    Known(
        "keymap",
        "keys by what they do; `zeroth-tui config` lists the names",
        "a table of keys",
        kinds.keymap,
    ),
    Known("views", "lists with a name, on top of the built-in ones", "tables", own_views),
)
"""All settings, in the order of Settings."""
