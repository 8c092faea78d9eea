"""JSON texts that are broken, too deep or hostile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.text import MASK
from zeroth_tui.views.json_tree import JsonTree

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def lines(tree: JsonTree, start: int = 0, stop: int = 10**6) -> list[str]:
    return ["".join(piece.text for piece in row.line) for row in tree.rows(start, stop)]


@given(VALUES, st.data())
def test_a_broken_text_is_told_from_a_whole_one_as_python_does(
    value: Any, data: st.DataObject
) -> None:
    stored = json.dumps(value)
    at = data.draw(st.integers(0, len(stored)))
    cut = data.draw(st.integers(0, 2))
    put = data.draw(st.sampled_from(["", *'"{}[],:\\ 0-.eN', "NaN", "null", "\n", "\\ud800", "\0"]))
    broken = stored[:at] + put + stored[at + cut :]
    if not broken:
        return
    try:
        json.loads(broken)
    except json.JSONDecodeError:
        assert JsonTree(broken).problem is not None
    else:
        assert JsonTree(broken).problem is None


@pytest.mark.parametrize(
    ("stored", "first"),
    [
        ("", "(empty)"),
        (None, "(nothing stored)"),
        ('{"a": [1, 2', "not JSON: Expecting ',' delimiter at character 11"),
        ("{}{}", "not JSON: Extra data at character 2"),
        ('["\n"]', "not JSON: Invalid control character at character 2"),
        ("[1NaN]", "not JSON: Expecting ',' delimiter at character 2"),
    ],
)
def test_what_is_no_json_says_so(stored: str | None, first: str) -> None:
    tree = JsonTree(stored)
    assert lines(tree)[0] == first
    tree.toggle(())
    tree.collapse_all()
    assert tree.expand_all()
    assert lines(tree)[0] == first
    assert list(tree.find("a")) == []
    assert tree.value_text(()) == ""


def test_what_is_no_json_is_shown_raw_and_masked() -> None:
    tree = JsonTree('{"a": "\x1b[31m",\n"password": "hush')
    assert lines(tree)[1:] == ['{"a": "␛[31m",', f'"password": "{MASK}"']


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [150, 950, 1100, 3000])
def test_any_depth_folds_open_to_the_bottom(opening: str, depth: int) -> None:
    closing = "]" if opening == "[" else "}"
    tree = JsonTree(opening * depth + "1" + closing * depth)
    assert tree.expand_all(limit=depth + 1)
    assert tree.row_count == depth + 1
    (bottom,) = tree.find("1")
    assert len(bottom) == depth
    assert tree.value_text(bottom) == "1"


def test_a_deep_text_that_breaks_off_says_where() -> None:
    tree = JsonTree("[" * 3000 + "ü" + "]" * 3000)
    assert tree.problem == "not JSON: first item expected at character 3,000"
    tree = JsonTree("[" * 3000 + "1" + "]" * 2999 + "}")
    assert tree.problem == "not JSON: unexpected } at character 6,000"


def test_what_is_too_large_and_too_deep_is_shown_raw() -> None:
    tree = JsonTree("[" * 600_000 + "]" * 600_000)
    assert tree.problem == "too deep to fold in a text of this size"
    assert lines(tree)[-1] == "… 1,134,464 more characters"


def test_hostile_keys_and_values_are_only_text() -> None:
    tree = JsonTree('{"[/x]\\u001b\\u202e":"[@click=app.quit]\\u0000","s":"\\ud800"}')
    assert lines(tree)[1:] == [
        r'    [/x]␛\u202e "[@click=app.quit]␀"',
        r'    s "\ud800"',
    ]


def test_folding_survives_a_text_that_is_no_json() -> None:
    tree = JsonTree('{"a":{"x":1}}')
    tree.toggle(("a",))
    again = tree.with_text("oops").with_text(None).with_text('{"a":{"x":2}}')
    assert lines(again) == ["▾ {1}", "  ▾ a {1}", "      x 2"]
