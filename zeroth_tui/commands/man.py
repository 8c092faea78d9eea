"""`zeroth-tui man`: the manual page, made of what the commands say of themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from zeroth_tui.commands.arguments import Parser

if TYPE_CHECKING:
    from zeroth_tui.commands.outline import Argument, Command

EXIT_CODES: Final = (
    ("0", "Fine."),
    ("1", "A mistake in the program, which is reported; of check: something to know."),
    ("2", "Wrong use, or what cannot be read or printed; of check: it cannot be used."),
    ("129, 130, 143", "The terminal is gone, ctrl+c, SIGTERM."),
    ("141", "Who reads the output, such as head, has seen enough."),
)
"""What the program returns, and when."""


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    return Parser(
        prog="zeroth-tui man",
        description="Print the manual page. To read it: zeroth-tui man | man -l -",
    )


def run(words: Sequence[str]) -> int:
    """Print the page; returns the exit code."""
    parser().parse_args(words)

    from importlib.metadata import version

    from zeroth_tui.commands.outline import outline

    print("\n".join(page(outline(), version("zeroth-tui"), tuple(_variables()))))
    return 0


def _variables() -> Iterable[tuple[str, str]]:
    """Return the variables of the environment that are read, and what they are for."""
    from zeroth_store.encryption import VARIABLE
    from zeroth_tui.settings.known import KNOWN
    from zeroth_tui.settings.sources import CONFIG, ENVIRONMENT

    yield CONFIG, "The settings file, unless --config names one."
    for known in KNOWN:
        if known.spell is not None:
            yield f"{ENVIRONMENT}{known.name.upper()}", f"{known.meaning}: {known.allowed}."
    yield VARIABLE, "Opens encrypted checkpoints, unless --key-file is given."


def page(
    commands: Sequence[Command], version: str, variables: Sequence[tuple[str, str]]
) -> Iterable[str]:
    """Write the page as roff; the variables come with what they are for."""
    first, *named = commands
    yield f'.TH ZEROTH\\-TUI 1 "" "zeroth\\-tui {_roff(version)}" "User Commands"'
    yield ".SH NAME"
    yield f"zeroth\\-tui \\- {_roff(first.summary[0].lower() + first.summary[1:])}"
    yield ".SH SYNOPSIS"
    for number, command in enumerate(commands):
        if number:
            yield ".br"
        yield f"\\fB{_roff(command.words)}\\fR{_synopsis(command)}"
    yield ".SH DESCRIPTION"
    yield _roff(first.description)
    for note in first.notes:
        # The commands have sections of their own.
        if not note.startswith("commands:"):
            yield ".PP"
            yield _roff(" ".join(note.split()))
    yield ".SH OPTIONS"
    yield from _arguments(*first.operands, *first.options)
    yield ".SH COMMANDS"
    for command in named:
        yield f".SS {_roff(command.words)}"
        yield _roff(command.description)
        for note in command.notes:
            yield from (".PP", ".nf", *map(_roff, note.splitlines()), ".fi")
        options = (option for option in command.options if "--help" not in option.flags)
        yield from _arguments(*command.operands, *options)
    for title, rows in (("EXIT STATUS", EXIT_CODES), ("ENVIRONMENT", variables)):
        yield f".SH {title}"
        for name, words in rows:
            yield from (".TP", f"\\fB{_roff(name)}\\fR", _roff(words))


def _arguments(*arguments: Argument) -> Iterable[str]:
    for argument in arguments:
        if argument.help:
            yield from (".TP", _spelled(argument), _roff(argument.help))


def _spelled(argument: Argument) -> str:
    """Return flags in bold, and the value in italics or the choices that it has."""
    value = "|".join(argument.choices) or argument.value
    names = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in argument.flags)
    return " ".join(filter(None, (names, f"\\fI{_roff(value)}\\fR" if value else "")))


def _synopsis(command: Command) -> str:
    operands = (
        f" [\\fI{_roff(operand.value)}\\fR]" if operand.optional else f" \\fI{operand.value}\\fR"
        for operand in command.operands
    )
    return " [\\fIoptions\\fR]" * (len(command.options) > 1) + "".join(operands)


def _roff(text: str) -> str:
    """Return text that roff prints as it is: no escape, no request, plain hyphens and quotes."""
    spelled = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{spelled}" if spelled.startswith(".") else spelled
