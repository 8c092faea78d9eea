"""The foldable JSON tree: exact values, folding, paging and secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.text import MASK
from zeroth_tui.views.json_tree import Again, JsonTree, Path, Rest, path_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def lines(tree: JsonTree, start: int = 0, stop: int = 10**6) -> list[str]:
    return ["".join(piece.text for piece in row.line) for row in tree.rows(start, stop)]


def items(tree: JsonTree) -> list[object]:
    return [row.item for row in tree.rows(0, tree.row_count)]


def test_it_opens_at_the_first_level_in_stored_order() -> None:
    tree = JsonTree('{"b": 1, "a": [true, null], "t": "urgent"}')
    assert lines(tree) == [
        "▾ {3}",
        "    b 1",
        "  ▸ a [2]  true  null",
        '    t "urgent"',
    ]
    assert items(tree) == [(), ("b",), ("a",), ("t",)]


@pytest.mark.parametrize(
    "number",
    ["1", "1.0", "-0.0", "1e400", "1E+5", "NaN", "-Infinity", str(2**70), "0.10", "9" * 450],
)
def test_numbers_are_shown_as_stored(number: str) -> None:
    tree = JsonTree(f'{{"n": {number}}}')
    assert lines(tree)[1] == f"    n {number}"
    assert tree.value_text(("n",)) == number


def test_every_value_of_a_duplicate_key_is_there() -> None:
    tree = JsonTree('{"a": 12, "a": [1], "b": 0, "a": 1}')
    assert lines(tree) == [
        "▾ {4}",
        "    a 12",
        "  ▸ a (same key, #2) [1]  1",
        "    b 0",
        "    a (same key, #3) 1",
    ]
    assert tree.value_text(("a",)) == "12"
    assert tree.value_text((Again("a", 2), 0)) == "1"


def test_folding_and_unfolding() -> None:
    tree = JsonTree('{"a": {"x": {"y": 1}}, "b": []}')
    tree.toggle(("a",))
    assert items(tree) == [(), ("a",), ("a", "x"), ("b",)]
    tree.toggle(("a", "x"))
    tree.toggle(("a",))
    assert items(tree) == [(), ("a",), ("b",)]
    tree.toggle(("a",))
    assert items(tree) == [(), ("a",), ("a", "x"), ("a", "x", "y"), ("b",)]
    tree.collapse_all()
    assert items(tree) == [(), ("a",), ("b",)]
    tree.toggle(("b",))
    tree.toggle(("nowhere", 3))
    assert items(tree) == [(), ("a",), ("b",)]


def test_expanding_a_path_opens_what_is_above_it() -> None:
    tree = JsonTree('{"a": [0, {"x": [7]}]}')
    tree.expand(("a", 1, "x"))
    assert items(tree)[-1] == ("a", 1, "x", 0)
    assert tree.index_of(("a", 1, "x")) == 4
    tree.toggle(("a",))
    assert tree.index_of(("a", 1, "x")) is None


def test_expand_all_says_when_it_stopped() -> None:
    tree = JsonTree("[[1,2,3],[4,5,6]]")
    assert not tree.expand_all(limit=7)
    assert tree.row_count == 6
    assert tree.expand_all(limit=9)
    assert tree.row_count == 9


def test_the_line_of_a_folded_container_tells_its_first_children() -> None:
    stored = '{"c":{"score":0.91,"label":"urgent","in":{"x":1},"e":{},"more":1,"most":2}}'
    assert lines(JsonTree(stored))[1] == ('  ▸ c {6}  score 0.91  label "urgent"  in {…}  e {}  …')


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ((), "$"),
        (("a", 0, "b"), "$.a[0].b"),
        (("odd key", 'q"\\', "ü"), '$["odd key"]["q\\"\\\\"]["ü"]'),
        (("a", Again("a", 2)), "$.a.a(#2)"),
        (("a", Rest.REST), "$.a"),
    ],
)
def test_paths_as_text(path: Path, shown: str) -> None:
    assert path_text(path) == shown


@given(VALUES)
def test_every_value_can_be_reached_and_is_exactly_as_stored(value: Any) -> None:
    stored = json.dumps(value)
    tree = JsonTree(stored)
    assert tree.problem is None
    assert tree.expand_all()
    paths = [row.item for row in tree.rows(0, tree.row_count)]
    assert len(paths) == _size(value)
    for path in paths:
        assert isinstance(path, tuple)
        assert tree.value_text(path) == json.dumps(_at(value, path))


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def test_a_long_list_is_listed_a_thousand_at_a_time() -> None:
    tree = JsonTree(json.dumps([{"n": index} for index in range(2500)]))
    assert tree.row_count == 1 + 1000 + 1
    assert lines(tree)[0] == "▾ [1,000+]"
    rest = tree.rows(1001, 1002)[0]
    assert rest.item == (Rest.REST,)
    tree.toggle((Rest.REST,))
    tree.toggle((Rest.REST,))
    assert tree.row_count == 1 + 2500
    assert tree.value_text((2499, "n")) == "2499"


@pytest.mark.parametrize("count", [999, 1000, 1001])
def test_nothing_is_left_out_around_the_thousandth(count: int) -> None:
    for value in (list(range(count)), {f"k{index}": index for index in range(count)}):
        tree = JsonTree(json.dumps(value))
        assert tree.row_count == 1 + min(count, 1000) + (count > 1000)
        last: Path = (count - 1,) if isinstance(value, list) else (f"k{count - 1}",)
        assert tree.value_text(last) == str(count - 1)


def test_a_value_far_down_a_list_can_be_shown() -> None:
    tree = JsonTree(json.dumps({"a": [[index] for index in range(5000)]}))
    tree.show(("a", 4321, 0))
    at = tree.index_of(("a", 4321, 0))
    assert at is not None
    assert lines(tree, at, at + 1) == ["        [0] 4321"]


def test_secrets_are_masked_until_revealed_one_by_one() -> None:
    stored = '{"api_key":"k1","credentials":{"user":"bob","password":"p1"},"token":null,"tokens":5}'
    tree = JsonTree(stored)
    tree.expand_all()
    tree.toggle(("credentials",))
    assert lines(tree) == [
        "▾ {4}",
        f"    api_key {MASK}",
        f"    credentials {MASK}",
        "    token null",
        "    tokens 5",
    ]
    assert tree.is_hidden(("api_key",))
    tree.reveal(("api_key",))
    assert lines(tree)[1] == '    api_key "k1"'
    tree.reveal(("credentials",))
    assert lines(tree)[2] == f'  ▸ credentials {{2}}  user "bob"  password {MASK}'
    assert not tree.is_hidden(("credentials",))
    tree.toggle(("credentials",))
    assert lines(tree)[4] == f"      password {MASK}"
    assert tree.value_text(("api_key",)) == '"k1"'


def test_secrets_inside_strings_are_masked_too() -> None:
    tree = JsonTree('{"header":"Bearer abc"}')
    assert lines(tree)[1] == f'    header "Bearer {MASK}"'
    assert lines(JsonTree('[{"header":"Bearer abc"}]'))[1].endswith(f'"Bearer {MASK}"')
    tree.reveal(("header",))
    assert lines(tree)[1] == '    header "Bearer abc"'


def test_a_string_of_several_lines_unfolds() -> None:
    # Stored, ESC takes 6 bytes and each line end 2: 3 + 2 + 9 + 2 + 150.
    tree = JsonTree(json.dumps({"t": "one\n\x1b[2J\n" + "x" * 150}))
    assert lines(tree)[1] == f'  ▸ t 166 B "one␊␛[2J␊{"x" * 90}…"'
    tree.toggle(("t",))
    assert lines(tree)[1:] == [
        "  ▾ t 166 B",
        "      one",
        "      ␛[2J",
        "      " + "x" * 100,
        "      " + "x" * 50,
    ]
    assert items(tree) == [(), *[("t",)] * 5]


def test_of_a_huge_string_a_part_is_shown_and_that_is_said() -> None:
    tree = JsonTree(json.dumps(["x" * 70_000]))
    tree.toggle((0,))
    assert lines(tree)[-1] == "      … 4,464 more characters"
    assert sum(line.count("x") for line in lines(tree)[2:]) == 65_536


def test_folding_survives_another_text() -> None:
    tree = JsonTree('{"a":{"x":{"y":1}},"b":{"z":1},"password":"p"}')
    tree.expand(("a", "x"))
    tree.expand(("b",))
    tree.reveal(("password",))
    other = tree.with_text('{"b":5,"a":{"new":0,"x":{"y":2}},"password":"q"}')
    assert lines(other) == [
        "▾ {3}",
        "    b 5",
        "  ▾ a {2}",
        "      new 0",
        "    ▾ x {1}",
        "        y 2",
        f"    password {MASK}",
    ]


def test_a_closed_root_stays_closed() -> None:
    tree = JsonTree('{"a":1}')
    tree.toggle(())
    assert lines(tree.with_text('{"a":2}')) == ["▸ {1}  a 2"]
