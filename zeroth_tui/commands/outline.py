"""What the command line takes, read from its parsers: commands, options, choices and files."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from zeroth_tui.commands import COMMANDS, EXPLORE

_FILES: Final = frozenset({"DATABASE", "PATH"})
"""What an argument is called that names a file."""


@dataclass(frozen=True)
class Argument:
    """An option, or what is given without one."""

    flags: tuple[str, ...]
    """How the option is spelled; empty where there is none."""
    value: str
    """What its value is called; empty when it takes none."""
    help: str
    """What it is for."""
    choices: tuple[str, ...]
    """The only values it takes; empty when there are others."""
    optional: bool
    """Whether it may be left out."""

    @property
    def is_file(self) -> bool:
        """Whether its value is the path of a file."""
        return self.value in _FILES


@dataclass(frozen=True)
class Command:
    """One command with what it takes."""

    name: str
    """The word that chooses it."""
    description: str
    """What it does, in sentences."""
    options: tuple[Argument, ...]
    """What has a flag."""
    operands: tuple[Argument, ...]
    """What has none."""
    notes: tuple[str, ...]
    """Paragraphs that stand below its help."""

    @property
    def summary(self) -> str:
        """The first sentence of the description."""
        return self.description.partition(". ")[0].rstrip(".")

    @property
    def words(self) -> str:
        """What is typed to reach it."""
        return "zeroth-tui" if self.name == EXPLORE else f"zeroth-tui {self.name}"


def outline() -> tuple[Command, ...]:
    """Return every command; the one that needs no name is first."""
    return tuple(
        _command(name, import_module(f"zeroth_tui.commands.{name}").parser()) for name in COMMANDS
    )


def _command(name: str, parser: argparse.ArgumentParser) -> Command:
    taken = [_argument(parser, action) for action in parser._actions]
    return Command(
        name,
        " ".join((parser.description or "").split()),
        tuple(argument for argument in taken if argument.flags),
        tuple(argument for argument in taken if not argument.flags),
        tuple((parser.epilog or "").strip("\n").split("\n\n")) if parser.epilog else (),
    )


def _argument(parser: argparse.ArgumentParser, action: argparse.Action) -> Argument:
    words = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return Argument(
        tuple(action.option_strings),
        "" if action.nargs == 0 else words,
        (action.help or "") % {"prog": parser.prog, "default": action.default},
        tuple(map(str, action.choices or ())),
        bool(action.option_strings) or action.nargs in {"?", "*"},
    )
