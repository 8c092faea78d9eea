"""What a person may add to an act, and reading what was typed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.status import RunStatus
from zeroth_tui.views.act_fields import Wrong, asked, read, why


@pytest.mark.parametrize(
    ("act", "to", "names"),
    [
        ("move", RunStatus.FAILED, ("reason", "message")),
        ("move", RunStatus.COMPLETED, ("output", "note")),
        ("move", RunStatus.PENDING, ("pending", "note")),
        ("move", RunStatus.RUNNING, ("note",)),
        ("cancel", RunStatus.FAILED, ("message",)),
        ("replay", RunStatus.PENDING, ("note",)),
        ("checkpoint", None, ("note",)),
    ],
)
def test_an_act_asks_for_what_it_writes(act: Any, to: RunStatus | None, names: Any) -> None:
    assert asked(act, to) == names


def test_what_was_typed_becomes_fields() -> None:
    fields = read({"reason": " a ", "message": "b", "output": ' {"x": 1} ', "pending": " n1, ,n2"})
    assert not isinstance(fields, Wrong)
    assert (fields.reason, fields.message) == ("a", "b")
    assert (fields.output, fields.pending) == ('{"x": 1}', ("n1", "n2"))


def test_nothing_typed_is_nothing_written() -> None:
    fields = read({"output": "  ", "pending": ""})
    assert not isinstance(fields, Wrong)
    assert (fields.output, fields.pending) == (None, ())


@pytest.mark.parametrize(
    ("output", "words", "at"),
    [
        ('{"a" 1}', "not JSON: Expecting ':' delimiter at character 6", 5),
        ("done", "not JSON: Expecting value at character 1", 0),
        ('{"a":NaN}', "not JSON: NaN is no number at character 6", 5),
        ("-Infinity", "not JSON: -Infinity is no number at character 1", 0),
        ("[" * 100_000, "nested too deeply to be checked", 0),
    ],
)
def test_an_output_that_is_no_json_says_what_is_wrong_and_where(
    output: str, words: str, at: int
) -> None:
    assert read({"output": output}) == Wrong("output", words, at)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(JSON)
def test_every_json_value_is_an_output(value: object) -> None:
    fields = read({"output": json.dumps(value)})
    assert not isinstance(fields, Wrong)
    assert json.loads(fields.output or "") == value


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ({"note": "because", "message": "m"}, "because"),
        ({"reason": "r", "message": "m"}, "m"),
        ({"reason": "r", "message": ""}, "r"),
        ({}, ""),
    ],
)
def test_the_journal_keeps_what_says_most(typed: Any, reason: str) -> None:
    assert why(typed) == reason
