"""The settings file as it is written, and on which of its lines what stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from zeroth_tui.settings import errors
from zeroth_tui.settings.errors import SettingsError
from zeroth_tui.settings.lines import line_of, lines_of, wrong_line

_DEEPEST: Final = 20
"""Levels of tables and lists, which is more than any setting has."""
_TOO_DEEP: Final = "what it sets is nested too deeply"


class SettingsFile(NamedTuple):
    """A file that has been read."""

    path: Path
    text: str | None
    """What it holds; None where it does not exist."""
    values: Mapping[str, Any]
    """What it sets."""

    @classmethod
    def read(cls, path: Path, *, must_exist: bool) -> Self:
        """Read a file. Raises SettingsError."""
        try:
            text = path.read_text("utf-8-sig")  # some editors begin a file with a mark
            values = tomllib.loads(text)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not must_exist:
                return cls(path, None, {})
            raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise SettingsError(f"{path}:{line}: this is no UTF-8 text") from error
        except tomllib.TOMLDecodeError as error:
            line, why = wrong_line(text, error)
            raise SettingsError(f"{path}:{line}: this is no TOML: {why}") from error
        except ValueError as error:
            raise SettingsError(f"{path} cannot be read: a number in it is too long") from error
        except RecursionError as error:
            raise SettingsError(f"{path} cannot be read: {_TOO_DEEP}") from error
        if _depth_exceeds(values, _DEEPEST):
            raise SettingsError(f"{path} cannot be read: {_TOO_DEEP}")
        return cls(path, text, values)

    def place(self, keys: errors.Path) -> str:
        """Return file and line of a value."""
        return f"{self.path}:{line_of(lines_of(self.text or ''), keys)}"

    def check_names(self, known: Iterable[str]) -> None:
        """Raise SettingsError where something is set that does not exist."""
        names = tuple(known)
        for name in self.values:
            if name not in names:
                why = f'there is no setting "{name}". Known settings: {", ".join(names)}'
                raise SettingsError(f"{self.place((name,))}: {why}")


def _depth_exceeds(value: object, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_depth_exceeds(one, levels - 1) for one in inner)
