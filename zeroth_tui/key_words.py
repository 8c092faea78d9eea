"""What keys are called in words, where a person may have other keys than the usual ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import format_key

NAMED: Final = re.compile(r"\{([a-z_0-9]+\.[a-z_0-9]+):([^{}]+)\}")
"""A command and its usual key, as in `{explorer.back:esc}`."""

_SPELLED: Final = {"enter": "enter"}
"""Keys whose names say more than Textual's signs for them."""


def names(binding: Binding, keymap: Mapping[str, str] = MappingProxyType({})) -> tuple[str, ...]:
    """Return what is written on the keys of a binding, where `keymap` may have others for it."""
    return _names(keymap.get(binding.id or "", binding.key))


def keyed(node: DOMNode, words: str) -> str:
    """Return words in which each `{command:usual key}` is the key that does it in this app."""
    keymap = node.app._keymap

    def name(found: re.Match[str]) -> str:
        own = keymap.get(found[1])
        return found[2] if own is None else _names(own)[0]

    return NAMED.sub(name, words)


def _names(keys: str) -> tuple[str, ...]:
    return tuple(_name(key.strip()) for key in keys.split(","))


def _name(key: str) -> str:
    *modifiers, last = key.split("+")
    return "+".join((*modifiers, _SPELLED.get(last) or format_key(last)))
