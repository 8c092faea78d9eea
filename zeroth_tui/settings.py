"""Where settings come from: a TOML file, then the environment; the command line wins over both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

ENVIRONMENT: Final = "ZEROTH_TUI_"


class SettingsError(Exception):
    """A setting cannot be used; the sentence names where it stands."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person may set once instead of at every start."""

    database: str | None = None
    """The database to open when none is named."""
    theme: str | None = None
    """The name of a theme that the palette lists."""


def load(environ: Mapping[str, str] = os.environ, file: Path | None = None) -> Settings:
    """Read the settings file, if there is one, and let `ZEROTH_TUI_*` variables override it.

    `file` defaults to the platform's config folder. Raises SettingsError.
    """
    from_file = _read(file or default_file())
    from_environment = {
        name: environ[ENVIRONMENT + name.upper()]
        for name in Settings.__struct_fields__
        if environ.get(ENVIRONMENT + name.upper())
    }
    return msgspec.structs.replace(from_file, **from_environment)


def _read(file: Path) -> Settings:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        known = ", ".join(Settings.__struct_fields__)
        raise SettingsError(f"{file}: {error}. Known settings: {known}") from error


def default_file() -> Path:
    """Return the settings file in the platform's config folder."""
    import platformdirs

    return platformdirs.user_config_path("zeroth-tui") / "settings.toml"


def own_store() -> Path:
    """Return the database in the user's data folder that is made when none is named."""
    import platformdirs

    return platformdirs.user_data_path("zeroth-tui") / "runs.db"
