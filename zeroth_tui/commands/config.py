"""`zeroth-tui config`: say how everything is set, and where each value comes from."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from zeroth_tui.commands.arguments import Parser, add_settings, find_settings


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui config",
        description="Print every setting, its value, and where that comes from, as a settings"
        " file: `zeroth-tui config > settings.toml` is a way to begin.",
    )
    add_settings(made)
    made.add_argument("--json", action="store_true", help="one JSON object")
    return made


def run(words: Sequence[str]) -> int:
    """Print the settings; returns the exit code. Raises a SettingsError."""
    options = parser().parse_args(words)

    from zeroth_tui.settings.printed import as_json, as_toml

    found = find_settings(options)
    if options.json:
        print(as_json(found))
    else:
        from zeroth_tui.keys import known_keys

        keys = {
            name: (binding.key, binding.tooltip or binding.description)
            for name, binding in known_keys().items()
        }
        print(as_toml(found, keys))
    return 0
