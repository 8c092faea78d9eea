"""`zeroth-tui demo`: write scripted runs into a database of their own and watch them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = argparse.ArgumentParser(
        prog="zeroth-tui demo",
        description="Write scripted runs into a database of their own and watch them.",
    )
    made.add_argument("--database", metavar="PATH", help="a file to write; made when missing")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="which story is told")
    made.add_argument("--headless", action="store_true", help="write without a screen")
    made.add_argument(
        "--for", type=float, dest="seconds", metavar="SECONDS", help="end after some seconds"
    )
    return made


def run(words: Sequence[str]) -> int:
    """Play until the person leaves or the time is over; returns the exit code."""
    options = parser().parse_args(words)

    from zeroth_tui import leaving
    from zeroth_tui.session import demo

    path = Path(options.database) if options.database else None
    return leaving.run(
        demo(path, seed=options.seed, headless=options.headless, seconds=options.seconds)
    )
