"""The lines that a JSON tree is drawn with."""

from __future__ import annotations

from typing import Final

from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Role, Row
from zeroth_tui.views.json_tree.lexical import PAGE
from zeroth_tui.views.json_tree.node import Node, name_of
from zeroth_tui.views.json_tree.path import Again, Rest
from zeroth_tui.views.json_tree.spans import JsonText, Span
from zeroth_tui.views.json_tree.strict import Malformed

STRING_LIMIT: Final = 65536
"""How many characters of an unfolded string, or of text that is no JSON, are shown."""

_KEY_LIMIT: Final = 100
_IN_SUMMARY: Final = 24
_LINE_WIDTH: Final = 100
_MAX_INDENT: Final = 20
_ROLES: Final[dict[str, Role]] = {'"': "string", "t": "keyword", "f": "keyword", "n": "keyword"}


def node_row(node: Node) -> Row:
    """Return the line of one value."""
    return Row((*_indent(node.depth), *_marker(node), *_key(node), *_value(node)), node.path)


def string_rows(node: Node) -> list[Row]:
    """Return the lines of an unfolded string, long ones in parts, and what was left out."""
    stored = node.source.string(node.span)
    shown = text.block(_safe(stored[:STRING_LIMIT], node), STRING_LIMIT * 2)
    indent = _indent(node.depth + 2)
    path = node.path
    rows = [Row((*indent, Piece(part, "string")), path) for part in _parts(shown)]
    if len(stored) > STRING_LIMIT:
        more = f"… {fmt.count(len(stored) - STRING_LIMIT)} more characters"
        rows.append(Row((*indent, Piece(more, "muted")), path))
    return rows


def rest_row(node: Node) -> Row:
    """Return the line that stands for the children not listed yet."""
    listed, rest = fmt.count(len(node.listed)), fmt.size(node.rest)
    said = f"… {listed} shown, {rest} more: open this for the next {fmt.count(PAGE)}"
    return Row((*_indent(node.depth + 1), Piece(f"  {said}", "link")), (*node.path, Rest.REST))


def problem_text(error: Malformed) -> str:
    """Return what is wrong with a text, and where."""
    message = text.line(error.message).removesuffix(" at")
    if error.offset is None:
        return message
    return f"not JSON: {message} at character {fmt.count(error.offset)}"


def raw_rows(stored: str) -> list[Row]:
    """Return text that is no JSON as it is, line by line, with its secrets masked."""
    shown = text.mask_text(text.mask_json(stored[:STRING_LIMIT]))
    rows = [Row((Piece(part),)) for part in _parts(text.block(shown, STRING_LIMIT * 2))]
    if len(stored) > STRING_LIMIT:
        more = f"… {fmt.count(len(stored) - STRING_LIMIT)} more characters"
        rows.append(Row((Piece(more, "muted"),)))
    return rows


def _indent(depth: int) -> tuple[Piece, ...]:
    if depth <= _MAX_INDENT:
        return (Piece("  " * depth),)
    return (Piece("  " * _MAX_INDENT), Piece(f"(level {depth}) ", "muted"))


def _marker(node: Node) -> tuple[Piece, ...]:
    if not node.is_foldable:
        return (Piece("  "),)
    return (Piece("▾ " if node.is_open else "▸ ", "muted"),)


def _key(node: Node) -> tuple[Piece, ...]:
    if node.parent is None:
        return ()
    if isinstance(node.step, int):
        return (Piece(f"[{node.step}] ", "muted"),)
    key = Piece(text.line(name_of(node.step), _KEY_LIMIT), "key")
    if isinstance(node.step, Again):
        return (key, Piece(f" (same key, #{node.step.nth}) ", "warning"))
    return (key, Piece(" "))


def _value(node: Node) -> tuple[Piece, ...]:
    if node.is_hidden:
        return (Piece(text.MASK, "muted"),)
    if not node.is_container:
        return _string(node) if node.kind == '"' else (_scalar(node.source, node.span),)
    opening, closing = ("{", "}") if node.kind == "{" else ("[", "]")
    if not node.is_foldable:
        return (Piece(opening + closing, "muted"),)
    count = Piece(f"{opening}{node.peek.total}{closing}", "muted")
    return (count,) if node.is_open else (count, *_summary(node))


def _summary(node: Node) -> list[Piece]:
    """Return the first children of a folded container in few words."""
    pieces: list[Piece] = []
    for span in node.peek.first:
        pieces.append(Piece("  "))
        if isinstance(span.key, str):
            pieces += [Piece(text.line(span.key, _IN_SUMMARY), "key"), Piece(" ")]
        pieces.append(_in_summary(node.source, span))
    if node.peek.total != str(len(node.peek.first)):
        pieces.append(Piece("  …", "muted"))
    return pieces


def _in_summary(source: JsonText, span: Span) -> Piece:
    kind = source.kind(span)
    if kind in "{[":
        empty = not source.has_children(span)
        inside = "" if empty else "…"
        return Piece(f"{{{inside}}}" if kind == "{" else f"[{inside}]", "muted")
    if isinstance(span.key, str) and text.is_secret(span.key) and kind not in "tfn":
        return Piece(text.MASK, "muted")
    if kind != '"':
        return _scalar(source, span)
    start = text.line(text.mask_text(source.string_start(span)))
    return Piece(f'"{text.clip(start, _IN_SUMMARY)}"', "string")


def _scalar(source: JsonText, span: Span) -> Piece:
    return Piece(text.line(source.slice(span)), _ROLES.get(source.kind(span), "number"))


def _string(node: Node) -> tuple[Piece, ...]:
    if not node.is_foldable:
        stored = node.source.string(node.span)
        return (Piece(f'"{text.line(_safe(stored, node))}"', "string"),)
    size = fmt.size(node.span.end - node.span.start - 2)
    if node.is_open:
        return (Piece(size, "muted"),)
    start = text.line(_safe(node.source.string_start(node.span), node))
    # The size comes first: the end of the line may be cut off.
    return (Piece(f"{size} ", "muted"), Piece(f'"{text.clip(start, _LINE_WIDTH)}"', "string"))


def _safe(stored: str, node: Node) -> str:
    return stored if node.revealed else text.mask_text(stored)


def _parts(shown: str) -> list[str]:
    """Return lines, those too long to read cut into several."""
    parts: list[str] = []
    for line in shown.split("\n"):
        parts += [line[at : at + _LINE_WIDTH] for at in range(0, len(line), _LINE_WIDTH)] or [""]
    return parts
