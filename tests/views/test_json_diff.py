"""The difference between two JSON texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.line import Row
from zeroth_tui.text import MASK
from zeroth_tui.views.json_diff import Change, diff, diff_rows

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
    ),
    max_leaves=15,
)


def lines(rows: tuple[Row, ...]) -> list[str]:
    return ["".join(piece.text for piece in row.line) for row in rows]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a":1,"b":[1]}', '{"a":1,"b":[1]}'),
        ('{"a":1,"b":2}', '{ "b": 2,\n"a": 1 }'),
        ('["\\u00fc\\/"]', '["ü/"]'),
        ("NaN", "NaN"),
        (None, None),
        ("{broken", "{broken"),
    ],
)
def test_the_same_value_is_no_difference(before: str | None, after: str | None) -> None:
    assert diff(before, after) == ()
    assert lines(diff_rows(())) == ["no difference"]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ('{"a":1}', '{"a":2}', [Change(("a",), "changed", "1", "2")]),
        ('{"a":1}', '{"a":1.0}', [Change(("a",), "changed", "1", "1.0")]),
        ('{"a":1}', '{"a":"1"}', [Change(("a",), "changed", "1", '"1"')]),
        ('{"a":{}}', '{"a":[]}', [Change(("a",), "changed", "{}", "[]")]),
        ('{"a":null}', "{}", [Change(("a",), "removed", "null", None)]),
        ("{}", '{"a":{"x":1}}', [Change(("a",), "added", None, '{"x":1}')]),
        ("[1,2,3]", "[1,9,2,3]", [Change((1,), "added", None, "9")]),
        ("[1,9,2,3]", "[1,2,3]", [Change((1,), "removed", "9", None)]),
        ("[1,2,3]", "[1,8,3]", [Change((1,), "changed", "2", "8")]),
        ("[1,1]", "[1]", [Change((1,), "removed", "1", None)]),
        (None, "{}", [Change((), "added", None, "{}")]),
        ("{}", None, [Change((), "removed", "{}", None)]),
        ("{oops", "{}", [Change((), "changed", "{oops", "{}")]),
        (str(2**70), str(2**70 + 1), [Change((), "changed", str(2**70), str(2**70 + 1))]),
    ],
)
def test_changes(before: str | None, after: str | None, changes: list[Change]) -> None:
    assert list(diff(before, after)) == changes


def test_items_are_matched_by_the_id_that_all_of_them_have() -> None:
    before = '[{"id":1,"v":"a"},{"id":2,"v":"b"},{"id":3,"v":"c"}]'
    after = '[{"id":3,"v":"c"},{"id":1,"v":"z"},{"id":4,"v":"d"}]'
    assert diff(before, after) == (
        Change((1, "v"), "changed", '"a"', '"z"'),
        Change((1,), "removed", '{"id":2,"v":"b"}', None),
        Change((2,), "added", None, '{"id":4,"v":"d"}'),
    )


def test_ids_that_repeat_match_nothing_so_place_does() -> None:
    before = '[{"node_id":"a","v":1},{"node_id":"a","v":2}]'
    after = '[{"node_id":"a","v":1},{"node_id":"a","v":3}]'
    assert diff(before, after) == (Change((1, "v"), "changed", "2", "3"),)


def test_more_changes_than_asked_for_are_said_to_exist() -> None:
    before, after = json.dumps([0] * 5), json.dumps([1] * 5)
    changes = diff(before, after, limit=3)
    assert [change.kind for change in changes] == ["changed", "changed", "changed", "more"]
    assert lines(diff_rows(changes))[-1] == "… 3 shown, there are more changes"
    assert [change.kind for change in diff(before, after, limit=5)] == ["changed"] * 5


def test_what_is_too_large_to_compare_counts_as_changed_whole() -> None:
    before, after = json.dumps({"a": [0] * 30_000}), json.dumps({"a": [1] * 30_000})
    (change,) = diff(before, after)
    assert (change.path, change.kind) == (("a",), "changed")


def test_any_depth_is_compared() -> None:
    (change,) = diff("[" * 3000 + "1" + "]" * 3000, "[" * 3000 + "2" + "]" * 3000)
    assert change == Change((0,) * 3000, "changed", "1", "2")


@given(VALUES, VALUES)
def test_changes_of_objects_lead_from_one_to_the_other(old: Any, new: Any) -> None:
    before, after = {"a": old, "b": 1}, {"a": new, "c": 2}
    changes = diff(json.dumps(before), json.dumps(after))
    assert (Change(("b",), "removed", "1", None)) in changes
    assert (Change(("c",), "added", None, "2")) in changes
    inside = [change for change in changes if change.path[0] == "a"]
    assert bool(inside) == (json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True))
    for change in inside:
        assert change.before is None or json.loads(change.before) in _all_values(old)
        assert change.after is None or json.loads(change.after) in _all_values(new)


def _all_values(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in _all_values(item))]


def test_rows_show_path_and_values() -> None:
    rows = diff_rows(diff('{"a":{"b":1},"gone":[1]}', '{"a":{"b":2},"new":"x"}'))
    assert lines(rows) == ["~ $.a.b  1 → 2", "- $.gone  [1]", '+ $.new  "x"']
    assert [row.item for row in rows] == [("a", "b"), ("gone",), ("new",)]
    assert [row.line[0].role for row in rows] == ["changed", "removed", "added"]


def test_long_strings_differ_by_words() -> None:
    before = "the quick brown fox jumps over the lazy dog, then it rests\nand sleeps"
    after = "the quick red fox jumps over the lazy dog, then it rests\nand sleeps well"
    head, first, second = diff_rows(diff(json.dumps([before]), json.dumps([after])))
    assert head.line[0].role == "changed"
    roles = [(piece.text, piece.role) for piece in (*first.line[1:], *second.line[1:])]
    assert roles == [
        ("the quick ", "plain"),
        ("brown", "removed"),
        ("red", "added"),
        (" fox jumps over the lazy dog, then it rests", "plain"),
        ("and sleeps", "plain"),
        (" well", "added"),
    ]


def test_words_far_from_a_change_are_left_out() -> None:
    before, after = "a " * 500 + "x" + " b" * 500, "a " * 500 + "y" + " b" * 500
    _, words = diff_rows(diff(json.dumps(before), json.dumps(after)))
    assert "".join(piece.text for piece in words.line).strip() == (f"… {'a ' * 20}xy{' b' * 20} …")


def test_strings_too_long_to_compare_say_so() -> None:
    before, after = json.dumps("x " * 15_000), json.dumps("y " * 15_000)
    assert lines(diff_rows(diff(before, after)))[-1] == "    … 10,000 more characters not compared"


def test_secrets_are_masked_but_their_change_is_told() -> None:
    before = '{"password":"one","n":{"api_key":"k1"},"h":"Bearer a"}'
    after = '{"password":"two","c":{"api_key":"k2","u":1},"h":"Bearer b"}'
    assert lines(diff_rows(diff(before, after))) == [
        f"~ $.password  {MASK} → {MASK}",
        f'- $.n  {{"api_key":"{MASK}"}}',
        f'~ $.h  "Bearer {MASK}" → "Bearer {MASK}"',
        f'+ $.c  {{"api_key":"{MASK}","u":1}}',
    ]


def test_hostile_text_is_only_text() -> None:
    rows = diff_rows(diff('{"\\u001b[31m":1}', '{"\\u001b[31m":"\\u202e\x7f"}'))
    assert lines(rows) == [r'~ $["\u001b[31m"]  1 → "\\u202e␡"']


def test_a_long_value_is_cut_and_that_is_said() -> None:
    (row,) = diff_rows(diff("{}", json.dumps({"a": [0] * 500})))
    assert row.line[-1].text.endswith("… +1,300")
