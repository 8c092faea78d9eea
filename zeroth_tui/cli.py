"""The command line: find the command, run it, turn what went wrong into a sentence and a code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

from zeroth_tui.commands import COMMANDS, EXPLORE

USAGE_ERROR: Final = 2
OUTPUT_CLOSED: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    0, or 2 with one sentence on standard error, 1 with the report of a mistake of its own, and 128
    plus the number of the signal that ended it: 141 where who reads the output has seen enough.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # what its encoding lacks hides nothing else
        sys.stdout.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words.pop(0) if words and words[0] in COMMANDS[1:] else EXPLORE
    try:
        code: int = command(name).run(words)
        print(end="", flush=True)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from zeroth_store.errors import StoreError
        from zeroth_tui import crash
        from zeroth_tui.leaving import NoTerminal
        from zeroth_tui.settings import SettingsError

        if isinstance(error, StoreError | SettingsError | NoTerminal):
            return _refuse(str(error))
        if isinstance(error, OSError) and not _output_taken():
            return _give_up_output(error)
        return crash.tell(error)
    return code


def command(name: str) -> ModuleType:
    """Return the module of a command: it has `parser()` and `run(words)`."""
    return import_module(f"zeroth_tui.commands.{name}")


def _output_taken() -> bool:
    """Whether standard output takes the end of a line: where more was refused, this is, too."""
    try:
        print(flush=True)
    except OSError:
        return False
    return True


def _give_up_output(error: OSError) -> int:
    """Print nothing more, at the end of the process neither; returns the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # who reads it, such as `head`, has seen enough
        return OUTPUT_CLOSED
    return _refuse(f"standard output cannot be written: {os.strerror(error.errno or 0)}")


def _refuse(sentence: str) -> int:
    from zeroth_tui.text import line

    print(f"zeroth-tui: {line(sentence, 2000)}", file=sys.stderr)
    return USAGE_ERROR


if __name__ == "__main__":
    sys.exit(main())
