"""Letters without case: how filters compare text, and SQLite too."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def lower(text: str) -> str:
    """Return a text with its ASCII letters in lower case, as SQLite's `lower` does."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
