"""The explorer with a mistake in it: `python -m tests.pty.mistakes PLACE DATABASE`.

It holds a secret and an escape sequence where a crash report could find them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from zeroth_tui.cli import main
from zeroth_tui.screens.explorer import ExplorerScreen
from zeroth_tui.screens.reading_screen import ReadingScreen
from zeroth_tui.text import block
from zeroth_tui.widgets.row_canvas import RowCanvas

LOCAL_SECRET = "hunter2-in-a-local-variable"  # noqa: S105 - planted to be looked for
QUOTED_SECRET = "hunter2-in-a-message"  # noqa: S105
TYPED_SECRET = "sk-" + "a1b2c3d4" * 4

PLACES: dict[str, tuple[type, str]] = {
    "key": (ExplorerScreen, "action_reload"),
    "draw": (RowCanvas, "render_lines"),
    "start": (ExplorerScreen, "on_mount"),
    "read": (ReadingScreen, "_tell"),
}
"""Place of the mistake -> the method that has it."""


def mistaken(*_: object, **__: object) -> Any:
    """Fail like code that handles stored values may."""
    stored = LOCAL_SECRET
    try:
        int(f"{QUOTED_SECRET}\x1b]52;c;cHduZWQ=\x07")
    except ValueError as error:
        raise RuntimeError(f"\x1b[2J{TYPED_SECRET} of {len(block(stored))}") from error


def insert(place: str) -> None:
    """Put the mistake in its place."""
    owner, name = PLACES[place]
    failing: Callable[..., Any] = mistaken
    setattr(owner, name, failing)


if __name__ == "__main__":
    insert(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
