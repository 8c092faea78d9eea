"""Finding text in a JSON value without building the value."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from zeroth_tui.views.json_tree.node import Node, name_of
from zeroth_tui.views.json_tree.path import Path
from zeroth_tui.views.json_tree.spans import JsonText


class _Frame:
    """A container on the way to a hit, with the places where its children begin."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.starts = [child.span.key_start for child in node.children]

    def child_at(self, at: int) -> Node | None:
        """Return the child, key included, that a byte belongs to."""
        while self.node.rest and at >= self.node.span.end - 1 - self.node.rest:
            self.node.list_more()
            fresh = self.node.children[len(self.starts) :]
            self.starts += [child.span.key_start for child in fresh]
        index = bisect_right(self.starts, at) - 1
        if index < 0:
            return None
        child = self.node.children[index]
        return child if at < child.span.end else None


def find(source: JsonText, needle: str) -> Iterator[Path]:
    r"""Yield the paths of keys and values that hold `needle`, in stored order, case ignored.

    Strings match as decoded (`ü` also where `\u00fc` is stored); other values as stored.
    """
    root = Node(source, source.root, 0, None)
    frames = [_Frame(root)] if root.is_container else []
    pattern, wanted, at = _pattern(needle), needle.casefold(), 0
    while hit := pattern.search(source.data, at):
        node = _node_at(frames, hit.start()) if frames else root
        if node is None:
            at = hit.start() + 1
            continue
        in_key = hit.start() < node.span.start
        found = _holds(node, in_key, wanted)
        if found:
            yield node.path
        # One look at a key or value settles it, however many hits are in it.
        at = node.span.start if in_key and (node.is_container or not found) else node.span.end


def _node_at(frames: list[_Frame], at: int) -> Node | None:
    """Return the node whose key or scalar a byte lies in, leaving the way to it in `frames`."""
    while len(frames) > 1 and not frames[-1].node.span.start <= at < frames[-1].node.span.end:
        frames.pop()
    while True:
        child = frames[-1].child_at(at)
        if child is None or at < child.span.start or not child.is_container:
            return child
        # A node of its own, so that its children are forgotten when the search has passed it.
        frames.append(_Frame(Node(child.source, child.span, child.step, child.parent)))


def _holds(node: Node, in_key: bool, wanted: str) -> bool:
    if in_key:
        return wanted in name_of(node.step).casefold()
    is_string = node.kind == '"'
    value = node.source.string(node.span) if is_string else node.source.slice(node.span)
    return wanted in value.casefold()


def _pattern(needle: str) -> re.Pattern[bytes]:
    """Return what a needle may look like in stored JSON; a hit still has to be decoded."""
    return re.compile(b"".join(map(_spellings, needle)))


def _spellings(char: str) -> bytes:
    """Return a pattern of all ways to write a character inside a JSON string, in either case."""
    ways = [rb"\\/"] if char == "/" else []
    for variant in sorted({char, char.lower(), char.upper(), char.casefold()}):
        ways.append(re.escape(variant.encode("utf-8", "surrogatepass")))
        ways.append(b"".join(map(_escape_pattern, variant)))
        short = json.dumps(variant, ensure_ascii=False)[1:-1]
        ways.append(re.escape(short.encode("utf-8", "surrogatepass")))
    return b"(?:" + b"|".join(dict.fromkeys(ways)) + b")"


def _escape_pattern(char: str) -> bytes:
    r"""Return a pattern of the `\uXXXX` of a character, whose digits may be in either case."""
    digits = char.encode("utf-16-be", "surrogatepass").hex()
    units = [digits[at : at + 4] for at in range(0, len(digits), 4)]
    either = "".join(r"\\u" + "".join(f"[{d}{d.upper()}]" for d in unit) for unit in units)
    return either.encode()
