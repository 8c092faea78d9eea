"""Where settings come from: a TOML file, then the environment; the command line wins over both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, get_args

import msgspec

from zeroth_tui.views.flat_runs import ORDERS
from zeroth_tui.views.named_views import Mode, NamedView, find_view

ENVIRONMENT: Final = "ZEROTH_TUI_"
_VARIABLES: Final = ("database", "theme")


class SettingsError(Exception):
    """A setting cannot be used; the sentence names where it stands."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person may set once instead of at every start."""

    database: str | None = None
    """The database to open when none is named."""
    theme: str | None = None
    """The name of a theme that the palette lists."""
    views: tuple[NamedView, ...] = ()
    """The person's own views, which come on top of the built-in ones."""


class _View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A view as the file spells it."""

    name: str
    filter: str = ""
    sort: str = "created"
    descending: bool = True
    mode: str = "runs"


def load(environ: Mapping[str, str] = os.environ, file: Path | None = None) -> Settings:
    """Read the settings file, if there is one, and let `ZEROTH_TUI_*` variables override it.

    `file` defaults to the platform's config folder. Raises SettingsError.
    """
    from_file = _read(file or default_file())
    from_environment = {
        name: environ[ENVIRONMENT + name.upper()]
        for name in _VARIABLES
        if environ.get(ENVIRONMENT + name.upper())
    }
    return msgspec.structs.replace(from_file, **from_environment)


def _read(file: Path) -> Settings:
    try:
        written = msgspec.toml.decode(file.read_bytes(), type=dict[str, object])
        views = written.pop("views", [])
        settings = msgspec.convert(written, Settings)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:  # a ValidationError is one, too
        known = ", ".join(Settings.__struct_fields__)
        raise SettingsError(f"{file}: {error}. Known settings: {known}") from error
    return msgspec.structs.replace(settings, views=_views(file, views))


def _views(file: Path, written: object) -> tuple[NamedView, ...]:
    if not isinstance(written, list):
        raise SettingsError(f"{file}: views must be tables, each headed [[views]]")
    views: list[NamedView] = []
    for number, one in enumerate(written, start=1):
        name = one.get("name") if isinstance(one, dict) else None
        place = f'{file}: view "{name}"' if isinstance(name, str) else f"{file}: view {number}"
        view = _view(place, one)
        if find_view(view.name, views) is not None:
            raise SettingsError(f"{place}: there is another view of this name")
        views.append(view)
    return tuple(views)


def _view(place: str, written: object) -> NamedView:
    """Return a view of the file as the explorer knows it; `place` opens the error's sentence."""
    try:
        view = msgspec.convert(written, _View)
    except msgspec.ValidationError as error:
        known = ", ".join(_View.__struct_fields__)
        raise SettingsError(f"{place}: {error}. A view may have: {known}") from error
    if not view.name.strip():
        raise SettingsError(f"{place}: the name is empty")
    orders = {order.by: order for order in ORDERS}
    order = next((order for by, order in orders.items() if by == view.sort), None)
    if order is None:
        raise SettingsError(f'{place}: sort "{view.sort}" is none of {", ".join(orders)}')
    modes: tuple[Mode, ...] = get_args(Mode)
    mode = next((mode for mode in modes if mode == view.mode), None)
    if mode is None:
        raise SettingsError(f'{place}: mode "{view.mode}" is none of {", ".join(modes)}')
    _check_filter(place, view.filter)
    order = msgspec.structs.replace(order, descending=view.descending)
    return NamedView(view.name.strip(), view.filter, order, mode)


def _check_filter(place: str, text: str) -> None:
    from datetime import UTC, datetime

    from zeroth_store.filters import FilterError, parse

    found = parse(text, now=datetime.now(UTC))
    if isinstance(found, FilterError):
        raise SettingsError(f'{place}: filter "{text}", at {found.start + 1}: {found.message}')


def default_file() -> Path:
    """Return the settings file in the platform's config folder."""
    import platformdirs

    return platformdirs.user_config_path("zeroth-tui") / "settings.toml"


def own_store() -> Path:
    """Return the database in the user's data folder that is made when none is named."""
    import platformdirs

    return platformdirs.user_data_path("zeroth-tui") / "runs.db"


def journal_file() -> Path:
    """Return the file in the user's state folder that remembers what was done to runs."""
    import platformdirs

    return platformdirs.user_state_path("zeroth-tui") / "journal.jsonl"
