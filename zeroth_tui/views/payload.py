"""A stored JSON value as readable lines, its secrets hidden and its length capped."""

from __future__ import annotations

import json
from typing import Any, Final

from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.layout import MASK_LIMIT, paragraph, row

DEEPEST: Final = 64
"""How deeply nested a value may be to be pretty printed; deeper ones are shown as stored."""

LINES: Final = 200
"""How many lines of one value are shown."""


def decode(value: str | None) -> Any:
    """Return a stored JSON value, or None where it is no JSON, or too long or deep here."""
    if value is None or len(value) > MASK_LIMIT:
        return None
    try:
        decoded = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return decoded if _is_shallow(decoded) else None


def payload_rows(value: str, width: int, indent: int = 2) -> list[Row]:
    """Return a stored JSON value pretty printed; what is no JSON is shown as stored."""
    lines = _pretty(value).split("\n")
    rows = paragraph("\n".join(lines[:LINES]), width, indent=indent)
    if len(lines) > LINES:
        more = f"… {len(lines) - LINES:,} more lines"
        rows.append(row(width, Piece(" " * indent + more, "muted")))
    return rows


def _pretty(value: str) -> str:
    decoded = decode(value)
    if decoded is None:
        masked = text.mask_text(value[:MASK_LIMIT])
        return text.block(masked + value[MASK_LIMIT:], MASK_LIMIT)
    readable = json.dumps(_hidden(decoded), indent=2, ensure_ascii=False)
    return text.block(readable, 2 * MASK_LIMIT)


def _hidden(value: Any) -> Any:
    """Return a decoded value with what stands under secret names hidden, and secrets in text."""
    if isinstance(value, dict):
        return {
            key: text.MASK if text.is_secret(key) and inner is not None else _hidden(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_hidden(inner) for inner in value]
    return text.mask_text(value) if isinstance(value, str) else value


def _is_shallow(value: Any) -> bool:
    """Whether a decoded value is nested little enough to be walked by recursion."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _children(outer)]
        if not level:
            return True
    return False


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
