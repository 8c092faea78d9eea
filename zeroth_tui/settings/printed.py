"""The settings as text: TOML that is a settings file itself, or JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from zeroth_tui.settings.folders import own_store
from zeroth_tui.settings.known import KNOWN, Known, Settings
from zeroth_tui.settings.sources import Found
from zeroth_tui.text import line
from zeroth_tui.text.show import stands_for_itself
from zeroth_tui.views.named_views import NamedView

_LONGEST: Final = 1000


def as_json(found: Found) -> str:
    """Return every setting's value, and where it comes from, as one JSON object."""
    values = {
        name: {
            "value": value,
            "from": found.origins[name].kind,
            "place": found.place(name) or None,
        }
        for name, value in _plain(found.settings).items()
    }
    path = str(found.file.path)
    exists = found.file.text is not None
    return json.dumps({"file": path, "exists": exists, "settings": values}, indent=2)


def _plain(settings: Settings) -> dict[str, object]:
    """Return the values as the file would spell them."""
    values: dict[str, object] = msgspec.structs.asdict(settings)
    return values | {"views": [_view(view) for view in settings.views]}


def _view(view: NamedView) -> dict[str, object]:
    return {
        "name": view.name,
        "filter": view.filter,
        "sort": view.order.by,
        "descending": view.order.descending,
        "mode": view.mode,
    }


def as_toml(found: Found, keys: Mapping[str, tuple[str, str]]) -> str:
    """Return a settings file of the same effect, in which every value says where it comes from.

    `keys` are the usual ones and what they are for, by name.
    """
    missing = "" if found.file.text is not None else ", which does not exist"
    head = f"# Settings of zeroth-tui. The file: {line(str(found.file.path), _LONGEST)}{missing}"
    parts = [head]
    values = _plain(found.settings)
    for known in KNOWN:
        comment = [
            f"# {line(known.meaning)}: {line(known.allowed)}",
            f"# from: {_from(found, known)}",
        ]
        if known.name == "keymap":
            parts.append("\n".join([*comment, "[keymap]", *_keymap(found.settings.keymap, keys)]))
        elif known.name == "views":
            parts.append("\n".join([*comment, *_views(found.settings.views)]))
        else:
            parts.append("\n".join([*comment, _assigned(known.name, values[known.name])]))
    return "\n\n".join(parts)


def _from(found: Found, known: Known) -> str:
    return line(found.place(known.name) or found.origins[known.name].kind, _LONGEST)


def _assigned(name: str, value: object) -> str:
    """Return a line of the file; what has no value is an example, which is no setting."""
    if value is None:
        return f"# {name} = {_spelled(str(own_store()))}"
    return f"{name} = {_spelled(value)}"


def _keymap(own: Mapping[str, str], keys: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Return the keys a person has chosen, and as comments those that others have."""
    for name, (usual, words) in keys.items():
        mark = "" if name in own else "# "
        yield f"{mark}{name} = {_spelled(own.get(name, usual))}  # {line(words)}"


def _views(views: tuple[NamedView, ...]) -> Iterator[str]:
    for view in views:
        yield "\n[[views]]"
        yield from (f"{name} = {_spelled(value)}" for name, value in _view(view).items())


def _spelled(value: object) -> str:
    """Return a value as TOML spells it; all that could act on a terminal is escaped."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    return f'"{"".join(map(_char, value))}"' if isinstance(value, str) else repr(value)


def _char(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if stands_for_itself(char):
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
