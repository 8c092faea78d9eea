"""`zeroth-tui info`: say what a database holds, without opening the explorer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from zeroth_tui.commands.arguments import Parser


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui info", description="Say what a run database is and what it holds."
    )
    made.add_argument("database", metavar="DATABASE")
    made.add_argument("--json", action="store_true", help="one JSON object")
    return made


def run(words: Sequence[str]) -> int:
    """Print the description; returns the exit code. Raises a StoreError."""
    options = parser().parse_args(words)

    from zeroth_store.sqlite.checkup.describe import describe
    from zeroth_tui.info import as_json, as_text

    facts = describe(Path(options.database))
    print(as_json(facts) if options.json else as_text(facts))
    return 0
