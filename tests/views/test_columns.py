"""Which columns a run list has at which width."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import BASE, NOW, moment, summary, words
from zeroth_store.browse import Lease, OrderBy, RunOrder
from zeroth_tui.text import cells
from zeroth_tui.views.columns import Columns, columns
from zeroth_tui.views.run_cells import run_row
from zeroth_tui.views.short_ids import ShortIds

NEWEST = RunOrder()


def names(found: Columns) -> str:
    return " ".join(column.name for column in found.every)


def of(width: int, order: RunOrder = NEWEST, *, failures: bool = False, scope: bool = False) -> str:
    return names(columns(width, 6, order, failures=failures, with_scope=scope))


def test_a_terminal_of_80_columns_shows_the_essentials() -> None:
    # 36 cells of the left half, less a border on both sides and the scroll bar.
    assert of(33) == "run status took age"
    assert of(33, failures=True) == "run took age why"


def test_a_wide_terminal_shows_everything() -> None:
    assert of(120) == "run status took age written cost graph thread why"
    assert of(140, scope=True) == "run status took age written cost scope graph thread why"


def test_what_sorts_is_shown_before_the_rest() -> None:
    assert of(33, RunOrder("cost")) == "run status age cost"
    assert of(33, RunOrder("graph")) == "run age graph"
    assert of(33, RunOrder("updated")) == "run status age written"


def test_the_scope_comes_before_the_graph() -> None:
    assert of(45, scope=True) == "run status took age scope"


@given(
    width=st.integers(1, 250),
    ids=st.integers(1, 40),
    by=st.sampled_from(get_args(OrderBy)),
    failures=st.booleans(),
    scope=st.booleans(),
)
def test_columns_never_overlap_or_overflow(
    width: int, ids: int, by: OrderBy, failures: bool, scope: bool
) -> None:
    found = columns(width, ids, RunOrder(by), failures=failures, with_scope=scope)
    end = 0
    for column in found.every:
        assert column.start >= end
        assert column.width >= 1
        end = column.start + column.width
    assert end <= max(width, 4)  # mark, glyph, badge and one cell of the id are always there


def test_a_heading_says_what_sorts_and_where_it_is() -> None:
    found = columns(60, 6, RunOrder("duration"), failures=False, with_scope=False)
    text = "".join(piece.text for piece in found.heading(RunOrder("duration", descending=False)))
    took = next(column for column in found.every if column.name == "took")
    assert text[took.start : took.start + took.width] == " took↑"
    assert found.at(took.start) == took
    assert found.at(0) is None


def row(width: int, **fields: object) -> str:
    run = summary(**fields)  # type: ignore[arg-type]
    found = columns(width, 6, NEWEST, failures=False, with_scope=False)
    return words(run_row(run, found, ShortIds([run.key.run_id]), NOW, marked=False))


def test_a_row_reads_like_its_heading() -> None:
    assert row(33) == " ✔ 012345 COMPLETED  10.0s   1h"
    assert row(50) == " ✔ 012345 COMPLETED  10.0s   1h  triage@3         "


def test_a_stuck_run_says_why_in_place_of_its_graph() -> None:
    assert row(48, status="RUNNING") == " ▶!012345 RUNNING    1h00m   1h  running withou…"
    assert row(65, status="RUNNING").endswith("  triage@3        running without…")
    expired = Lease("worker-3", moment(0), moment(BASE + timedelta(minutes=48)))
    assert "the lease" not in row(33, status="RUNNING", lease=expired)
    assert row(33, status="RUNNING", lease=expired).startswith(" ▶!012345 RUNNING ")
    held = Lease("worker-3", moment(0), moment(NOW + timedelta(seconds=41)))
    assert row(33, status="RUNNING", lease=held).startswith(" ▶ 012345 RUNNING ")


@pytest.mark.parametrize("width", [20, 33, 60, 120])
def test_a_row_is_never_wider_than_its_list(width: int) -> None:
    assert cells(row(width, status="ZOMBIE" * 9, current_step="x")) <= width


def test_short_ids_tell_runs_apart() -> None:
    a, b, c = "aaaaaa11" + "0" * 24, "aaaaaa12" + "0" * 24, "b" * 32
    ids = ShortIds([a, b, c])
    assert (ids.of(a), ids.of(b), ids.of(c)) == ("aaaaaa11", "aaaaaa12", "bbbbbbbb")
    assert ShortIds([a, c]).of(a) == "aaaaaa"
    assert ids.cells == 8


def test_long_names_are_told_apart_by_their_ends() -> None:
    one, two = "customer-import-2026-0001", "customer-import-2026-0002"
    ids = ShortIds([one, two, "short"])
    assert ids.of(one).startswith("…")
    assert ids.of(one).endswith("2026-0001")
    assert ids.of(two).endswith("2026-0002")
    assert ids.of("short") == "short"
    assert ShortIds([one]).of(one) == "customer-import…"


@given(st.sets(st.text(alphabet="ab", min_size=1, max_size=40), max_size=8))
def test_no_two_ids_look_the_same(ids: set[str]) -> None:
    short = ShortIds(ids)
    assert len({short.of(one) for one in ids}) == len(ids)
    assert all(cells(short.of(one)) <= short.cells for one in ids)
