"""The state that a fork starts from: what of it is edited, how it looks, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.text import for_editing
from zeroth_tui.views.fork_state import (
    LONGEST,
    NotEditable,
    changes,
    editable,
    holds_secrets,
    not_kept,
    takes_constants,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
HOSTILE = "\x1b]52;c;eA==\x07\r\x9b31m\u202e\u2028\x85\U000e0041\ud800\u200d\u0301\x7f"


@given(JSON)
def test_what_is_edited_decodes_to_what_is_stored(value: object) -> None:
    shown = editable(json.dumps({"metadata": value}))
    assert json.loads(shown) == {"metadata": value}


@given(st.text())
def test_nothing_in_it_can_act_on_a_terminal(value: str) -> None:
    shown = editable(json.dumps({"metadata": {value: value + HOSTILE}}))
    assert all(char == "\n" or char.isprintable() for char in shown)
    assert for_editing(shown) == shown


def test_letters_of_any_script_stay_readable() -> None:
    assert '"Größe 大小"' in editable(r'{"metadata":"Gr\u00f6\u00dfe \u5927\u5c0f"}')


def test_a_hostile_string_is_spelled_as_json_spells_it() -> None:
    shown = editable(json.dumps({"metadata": HOSTILE}))
    spelled = (
        r"\u001b]52;c;eA==\u0007\r\u009b31m\u202e\u2028\u0085"
        r"\udb40\udc41\ud800\u200d\u0301\u007f"
    )
    assert shown == f'{{\n  "metadata": "{spelled}"\n}}'


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("a\r\nb\rc\nd\te", "a\nb\nc\nd\te"),
        ("\x1b[31m", r"\u001b[31m"),
        ("\u202e", r"\u202e"),
        ('{"a": "ü"}', '{"a": "ü"}'),
    ],
)
def test_what_is_pasted_keeps_its_lines_and_loses_its_powers(pasted: str, kept: str) -> None:
    assert for_editing(pasted) == kept


def test_what_a_fork_sets_itself_is_left_out_and_what_matters_comes_first() -> None:
    state = {
        "audit_refs": [],
        "run_id": "r",
        "thread_id": "t",
        "status": "PENDING",
        "tenant_id": "default",
        "metadata": {"a": 1, "forked_from": {"run_id": "r0"}},
        "pending_node_ids": ["n"],
        "started_at": "2026-03-01T10:00:00Z",
        "failure_state": None,
        "extra": 1,
    }
    shown = editable(json.dumps(state))
    assert list(json.loads(shown)) == ["pending_node_ids", "metadata", "audit_refs", "extra"]
    assert json.loads(shown)["metadata"] == {"a": 1}


def test_a_state_that_is_too_much_to_edit_says_so() -> None:
    with pytest.raises(NotEditable, match="more than the 200,000 that can be edited"):
        editable(json.dumps({"metadata": "x" * LONGEST}))
    with pytest.raises(NotEditable, match="nested too deeply"):
        editable('{"metadata":' + "[" * 100_000 + "]" * 100_000 + "}")


@pytest.mark.parametrize(
    ("edited", "said"),
    [
        ('{"metadata": {}}', ""),
        ("[]", ""),
        ('{"metadata": {}, "status": "FAILED"}', "status is set by the fork itself"),
        ('{"metadata": {}, "metadta": {}}', "metadta is no part of this state"),
        ('{"a\\u001b": 1}', "a␛ is no part of this state"),
    ],
)
def test_a_member_that_would_be_lost_is_named(edited: str, said: str) -> None:
    found = not_kept(edited, '{"metadata": {"a": 1}}')
    assert found == (f"{said}, so it would be lost: take it out" if said else "")


def test_only_what_was_edited_is_a_change() -> None:
    before = {"run_id": "r1", "updated_at": "1", "metadata": {"a": 1, "b": 2}}
    after = {"run_id": "r2", "updated_at": "2", "metadata": {"a": 1, "b": 3}}
    [change] = changes(json.dumps(before), json.dumps(after))
    assert (change.path, change.before, change.after) == (("metadata", "b"), "2", "3")
    assert changes(json.dumps(before), json.dumps({**before, "run_id": "r3"})) == ()


@pytest.mark.parametrize(
    ("shown", "secret"),
    [
        ('{"api_key": "abc"}', True),
        ('{"a": "postgres://u:pw@h/db"}', True),
        ('{"max_tokens": 5, "a": "b"}', False),
    ],
)
def test_secrets_are_noticed(shown: str, secret: bool) -> None:
    assert holds_secrets(shown) is secret


@pytest.mark.parametrize(("shown", "taken"), [('{"a": NaN}', True), ('{"a": "NaN"}', False)])
def test_numbers_that_json_does_not_have_are_taken_where_they_are_stored(
    shown: str, taken: bool
) -> None:
    assert takes_constants(shown) is taken
