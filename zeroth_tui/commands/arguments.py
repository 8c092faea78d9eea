"""Arguments that more than one command takes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from zeroth_store.encryption import EncryptionKey
    from zeroth_tui.settings import Found

_COMPLAINT: Final = 2000
"""How many characters of a complaint are printed."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints act on no terminal, whatever name a shell has put in."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and end the process."""
        from zeroth_tui.text import line

        super().error(line(message, _COMPLAINT))


def add_key_file(parser: argparse.ArgumentParser) -> None:
    """Take the file of a key to encrypted checkpoints."""
    parser.add_argument(
        "--key-file", metavar="PATH", help="opens encrypted checkpoints; else ZEROTH_ENCRYPTION_KEY"
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Take what the settings file may say, too, and where that file is."""
    parser.add_argument("database", nargs="?", metavar="DATABASE", help="an SQLite file with runs")
    add_looks(parser)


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Take how the explorer looks and what it offers, which the settings file may say, too."""
    # Without a default, so that what is not asked for leaves the settings as they are.
    parser.add_argument(
        "--read-only", action="store_true", default=None, help="offer nothing that writes"
    )
    parser.add_argument("--theme", metavar="NAME", help="e.g. light, high-contrast, terminal")
    parser.add_argument(
        "--plain", action="store_true", default=None, help="words only, for screen readers"
    )
    parser.add_argument("--config", metavar="PATH", help="the settings file")


def find_settings(options: argparse.Namespace) -> Found:
    """Return the settings, over which the options win. Raises SettingsError."""
    from zeroth_tui.settings import KNOWN, RefusedError, find

    said = {known.name: getattr(options, known.name, None) for known in KNOWN}
    found = find(os.environ, Path(options.config) if options.config else None, said)
    if found.settings.keymap:
        from zeroth_tui.keys import check_keymap

        try:
            check_keymap(found.settings.keymap)
        except RefusedError as error:
            raise found.error("keymap", error) from error
    return found


def secret(options: argparse.Namespace) -> EncryptionKey | None:
    """Return the key to encrypted checkpoints, if one is given. Raises UnusableKey."""
    from zeroth_store.encryption import find_key

    return find_key(os.environ, Path(options.key_file) if options.key_file else None)


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number in these limits."""

    def read(word: str) -> int:
        try:
            value = int(word.replace(",", "").replace("_", ""))
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                f"{word!r} is no whole number from {least:,} to {most:,}"
            )
        return value

    return read


def number(least: float, most: float) -> Callable[[str], float]:
    """Return what reads a number in these limits."""

    def read(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            limits = f"from {least:g}" + ("" if most == float("inf") else f" to {most:g}")
            raise argparse.ArgumentTypeError(f"{word!r} is no number {limits}")
        return value

    return read
