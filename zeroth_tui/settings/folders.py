"""Where files of a person's own are kept, in the folders that the platform has for them."""

from __future__ import annotations

from pathlib import Path


def default_file() -> Path:
    """Return the settings file in the platform's config folder."""
    import platformdirs

    return platformdirs.user_config_path("zeroth-tui") / "settings.toml"


def own_store() -> Path:
    """Return the database in the user's data folder that is made when none is named."""
    import platformdirs

    return platformdirs.user_data_path("zeroth-tui") / "runs.db"


def hints_file() -> Path:
    """Return the file in the user's state folder that remembers which keys were used."""
    import platformdirs

    return platformdirs.user_state_path("zeroth-tui") / "hints.json"


def journal_file() -> Path:
    """Return the file in the user's state folder that remembers what was done to runs."""
    import platformdirs

    return platformdirs.user_state_path("zeroth-tui") / "journal.jsonl"
