"""What could stand at the cursor of a filter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.filters import TextValue, complete, spell
from zeroth_store.filters.terms import KEYS


def at_bar(marked: str) -> tuple[str, str, str, tuple[str, ...]]:
    """(what would be replaced, kind, typed, candidates) where `|` is the cursor."""
    cursor = marked.index("|")
    text = marked.replace("|", "", 1)
    found = complete(text, cursor)
    return text[found.start : found.end], found.kind, found.typed, found.candidates


ALL_KEYS = tuple(f"{key}:" for key in KEYS)


@pytest.mark.parametrize(
    ("marked", "replaced", "kind", "typed", "candidates"),
    [
        ("|", "", "key", "", ALL_KEYS),
        ("a |", "", "key", "", ALL_KEYS),
        ("-|", "", "key", "", ALL_KEYS),
        ("a st|", "st", "key", "st", ("status:",)),
        ("-T|", "T", "key", "T", ("thread:", "tenant:")),
        ("s|ta b", "sta", "key", "s", ("status:", "since:")),
        ("zebra|", "zebra", "key", "zebra", ()),
        ("st|a:failed", "sta:", "key", "st", ("status:",)),
        (
            "status:|",
            "",
            "status",
            "",
            ("PENDING", "RUNNING", "WAITING_APPROVAL", "WAITING_INTERRUPT", "COMPLETED", "FAILED"),
        ),
        ("status:failed,r|", "r", "status", "r", ("RUNNING",)),
        ("status:=r|", "=r", "status", "r", ("RUNNING",)),
        ("status:f|oo,x", "foo", "status", "f", ("FAILED",)),
        ("is:d|", "d", "is", "d", ("dead-letter",)),
        ("since:t|", "t", "since", "t", ("today",)),
        ("x graph:doc.s|", "doc.s", "graph", "doc.s", ()),
        ('graph:"doc s|', '"doc s', "graph", "doc s", ()),
        ('thread:="a b|c"', '="a bc"', "thread", "a b", ()),
        ("node:subgraph:x|", "subgraph:x", "node", "subgraph:x", ()),
        ("duration:>|", ">", "duration", ">", ()),
        ("in:|", "", "in", "", ("input:", "output:", "any:")),
        ("in:o|:refund", "o:", "in", "o", ("output:",)),
        ("in:any:ref|", "ref", "nothing", "ref", ()),
        ("in:any re|f", "ref", "nothing", "re", ()),
        ("wrong:x|", "x", "nothing", "x", ()),
        ('"a b|"', '"a b"', "word", "a b", ()),
        ("a,b|", "b", "word", "b", ()),
    ],
)
def test_completion(
    marked: str, replaced: str, kind: str, typed: str, candidates: tuple[str, ...]
) -> None:
    assert at_bar(marked) == (replaced, kind, typed, candidates)


@given(st.text(), st.integers(-3, 50))
def test_any_cursor_in_any_text(text: str, cursor: int) -> None:
    found = complete(text, cursor)
    assert 0 <= found.start <= found.end <= len(text)


def test_a_value_of_the_database_is_spelled_for_the_filter() -> None:
    assert spell("graph", TextValue("doc@3")) == "doc@3"
    assert spell("thread", TextValue('say "hi", you', exact=True)) == r'="say \"hi\", you"'
    assert spell("tenant", TextValue(None)) == "(null)"
    assert spell("status", TextValue("FAILED", exact=True)) == "FAILED"
    assert spell("status", TextValue("failed", exact=True)) == '="failed"'
