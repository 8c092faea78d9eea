"""What the explorer is asked to show first, and what it needs to say how to get there again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from zeroth_tui.screens.pace import SELDOM
from zeroth_tui.views.columns import Name
from zeroth_tui.views.named_views import NamedView

TREE: Final = NamedView("", mode="threads")
"""The tree of all threads."""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line asks for."""

    location: str = ""
    """The database as it was named."""
    database: str = ""
    """The database's full path, by which the journal knows it."""
    view: NamedView = TREE
    run_id: str = ""
    """The run to open; empty for the newest."""
    tab: str = ""
    """The tab of that run, by its name; empty for the one it opens on."""
    views: tuple[NamedView, ...] = ()
    """The person's own views."""
    hints: Path | None = None
    """The file that remembers which hints were followed; None where none are wanted."""
    tour: bool = False
    """Whether to show the person around."""
    refresh: float = SELDOM
    """Longest seconds between two looks at the database while nothing wakes us."""
    columns: tuple[Name, ...] = ()
    """The columns of flat lists, from left to right; none for those that fit best."""


def opened(path: Path) -> Opening:
    """Return what to show first of a database where nothing is asked for."""
    return Opening(location=str(path), database=str(path.resolve()))
