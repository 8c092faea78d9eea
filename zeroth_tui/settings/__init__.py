"""What a person sets once instead of at every start, and where each value comes from."""

from __future__ import annotations

from zeroth_tui.settings.errors import RefusedError, SettingsError
from zeroth_tui.settings.folders import default_file, hints_file, journal_file, own_store
from zeroth_tui.settings.known import KNOWN, Known, Settings
from zeroth_tui.settings.sources import Found, Origin, find, load

__all__ = (
    "KNOWN",
    "Found",
    "Known",
    "Origin",
    "RefusedError",
    "Settings",
    "SettingsError",
    "default_file",
    "find",
    "hints_file",
    "journal_file",
    "load",
    "own_store",
)
