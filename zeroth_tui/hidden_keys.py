"""Keys that work without a place in the key bar; the help and the palette name them."""

from __future__ import annotations

from textual.binding import Binding


def hidden(tooltip: str, *keys: tuple[str, str, str, str]) -> list[Binding]:
    """Return bindings from `id, key, action, words`, which the help tells of in one row.

    Two keys that do opposite things share the `tooltip`, which then names both.
    """
    return [
        Binding(key, action, words, show=False, id=name, tooltip=tooltip)
        for name, key, action, words in keys
    ]
