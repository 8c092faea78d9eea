"""`zeroth-tui serve`: the explorer in a browser of this machine, read-only."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from zeroth_tui.commands.arguments import Parser, whole


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui serve",
        description="Show the explorer in a browser of this machine, read-only."
        " Needs the extra zeroth-tui[web].",
    )
    made.add_argument("database", metavar="DATABASE", help="an SQLite file with runs")
    made.add_argument(
        "--port",
        type=whole(1024, 65_535),
        default=8000,
        metavar="N",
        help="1024 to 65535; 8000 if not given",
    )
    return made


def run(words: Sequence[str]) -> int:
    """Serve until the person leaves; returns the exit code. Raises a StoreError or NoTerminal."""
    options = parser().parse_args(words)

    from importlib.util import find_spec

    from zeroth_store.sqlite.checkup.describe import describe
    from zeroth_tui import leaving

    if find_spec("textual_serve") is None:
        raise leaving.NoTerminal(
            "serving needs an extra that is not installed: pip install 'zeroth-tui[web]'"
        )
    path = Path(options.database)
    describe(path)  # what cannot be explored is refused here, not in the browser

    from zeroth_tui.serving import serve

    return leaving.run(serve(path, options.port))
