"""Cutting stretches of rowids into ones that take a moment to look through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.sqlite.finding import stretches
from zeroth_store.sqlite.tables import FIRST, LAST

rowids = st.integers(FIRST, LAST) | st.integers(-50_000, 50_000)


@given(first=rowids, last=rowids)
def test_stretches_hold_every_rowid_once_highest_first(first: int, last: int) -> None:
    cut = list(stretches(first, last))
    assert bool(cut) == (first <= last)
    if cut:
        assert (cut[-1][0], cut[0][1]) == (first, last)
    assert all(low <= high for low, high in cut)
    assert [low - 1 for low, _ in cut[:-1]] == [high for _, high in cut[1:]]


@given(first=rowids, last=rowids)
def test_there_are_few_stretches_however_far_apart_rowids_are(first: int, last: int) -> None:
    assert len(list(stretches(first, last))) <= 121


def test_a_table_of_some_size_is_cut_into_short_stretches() -> None:
    assert list(stretches(1, 1_200)) == [(701, 1_200), (201, 700), (1, 200)]
