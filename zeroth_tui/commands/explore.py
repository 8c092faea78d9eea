"""`zeroth-tui DATABASE`: open the explorer, on what the arguments ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zeroth_tui.commands.arguments import Parser, add_key_file, add_settings, find_settings, secret

if TYPE_CHECKING:
    from zeroth_tui.screens.opening import Opening
    from zeroth_tui.settings import Settings
    from zeroth_tui.views.named_views import NamedView

TABS: Final = ("timeline", "conditions", "state", "checkpoints", "failure", "raw", "graph")
"""The tabs of a run, which are known here without loading a screen."""

MODES: Final = ("threads", "runs", "failures")
SORTS: Final = ("created", "started", "updated", "duration", "status", "graph", "cost")

_EPILOG = """\
commands:
  zeroth-tui info DATABASE [--json]   say what a database holds, without opening the explorer
  zeroth-tui check DATABASE [--json]  say before attaching how it will be read, and what is wrong
  zeroth-tui config                   print all settings, and where each value comes from
  zeroth-tui demo                     watch scripted runs in a database of their own
  zeroth-tui serve DATABASE           show the explorer in a browser of this machine, read-only
  zeroth-tui completion SHELL         print what bash, zsh or fish needs to complete all this
  zeroth-tui man                      print the manual page

Without DATABASE: the one in ZEROTH_TUI_DATABASE or in the settings file, else your own store.
Databases that Zeroth made are only read, unless --allow-writes is given.
"""


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and leave."""
        from importlib.metadata import version

        parser.exit(message=f"zeroth-tui {version('zeroth-tui')}\n")


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui",
        description="Explore the runs of a Zeroth database: what happened, step by step, and why.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_settings(made)
    made.add_argument(
        "--allow-writes", action="store_true", help="act on runs of a database that Zeroth made"
    )
    made.add_argument("--filter", default="", metavar="TEXT", help="see docs/filter.md")
    made.add_argument("--view", default="", metavar="NAME", help="a list that has a name")
    made.add_argument("--mode", choices=MODES, help="what is listed")
    made.add_argument("--sort", choices=SORTS, help="what runs are sorted by")
    made.add_argument("--ascending", action="store_true", help="sort the other way round")
    made.add_argument("--run", default="", metavar="ID", help="open one run")
    made.add_argument("--tab", type=str.lower, choices=TABS, help="open it on this tab")
    add_key_file(made)
    made.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    return made


def run(words: Sequence[str]) -> int:
    """Explore until the person leaves; returns the exit code."""
    options = parser().parse_args(words)

    from zeroth_tui import leaving
    from zeroth_tui.session import explore
    from zeroth_tui.settings import own_store

    found = find_settings(options)
    chosen = found.settings
    path = at_home(chosen.database) if chosen.database else own_store()
    return leaving.run(
        explore(
            path,
            make=not chosen.database,
            read_only=is_read_only(options, chosen),
            allow_writes=options.allow_writes,
            opening=_opening(options, path, chosen.views),
            settings=chosen,
            secret=secret(options),
        )
    )


def at_home(database: str) -> Path:
    """Return the path of a database; `~` of somebody unknown is the name of a folder."""
    try:
        return Path(database).expanduser()
    except RuntimeError:
        return Path(database)


def is_read_only(options: argparse.Namespace, settings: Settings) -> bool:
    """Whether nothing is to be written: what is asked for now is stronger than what was set once.

    Where both are asked for, nothing is.
    """
    return bool(options.read_only) or (settings.read_only and not options.allow_writes)


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
        opened(path), view=chosen, run_id=options.run, tab=options.tab or "", views=own
    )
