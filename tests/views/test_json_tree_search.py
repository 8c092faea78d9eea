"""Search in a JSON tree, folded or not."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.views.json_tree import JsonTree

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def test_search_sees_folded_keys_and_decoded_strings_whatever_their_case() -> None:
    tree = JsonTree(
        r'{"Gr\u00fcn":1,"b":[{"x":"say \"GR\u00DCN\""},"grün",12,"\\u00fc"],"c":{"grün":[]}}'
    )
    assert list(tree.find("grün")) == [("Grün",), ("b", 0, "x"), ("b", 1), ("c", "grün")]
    assert list(tree.find('"gr')) == [("b", 0, "x")]
    assert list(tree.find("12")) == [("b", 2)]
    assert list(tree.find('":')) == []
    assert list(tree.find("")) == []


def test_search_finds_emoji_and_line_ends_however_they_are_stored() -> None:
    tree = JsonTree('["\\ud83d\\ude00","😀","a\\nb","a\\u000ab","a/b","a\\/b"]')
    assert list(tree.find("😀")) == [(0,), (1,)]
    assert list(tree.find("a\nb")) == [(2,), (3,)]
    assert list(tree.find("a/b")) == [(4,), (5,)]


def test_search_reaches_behind_what_is_listed() -> None:
    tree = JsonTree(json.dumps({"a": [[index] for index in range(3000)]}))
    assert list(tree.find("2999")) == [("a", 2999, 0)]
    assert tree.row_count == 2


@given(VALUES, st.text(min_size=1, max_size=2))
def test_search_finds_what_a_walk_finds(value: Any, needle: str) -> None:
    assert list(JsonTree(json.dumps(value)).find(needle)) == _walk(value, needle.casefold(), ())


def _walk(value: Any, needle: str, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    key = path[-1] if path and isinstance(path[-1], str) else ""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        found = [path] if needle in key.casefold() else []
        return found + [hit for step, inner in pairs for hit in _walk(inner, needle, (*path, step))]
    shown = value if isinstance(value, str) else json.dumps(value)
    return [path] if needle in key.casefold() or needle in shown.casefold() else []


def test_a_value_full_of_hits_is_found_once() -> None:
    tree = JsonTree(json.dumps({"x" * 9: ["x" * 1_000_000], "y": "x"}))
    assert list(tree.find("x")) == [("x" * 9,), ("x" * 9, 0), ("y",)]
