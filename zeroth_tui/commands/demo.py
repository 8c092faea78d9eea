"""`zeroth-tui demo`: write scripted runs into a database of their own and watch them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from zeroth_tui.commands.arguments import Parser, add_looks, find_settings, number, whole

_MOST_THREADS: Final = 100
_MOST_FILLED: Final = 1_000_000
_FASTEST: Final = 100.0


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui demo",
        description="Write scripted runs into a database of their own and watch them."
        " Cancel, pause, approve, replay or fork them, also those of an earlier demo in the same"
        " database: simulated workers obey.",
    )
    made.add_argument("--database", metavar="PATH", help="a file to write; made when missing")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="which story is told")
    made.add_argument(
        "--speed",
        type=number(0.1, _FASTEST),
        default=1.0,
        metavar="X",
        help="how many seconds of a run pass in one (default 1)",
    )
    made.add_argument(
        "--loop",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="tell the stories again and again (the default), or each of them once",
    )
    made.add_argument(
        "--threads",
        type=whole(1, _MOST_THREADS),
        metavar="N",
        help="keep so many stories alive; else one begins every few seconds",
    )
    made.add_argument(
        "--fill",
        type=whole(0, _MOST_FILLED),
        default=0,
        metavar="N",
        help="first write N finished runs, to see how it is with many",
    )
    made.add_argument(
        "--tour", action="store_true", help="be shown around in a few hints; esc leaves them"
    )
    add_looks(made)
    made.add_argument("--headless", action="store_true", help="write without a screen")
    made.add_argument(
        "--for",
        type=number(0.0, float("inf")),
        dest="seconds",
        metavar="SECONDS",
        help="end after some seconds",
    )
    return made


def run(words: Sequence[str]) -> int:
    """Play until the person leaves or the time is over; returns the exit code."""
    reader = parser()
    options = reader.parse_args(words)
    if options.tour and options.headless:
        reader.error("--tour needs the screen that --headless goes without")

    from zeroth_tui import leaving
    from zeroth_tui.demo.programme import Programme
    from zeroth_tui.session import demo

    path = Path(options.database) if options.database else None
    programme = Programme(
        seed=options.seed,
        speed=options.speed,
        loop=options.loop,
        threads=options.threads,
        filled=options.fill,
        seconds=options.seconds,
    )
    settings = None if options.headless else find_settings(options).settings
    return leaving.run(demo(path, programme, settings=settings, tour=options.tour))
