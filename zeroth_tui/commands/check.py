"""`zeroth-tui check`: say before attaching how a database will be read, and what is wrong."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from zeroth_tui.commands.arguments import Parser, add_key_file, secret


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui check",
        description="Say how a database will be read, and what is unusual, damaged or in the way."
        " Changes nothing. Exit code: 0 fine, 1 something to know, 2 cannot be used.",
    )
    made.add_argument("database", metavar="DATABASE")
    made.add_argument("--json", action="store_true", help="one JSON object")
    add_key_file(made)
    return made


def run(words: Sequence[str]) -> int:
    """Print what was found; returns the exit code. Raises a StoreError."""
    options = parser().parse_args(words)

    from zeroth_store.sqlite.checkup.report import check_up
    from zeroth_tui import check

    checkup = check_up(Path(options.database), secret(options))
    print(check.as_json(checkup) if options.json else check.as_text(checkup))
    return check.EXIT[check.verdict(check.findings(checkup))]
