"""Tries everything that can go wrong, prints what was counted, fails if a promise broke."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Final

from tests.reliability.figure import Figure

TRIALS: Final = ("kills", "races", "faults", "upgrades", "exits", "hostile", "fuzz")
"""Each a module here with `trial() -> Iterable[Figure]`."""


def main() -> int:
    """Run the chosen trials; returns 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TRIALS, default=list(TRIALS), help="trials")
    figures: list[Figure] = []
    for name in parser.parse_args().only:
        for figure in importlib.import_module(f"tests.reliability.{name}").trial():
            print(figure.words, flush=True)
            figures.append(figure)
    return 0 if all(figure.kept for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
