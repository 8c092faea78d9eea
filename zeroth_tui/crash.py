"""What is said when the program meets a mistake of its own: where it was, and no stored value."""

from __future__ import annotations

import re
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from zeroth_tui.text import MASK, line, mask_text

CRASHED: Final = 1
"""The exit code."""

_LOOKED_AT: Final = 4096
_SHOWN: Final = 1000
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_ABOUT_CODE: Final = (AttributeError, ImportError, NameError, OSError, TypeError, sqlite3.Error)
"""Errors that quote names; what others quote may be what was stored."""


def tell(error: BaseException) -> int:
    """Print the report on standard error; returns the exit code."""
    with suppress(OSError, ValueError, AttributeError):  # there may be no terminal any more
        print(report(error), file=sys.stderr, flush=True)
    return CRASHED


def report(error: BaseException) -> str:
    """Return one sentence and the traceback, harmless to a terminal and without local variables.

    It is made to be passed on, so it shows places in the code, and of the messages only what is no
    secret and no quoted value.
    """
    lines = [f"zeroth-tui stopped because of a mistake in it: {type(error).__name__}"]
    for each in _chain(error):
        lines += [
            line(text, _SHOWN)
            for entry in traceback.extract_tb(each.__traceback__).format()
            for text in entry.splitlines()
        ]
        lines.append(f"{type(each).__name__}: {_message(each)}")
    return "\n".join(lines)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield what led to an error before the error itself, each once."""
    seen: list[BaseException] = []
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if any(each is other for other in seen):
            continue
        seen.append(each)
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
        before = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
        if before is not None:
            waiting.append(before)
    return reversed(seen)


def _message(error: BaseException) -> str:
    try:
        message = str(error)[:_LOOKED_AT]
    except Exception:  # an error whose own text fails must not hide where it happened
        return ""
    if not isinstance(error, _ABOUT_CODE):
        message = _QUOTED.sub(MASK, message)
    return line(mask_text(message), _SHOWN)
