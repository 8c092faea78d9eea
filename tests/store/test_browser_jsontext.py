"""JSON text in parts: exact spans, whichever way it had to be read."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.sqlite.decoding.cells import bind, moment
from zeroth_store.sqlite.decoding.jsontext import (
    Unreadable,
    check_json,
    elements,
    load_json,
    members,
    raw_text,
    read_object,
    read_objects,
    read_strings,
)
from zeroth_store.times import parse_time

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=4,
)
GAPS = st.text(" \t\n\r", max_size=3)


class Pair(msgspec.Struct):
    name: str
    body: msgspec.Raw
    count: int | None = None


@given(st.dictionaries(st.text(), VALUES), GAPS, st.booleans())
def test_members_are_the_exact_spans_of_an_object(
    value: dict[str, Any], gap: str, ascii_only: bool
) -> None:
    parts = {key: json.dumps(item, ensure_ascii=ascii_only) for key, item in value.items()}
    body = f"{gap},{gap}".join(f"{json.dumps(k)}{gap}:{gap}{part}" for k, part in parts.items())
    assert members(f"{gap}{{{gap}{body}{gap}}}{gap}") == parts


@given(st.lists(VALUES), GAPS)
def test_elements_are_the_exact_spans_of_a_list(value: list[Any], gap: str) -> None:
    parts = [json.dumps(item) for item in value]
    assert elements(f"{gap}[{gap}{f'{gap},{gap}'.join(parts)}{gap}]{gap}") == parts


@given(st.text())
def test_any_text_is_read_or_refused_never_more(text: str) -> None:
    for read in (members, elements, check_json, load_json, read_strings):
        with suppress(Unreadable):
            read(text)


@given(st.text())
def test_the_slow_way_reads_what_the_fast_way_reads(text: str) -> None:
    fast = json.dumps({"name": text, "body": {"x": 1}, "count": 2})
    slow = json.dumps({"name": text, "body": {"x": 1}, "count": 2, "odd": float("nan")})
    for found in (read_object(fast, Pair), read_object(slow, Pair)):
        assert (found.name, raw_text(found.body), found.count) == (text, '{"x": 1}', 2)


def test_a_member_of_another_type_counts_as_missing() -> None:
    assert read_object('{"name": "n", "body": 1, "count": "two"}', Pair).count is None
    with pytest.raises(Unreadable, match="no name"):
        read_object('{"name": 7, "body": 1}', Pair)


def test_elements_that_are_no_such_object_keep_their_place() -> None:
    found = read_objects('[1, {"name": "n", "body": 2}, {"name": null}, []]', Pair)
    assert [item and item.name for item in found] == [None, "n", None, None]


def test_strings_leave_out_what_is_none() -> None:
    assert read_strings('["a", 1, null, "\\ud800", ["b"]]') == ("a", "\ud800")


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 100_000, '{"a":' * 100_000])
def test_extreme_text_is_refused_in_words(text: str) -> None:
    with pytest.raises(Unreadable):
        members(text)


@given(st.datetimes(), st.sampled_from(["", "Z", "+00:00", "+09:00", "-00:00", " +00:00"]))
def test_the_quick_way_to_read_times_agrees_with_the_general_one(at: Any, zone: str) -> None:
    for text in (f"{at.isoformat()}{zone}", f"{at}{zone}", f"{at.isoformat()}123{zone}"):
        assert moment(text) == parse_time(text)


@given(st.binary())
def test_stored_bytes_survive_being_text(stored: bytes) -> None:
    bound = bind(stored.decode("utf-8", "surrogateescape"))
    assert (bound.encode() if isinstance(bound, str) else bound) == stored
