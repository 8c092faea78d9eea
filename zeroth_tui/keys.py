"""The keys of the explorer by what they do, and whether a person's own can stand together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations
from typing import Final

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import (
    Keys,
    _character_to_key,
    _normalize_key_list,
    key_to_character,
)

from zeroth_tui.app import ExplorerApp
from zeroth_tui.screens.act_dialog import ActDialog
from zeroth_tui.screens.act_results import ActResults
from zeroth_tui.screens.explorer import ExplorerScreen
from zeroth_tui.screens.help_screen import HelpScreen
from zeroth_tui.screens.journal_screen import JournalScreen
from zeroth_tui.screens.overview_screen import OverviewScreen
from zeroth_tui.screens.state_editor import StateEditor
from zeroth_tui.screens.views_menu import ViewsMenu
from zeroth_tui.settings.errors import RefusedError, must_be
from zeroth_tui.widgets.act_page import ActPage
from zeroth_tui.widgets.checkpoints_pane import CheckpointsPane
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.overview_tables import OverviewTables
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.run_tree import RunTree
from zeroth_tui.widgets.run_view import RunView
from zeroth_tui.widgets.state_pane import StatePane
from zeroth_tui.widgets.time_bar import TimeBar
from zeroth_tui.widgets.timeline_pane import TimelinePane

_EXPLORER: Final = (ExplorerApp, ExplorerScreen)
_RUN: Final = (*_EXPLORER, RunView)

PLACES: Final[tuple[tuple[type[DOMNode], ...], ...]] = (
    (*_EXPLORER, RunTree),
    (*_EXPLORER, FilterBar),
    (*_EXPLORER, TimeBar),
    (*_RUN, TimelinePane),
    (*_RUN, StatePane),
    (*_RUN, CheckpointsPane),
    (ExplorerApp, ActDialog, ActPage, RowList),
    (ExplorerApp, ActResults, RowList),
    (ExplorerApp, HelpScreen, RowList),
    (ExplorerApp, JournalScreen, RowList),
    (ExplorerApp, OverviewScreen, OverviewTables, RowList),
    (ExplorerApp, StateEditor),
    (ExplorerApp, ViewsMenu, RowList),
)
"""Where keys meet: what has the focus, and what it is in, whose keys work there as well."""

_MODIFIERS: Final = {"ctrl", "shift", "alt", "super", "meta", "hyper"}
_KEYS: Final = {key.value for key in Keys if key.value.isidentifier()}
"""Names of keys that write nothing."""
_ASCII: Final = {_character_to_key(char): char for char in map(chr, range(33, 127))}
"""Characters by the names of the keys that write them."""
_SENT_AS: Final = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
    "ctrl+[": "escape",
}
"""Keys that only few terminals tell from others."""
_ALLOWED: Final = "keys such as x, ctrl+x, f5 or comma, with commas between them"


def known_keys() -> dict[str, Binding]:
    """Return what can be given another key, by name, in alphabetical order."""
    found: dict[str, Binding] = {}
    for place in PLACES:
        for cls in place:
            for base in cls.__mro__:
                for binding in _bindings(base):
                    if binding.id is not None and base.__module__.startswith("zeroth_tui."):
                        found.setdefault(binding.id, binding)
    return dict(sorted(found.items()))


def check_keymap(keymap: Mapping[str, str]) -> None:
    """Raise RefusedError where keys are none, or lead to two things in one place."""
    known = known_keys()
    for name, keys in keymap.items():
        path = (name,)
        if name not in known:
            close = get_close_matches(name, known, n=3, cutoff=0.5)
            like = f" Names like it: {', '.join(close)}." if close else ""
            why = f'nothing is named "{name}".{like} `zeroth-tui config` lists all names'
            raise RefusedError(why, path)
        for key in _split(keys):
            if key in _SENT_AS:
                why = f"{name}: terminals send {key} as {_SENT_AS[key]}, so that it must be another"
                raise RefusedError(why, path)
            if not _is_key(key):
                raise must_be(name, keys, _ALLOWED, path)
    for place in PLACES:
        _check_place(place, keymap)


def _check_place(place: tuple[type[DOMNode], ...], keymap: Mapping[str, str]) -> None:
    usual = {pair for names in _shared(place, {}).values() for pair in combinations(names, 2)}
    for key, names in _shared(place, keymap).items():
        for pair in combinations(names, 2):
            mine = [name for name in pair if name in keymap]
            if mine and pair not in usual:
                other = pair[0] if mine[-1] == pair[1] else pair[1]
                why = f'"{key}" would be the key of {mine[-1]} and of {other} in the same place'
                raise RefusedError(why, (mine[-1],))


def _shared(place: tuple[type[DOMNode], ...], keymap: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what each key does in a place, in alphabetical order."""
    found: dict[str, set[str]] = {}
    for cls in place:
        for base in cls.__mro__:
            for binding in _bindings(base):
                name = binding.id or binding.action
                for key in _split(keymap.get(name, binding.key)):
                    found.setdefault(key, set()).add(name)
    return {key: sorted(names) for key, names in found.items()}


def _bindings(cls: type) -> Iterator[Binding]:
    """Return the bindings that a class itself has, with all their keys."""
    if cls is App:  # which adds its palette's to those of every app, stronger than all others
        yield Binding(App.COMMAND_PALETTE_BINDING, "command_palette")
    for written in cls.__dict__.get("BINDINGS", ()):
        yield written if isinstance(written, Binding) else Binding(*written)


def _split(keys: str) -> list[str]:
    return _normalize_key_list(keys).split(",")


def _is_key(key: str) -> bool:
    """Whether some terminal sends a key under this name."""
    *modifiers, name = key.split("+")
    if not _MODIFIERS.issuperset(modifiers):
        return False
    if name in _KEYS or key == Keys.ControlAt:
        return True
    char = _ASCII.get(name) or key_to_character(name)
    if char is None or not char.isprintable() or _character_to_key(char) != name:
        return False
    return not modifiers or (char.isascii() and name == name.lower() and modifiers != ["shift"])
