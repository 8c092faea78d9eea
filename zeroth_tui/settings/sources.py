"""Where settings come from: a TOML file, then the environment; the command line wins over both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import msgspec

from zeroth_tui.settings.errors import RefusedError, SettingsError, must_be
from zeroth_tui.settings.file import SettingsFile
from zeroth_tui.settings.folders import default_file
from zeroth_tui.settings.known import KNOWN, Known, Settings

ENVIRONMENT: Final = "ZEROTH_TUI_"
"""What the names of variables begin with."""
CONFIG: Final = f"{ENVIRONMENT}CONFIG"
"""The variable that names the settings file."""


class Origin(NamedTuple):
    """Where the value of a setting comes from."""

    kind: Literal["default", "file", "environment", "option"]
    place: str = ""
    """The variable or the option; empty for the file, whose lines are looked up late."""


class Found(msgspec.Struct, frozen=True):
    """The settings, and where each comes from."""

    settings: Settings
    origins: Mapping[str, Origin]
    """By the names of the settings."""
    file: SettingsFile
    """The settings file, which may not exist."""

    def place(self, name: str) -> str:
        """Return where a setting is set: file and line, variable or option; empty for nowhere."""
        return _place(self.file, self.origins[name], (name,))

    def error(self, name: str, refused: RefusedError) -> SettingsError:
        """Return the sentence for a setting that turned out to be of no use."""
        place = _place(self.file, self.origins[name], (name, *refused.path))
        return SettingsError(f"{place}: {refused}")


def find(
    environ: Mapping[str, str] = os.environ,
    file: Path | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
) -> Found:
    """Read the settings file, if there is one; variables override it, and options both.

    `file` must exist where it is given; else `ZEROTH_TUI_CONFIG` names it, or it is in the
    platform's config folder. `options` holds what the command line says, None where it is silent.
    Raises SettingsError.
    """
    named = file or (Path(environ[CONFIG]) if environ.get(CONFIG) else None)
    written = SettingsFile.read(named or default_file(), must_exist=named is not None)
    written.check_names(known.name for known in KNOWN)
    _check_variables(environ)
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for known in KNOWN:
        origin, value = _source(known, written, environ, options)
        origins[known.name] = origin
        if origin.kind != "default":
            values[known.name] = _taken(known, value, written, origin)
    return Found(Settings(**values), origins, written)


def load(environ: Mapping[str, str] = os.environ, file: Path | None = None) -> Settings:
    """Return the settings alone. Raises SettingsError."""
    return find(environ, file).settings


def _check_variables(environ: Mapping[str, str]) -> None:
    """Raise SettingsError where a variable of ours sets nothing, as one that is mistyped does."""
    names = (CONFIG, *(ENVIRONMENT + one.name.upper() for one in KNOWN if one.spell is not None))
    for name, value in environ.items():
        if value and name.startswith(ENVIRONMENT) and name not in names:
            raise SettingsError(f"{name}: no such variable. Known: {', '.join(names)}")


def _source(
    known: Known, file: SettingsFile, environ: Mapping[str, str], options: Mapping[str, object]
) -> tuple[Origin, object]:
    """Return where a setting is set, and to what."""
    name, variable = known.name, ENVIRONMENT + known.name.upper()
    if options.get(name) is not None:
        option = "DATABASE" if name == "database" else f"--{name.replace('_', '-')}"
        return Origin("option", option), options[name]
    if known.spell is not None and environ.get(variable):
        return Origin("environment", variable), known.spell(environ[variable])
    if name in file.values:
        return Origin("file"), file.values[name]
    return Origin("default"), None


def _taken(known: Known, value: object, file: SettingsFile, origin: Origin) -> object:
    """Return what a setting is set to. Raises SettingsError."""
    try:
        try:
            return known.take(value)
        except ValueError as error:
            raise must_be(known.name, value, known.allowed) from error
    except RefusedError as error:
        place = _place(file, origin, (known.name, *error.path))
        raise SettingsError(f"{place}: {error}") from error


def _place(file: SettingsFile, origin: Origin, keys: tuple[str | int, ...]) -> str:
    return file.place(keys) if origin.kind == "file" else origin.place
