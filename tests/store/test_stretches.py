"""Cutting stretches of rowids into ones that take a moment to look through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.sqlite.finding import stretches
from zeroth_store.sqlite.tables import FIRST, LAST

rowids = st.integers(FIRST, LAST) | st.integers(-50_000, 50_000)


@given(after=rowids, upto=rowids)
def test_stretches_hold_every_rowid_once_highest_first(after: int, upto: int) -> None:
    cut = list(stretches(after, upto))
    ends = [end for pair in cut for end in (pair[1], pair[0])]
    assert ends[:1] == ([upto] if upto > after else [])
    assert ends[-1:] == ([after] if upto > after else [])
    assert all(low < high for low, high in cut)
    assert [low for low, _ in cut[:-1]] == [high for _, high in cut[1:]]


@given(after=rowids, upto=rowids)
def test_there_are_few_stretches_however_far_apart_rowids_are(after: int, upto: int) -> None:
    assert len(list(stretches(after, upto))) <= 61


def test_a_table_of_some_size_is_cut_into_short_stretches() -> None:
    assert list(stretches(0, 2_400)) == [(1_400, 2_400), (400, 1_400), (0, 400)]
