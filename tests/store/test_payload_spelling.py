"""Searching payloads finds a text however JSON spells it, and only where it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.filters import NOW
from tests.store.guests import Guest
from zeroth_store.browse import RunQuery
from zeroth_store.filters import Filter, PayloadTerm
from zeroth_store.sqlite.search.payload_search import search_page

pytestmark = pytest.mark.thorough

TEXTS = st.text(st.sampled_from('aBz ü😀é"\\/%_\n\x00\x7f1.<'), min_size=1, max_size=3)
VALUES = st.recursive(
    TEXTS | st.integers(0, 99) | st.sampled_from([True, None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def memory() -> Iterator[Guest]:
    with Guest(Path(":memory:")) as made:
        yield made


@given(
    rows=st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=4),
    terms=st.lists(
        st.builds(
            PayloadTerm,
            st.sampled_from(["input", "output", "any"]),
            st.lists(TEXTS, min_size=1, max_size=2).map(tuple),
            st.booleans(),
        ),
        min_size=1,
        max_size=2,
    ),
    random=st.randoms(use_true_random=False),
)
def test_any_spelling_is_found_exactly(
    memory: Guest, rows: list[tuple[Any, Any, Any]], terms: list[PayloadTerm], random: Random
) -> None:
    memory.sql("DELETE FROM runs")
    for index, (got, out, final) in enumerate(rows):
        steps = f'[{{"input_snapshot": {written(got, random)},"output_snapshot":'
        memory.run(
            str(index),
            execution_history=f"{steps}{written(out, random)}}}]",
            final_output=written(final, random),
        )
    page = search_page(memory.connection, RunQuery(filter=Filter(tuple(terms))), None, NOW, 60)
    wanted = [
        str(index)
        for index, (got, out, final) in enumerate(rows)
        if all(is_wanted(term, got, [out, final]) for term in terms)
    ]
    assert sorted(hit.run.key.run_id for hit in page.hits) == wanted


def is_wanted(term: PayloadTerm, got: Any, out: list[Any]) -> bool:
    """Say by plain looking whether a term holds."""
    places = {"input": [got], "output": out, "any": [got, *out]}[term.place]
    said = [text for value in places for text in texts(value)]
    found = any(ascii_lower(value) in ascii_lower(text) for value in term.values for text in said)
    return found is not term.negated


def texts(value: Any) -> Iterator[str]:
    """Every key and value of a decoded JSON value, as text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def ascii_lower(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def written(value: Any, random: Random) -> str:
    """The value as JSON, each letter in one of the spellings that JSON allows."""
    if isinstance(value, dict):
        members = (f"{written(k, random)}: {written(v, random)}" for k, v in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(written(inner, random) for inner in value)}]"
    if not isinstance(value, str):
        return json.dumps(value)
    return f'"{"".join(random.choice(spellings(letter)) for letter in value)}"'


def spellings(letter: str) -> list[str]:
    units = letter.encode("utf-16-be").hex()
    escapes = [units[at : at + 4] for at in range(0, len(units), 4)]
    ways = ["".join(f"\\u{unit}" for unit in escapes), "".join(f"\\u{u.upper()}" for u in escapes)]
    short = json.dumps(letter, ensure_ascii=False)[1:-1]
    return [*ways, *[short] * 4, *(["\\/"] if letter == "/" else [])]
