"""The command line: arguments to settings, open the database, run; nothing else knows which one.

Imports stay inside the functions that need them, so that `--help` and `info` start at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroth_store.encryption import EncryptionKey
    from zeroth_tui.screens.opening import Opening
    from zeroth_tui.views.named_views import NamedView

USAGE_ERROR = 2
MODES = ("threads", "runs", "failures")
SORTS = ("created", "started", "updated", "duration", "status", "graph", "cost")

_EPILOG = """\
commands:
  zeroth-tui info DATABASE [--json]   say what a database holds, without opening the explorer
  zeroth-tui check DATABASE [--json]  say before attaching how it will be read, and what is wrong
  zeroth-tui demo                     watch scripted runs in a database of their own

Without DATABASE: the one in ZEROTH_TUI_DATABASE or in the settings file, else your own store.
Databases that Zeroth made are only read, unless --allow-writes is given.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    0, or 2 with one sentence on standard error, 1 with the report of a mistake of its own, and 128
    plus the number of the signal that ended it.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = _COMMANDS.get(words[0]) if words else None
    run = command or _explore
    try:
        return run(words[1:] if command else words)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from zeroth_store.errors import StoreError
        from zeroth_tui import crash
        from zeroth_tui.leaving import NoTerminal
        from zeroth_tui.settings import SettingsError

        if isinstance(error, StoreError | SettingsError | NoTerminal):
            return _refuse(str(error))
        return crash.tell(error)


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and leave."""
        from importlib.metadata import version

        parser.exit(message=f"zeroth-tui {version('zeroth-tui')}\n")


def _refuse(sentence: str) -> int:
    from zeroth_tui.text import line

    print(f"zeroth-tui: {line(sentence, 2000)}", file=sys.stderr)
    return USAGE_ERROR


def _explore(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="zeroth-tui",
        description="Explore the runs of a Zeroth database: what happened, step by step, and why.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("database", nargs="?", metavar="DATABASE", help="an SQLite file with runs")
    parser.add_argument("--read-only", action="store_true", help="offer nothing that writes")
    parser.add_argument(
        "--allow-writes", action="store_true", help="act on runs of a database that Zeroth made"
    )
    parser.add_argument("--filter", default="", metavar="TEXT", help="see docs/filter.md")
    parser.add_argument("--view", default="", metavar="NAME", help="a list that has a name")
    parser.add_argument("--mode", choices=MODES, help="what is listed")
    parser.add_argument("--sort", choices=SORTS, help="what runs are sorted by")
    parser.add_argument("--ascending", action="store_true", help="sort the other way round")
    parser.add_argument("--run", default="", metavar="ID", help="open one run")
    parser.add_argument("--tab", default="", metavar="NAME", help="open it on this tab")
    parser.add_argument("--theme", help="name of a theme, e.g. textual-light")
    parser.add_argument(
        "--key-file", metavar="PATH", help="opens encrypted checkpoints; else ZEROTH_ENCRYPTION_KEY"
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    options = parser.parse_args(words)

    from zeroth_tui import settings
    from zeroth_tui.session import explore

    chosen = settings.load()
    named = options.database or chosen.database
    path = Path(named) if named else settings.own_store()
    return _in_loop(
        explore(
            path,
            make=not named,
            read_only=options.read_only,
            allow_writes=options.allow_writes,
            opening=_opening(options, path, chosen.views),
            theme=options.theme or chosen.theme,
            secret=_secret(options.key_file),
        )
    )


def _secret(key_file: str | None) -> EncryptionKey | None:
    """Return the key to encrypted checkpoints, if one is given. Raises UnusableKey."""
    from zeroth_store.encryption import find_key

    return find_key(os.environ, Path(key_file) if key_file else None)


def _opening(options: argparse.Namespace, path: Path, own: tuple[NamedView, ...]) -> Opening:
    """Return what the options ask to show first. Raises SettingsError for an unknown view."""
    import msgspec

    from zeroth_store.browse import RunOrder
    from zeroth_tui.screens.opening import TREE, opened
    from zeroth_tui.settings import SettingsError
    from zeroth_tui.views.named_views import NamedView, all_views, find_view, no_such_view

    view = TREE
    if options.view:
        found = find_view(options.view, all_views(own))
        if found is None:
            raise SettingsError(no_such_view(options.view, all_views(own)))
        view = found
    by = options.sort or view.order.by
    chosen = NamedView(
        view.name,
        " ".join(filter(None, (view.filter, options.filter))),
        RunOrder(by, descending=view.order.descending and not options.ascending),
        options.mode or ("runs" if options.sort and view is TREE else view.mode),
    )
    return msgspec.structs.replace(
        opened(path), view=chosen, run_id=options.run, tab=options.tab, views=own
    )


def _demo(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="zeroth-tui demo",
        description="Write scripted runs into a database of their own and watch them.",
    )
    parser.add_argument("--database", metavar="PATH", help="a file to write; made when missing")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which story is told")
    parser.add_argument("--headless", action="store_true", help="write without a screen")
    parser.add_argument(
        "--for", type=float, dest="seconds", metavar="SECONDS", help="end after some seconds"
    )
    options = parser.parse_args(words)

    from zeroth_tui.session import demo

    path = Path(options.database) if options.database else None
    return _in_loop(
        demo(path, seed=options.seed, headless=options.headless, seconds=options.seconds)
    )


def _in_loop(work: Coroutine[None, None, int]) -> int:
    from zeroth_tui.leaving import run

    return run(work)


def _info(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="zeroth-tui info", description="Say what a run database is and what it holds."
    )
    parser.add_argument("database", metavar="DATABASE")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(words)

    from zeroth_store.sqlite.describe import describe
    from zeroth_tui.info import as_json, as_text

    facts = describe(Path(options.database))
    print(as_json(facts) if options.json else as_text(facts))
    return 0


def _check(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="zeroth-tui check",
        description="Say how a database will be read, and what is unusual, damaged or in the way."
        " Changes nothing. Exit code: 0 fine, 1 something to know, 2 cannot be used.",
    )
    parser.add_argument("database", metavar="DATABASE")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--key-file", metavar="PATH", help="opens encrypted checkpoints; else ZEROTH_ENCRYPTION_KEY"
    )
    options = parser.parse_args(words)

    from zeroth_store.sqlite.checkup import check_up
    from zeroth_tui import check

    checkup = check_up(Path(options.database), _secret(options.key_file))
    print(check.as_json(checkup) if options.json else check.as_text(checkup))
    return check.EXIT[check.verdict(check.findings(checkup))]


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "check": _check,
    "info": _info,
    "demo": _demo,
}


if __name__ == "__main__":
    sys.exit(main())
