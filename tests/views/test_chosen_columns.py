"""Columns that a person has chosen: these, in this order, as far as there is room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.browse import RunOrder
from zeroth_tui.settings.kinds import COLUMNS
from zeroth_tui.views.columns import Name, columns

NEWEST = RunOrder()


def names(width: int, chosen: tuple[Name, ...], order: RunOrder = NEWEST) -> list[str]:
    found = columns(width, 6, order, failures=True, with_scope=True, chosen=chosen)
    return [column.name for column in found.every]


@pytest.mark.parametrize("chosen", [("cost", "status"), ("why", "age", "scope")])
def test_they_stand_in_the_order_in_which_they_were_chosen(chosen: tuple[Name, ...]) -> None:
    assert names(200, chosen) == ["run", *chosen]


def test_where_there_is_little_room_the_first_go_before_the_rest() -> None:
    # 9 cells of `run` with its lead; status needs 10 with its blank, graph 12, took 7.
    assert names(26, ("status", "graph", "took")) == ["run", "status", "took"]
    assert names(20, ("took", "status", "graph")) == ["run", "took"]


def test_what_sorts_goes_before_all_where_it_was_chosen() -> None:
    assert names(20, ("status", "cost"), RunOrder("cost")) == ["run", "cost"]
    assert names(20, ("status",), RunOrder("cost")) == ["run", "status"]


@given(st.integers(9, 200), st.lists(st.sampled_from(COLUMNS), min_size=1, unique=True).map(tuple))
def test_they_never_overlap_and_never_leave_the_list(width: int, chosen: tuple[Name, ...]) -> None:
    every = columns(width, 6, NEWEST, failures=False, with_scope=False, chosen=chosen).every
    for left, right in pairwise(every):
        assert left.start + left.width < right.start
    assert every[-1].start + every[-1].width <= width
