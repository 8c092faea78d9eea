"""Measures every target, prints them as a table, and fails when one is missed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError

from tests.benchmarks.harness import NotPainted, new_home
from tests.benchmarks.report import Row, table
from tests.benchmarks.rows import GROUPS
from tests.benchmarks.setting import Setting, small_database

THREAD = "bench-thread"


def main() -> int:
    """Run the chosen groups; returns 0 when every target is met."""
    arguments = _parser().parse_args()
    with new_home() as folder:
        home = Path(folder)
        database = arguments.database
        if database is None:
            database = home / "runs.db"
            small_database(database, THREAD)
        setting = Setting(home, database.resolve(), arguments.marker, arguments.rounds)
        rows = [row for name in arguments.only for row in _measured(name, setting)]
    print(table(rows))
    return 0 if all(row.verdict == "ok" for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--database", type=Path, help="measure with this file, a copy of yours")
    parser.add_argument("--marker", default=THREAD, help="text its first screen shows")
    parser.add_argument("--rounds", type=int, default=7, help="how often each thing is measured")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS), help="groups")
    return parser


def _measured(name: str, setting: Setting) -> Iterator[Row]:
    """Yield a group's rows, and in place of those that could not be measured the reason."""
    try:
        yield from GROUPS[name](setting)
    except (NotPainted, CalledProcessError) as error:
        print(error, file=sys.stderr)
        reason = str(error).splitlines()[0]
        yield Row(target=name, bound=0, unit="", measured=None, detail=reason)


if __name__ == "__main__":
    sys.exit(main())
