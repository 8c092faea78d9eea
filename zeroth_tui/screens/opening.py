"""What the explorer is asked to show first, and what it needs to say how to get there again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

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


def opened(path: Path) -> Opening:
    """Return what to show first of a database where nothing is asked for."""
    return Opening(location=str(path), database=str(path.resolve()))
