"""The keys of the explorer by what they do, and whether a person's own can stand together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations
from typing import Final

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _normalize_key_list, key_to_character

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
_KEYS: Final = {key.value for key in Keys} | {*KEY_NAME_REPLACEMENTS.values()}
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
        if not all(map(_is_key, _split(keys))):
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
    for written in cls.__dict__.get("BINDINGS", ()):
        yield written if isinstance(written, Binding) else Binding(*written)


def _split(keys: str) -> list[str]:
    return _normalize_key_list(keys).split(",")


def _is_key(key: str) -> bool:
    *modifiers, name = key.split("+")
    if not _MODIFIERS.issuperset(modifiers) or (modifiers and name != name.lower()):
        return False
    return name in _KEYS or len(name) == 1 or key_to_character(name) is not None
