"""The timeline: exact shares of the wall time, collapsed idle time, and bars of exact width."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import (
    BASE,
    NOW,
    at,
    detail,
    entry,
    summary,
    words,
)
from tests.views.build_wild import Span, histories, run_of
from zeroth_store.browse import RelatedRows
from zeroth_tui import text
from zeroth_tui.views.axis import FIT, Axis, Viewport
from zeroth_tui.views.bars import break_columns, break_line, draw
from zeroth_tui.views.intervals import Interval
from zeroth_tui.views.step import Step
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline import bars, timeline

NOTHING = RelatedRows()


def worked(*spans: tuple[float, float]) -> list[Step]:
    """Steps that each worked from one second to another."""
    return [
        Step(index=i, node_id=f"n{i}", visit=1, status="completed", start=at(a), end=at(b))
        for i, (a, b) in enumerate(spans)
    ]


def seconds(delta: timedelta) -> float:
    return delta.total_seconds()


def test_work_wait_and_gap_share_the_wall_and_parallel_work_counts_once() -> None:
    found = [
        *worked((1, 4), (2, 5)),
        Step(
            index=2,
            node_id="ask",
            visit=1,
            status="completed",
            start=at(9),
            end=at(9.5),
            waited_from=at(4),
            waited_until=at(8),
        ),
    ]
    plan = timeline(found, summary(started=0, updated=10), NOW)
    # work 1-5 and 9-9.5; the wait 4-8 counts only from 5, where work ended.
    assert (seconds(plan.wall), seconds(plan.work)) == (10, 4.5)
    assert (seconds(plan.wait), seconds(plan.gap)) == (3, 2.5)


def test_a_step_of_which_only_the_end_is_known_is_a_point_and_no_work() -> None:
    found = steps(detail([entry(0, "a", 5)]), NOTHING, NOW)
    plan = timeline(found, summary(started=0, updated=10), NOW)
    assert plan.work == timedelta()
    assert bars(found[0], plan, 100, NOW, FIT) == ((50, 51, "point"),)


def test_bars_take_their_share_of_the_columns() -> None:
    found = worked((0, 2), (5, 10))
    plan = timeline(found, summary(started=0, updated=10), NOW)
    assert bars(found[0], plan, 50, NOW, FIT) == ((0, 10, "work"),)
    assert bars(found[1], plan, 50, NOW, FIT) == ((25, 50, "work"),)


def test_a_running_bar_grows_to_now() -> None:
    step = Step(index=-1, node_id="a", visit=1, status="running", start=at(5), in_flight=True)
    plan = timeline([step], summary("RUNNING", started=0, updated=5), at(10), collapse=False)
    assert bars(step, plan, 10, at(10), FIT) == ((5, 10, "running"),)
    assert seconds(plan.wall) == 10


@pytest.mark.parametrize(
    ("gap", "collapsed"),
    [
        (2.0, False),  # not longer than 2 s
        (3.0, False),  # not longer than half of the other 6 s
        (3.1, True),
    ],
)
def test_idle_time_longer_than_two_seconds_and_half_of_the_rest_is_collapsed(
    gap: float, *, collapsed: bool
) -> None:
    found = worked((0, 3), (3 + gap, 6 + gap))
    plan = timeline(found, summary(started=0, updated=6 + gap), NOW)
    assert plan.axis.breaks == ((Interval(at(3), at(3 + gap)),) if collapsed else ())
    assert (
        timeline(found, summary(started=0, updated=6 + gap), NOW, collapse=False).axis.breaks == ()
    )


def test_a_collapsed_hour_leaves_the_work_readable() -> None:
    found = worked((0, 3), (3600, 3603))
    plan = timeline(found, summary(started=0, updated=3603), NOW + timedelta(hours=1))
    # 6 s of work and a break drawn as 1 s: of 70 columns 30, 10 and 30.
    assert bars(found[0], plan, 70, NOW, FIT) == ((0, 30, "work"),)
    assert break_columns(plan.axis, 70, FIT) == [(30, 40)]
    assert bars(found[1], plan, 70, NOW, FIT) == ((40, 70, "work"),)


def test_the_viewport_zooms_pans_and_stays_inside() -> None:
    half = FIT.zoomed(2)
    assert half == Viewport(0.25, 0.75)
    assert half.panned(0.5) == Viewport(0.5, 1.0)
    assert half.panned(9) == Viewport(0.5, 1.0)
    assert half.panned(-9) == Viewport(0.0, 0.5)
    assert half.zoomed(0.25) == FIT


def test_what_lies_outside_the_viewport_has_no_bar() -> None:
    found = worked((0, 2), (5, 10))
    plan = timeline(found, summary(started=0, updated=10), NOW)
    right = Viewport(0.5, 1.0)
    assert bars(found[0], plan, 10, NOW, right) == ()
    assert bars(found[1], plan, 10, NOW, right) == ((0, 10, "work"),)


def test_a_drawn_bar_shows_kind_by_sign_and_labels_the_wait() -> None:
    found = [
        Step(
            index=0,
            node_id="ask",
            visit=1,
            status="failed",
            start=at(15),
            end=at(20),
            waited_from=at(0),
            waited_until=at(15),
        )
    ]
    plan = timeline(found, summary(started=0, updated=20), NOW, collapse=False)
    drawn = draw(bars(found[0], plan, 20, NOW, FIT), (), 20, timedelta(seconds=15))
    assert words(drawn) == "░░░░ 15.0s ░░░░▇▇▇▇✖"


@given(
    spans=histories,
    status=st.sampled_from(["COMPLETED", "RUNNING", "WAITING_APPROVAL"]),
    width=st.integers(1, 300),
    left=st.floats(0, 0.9),
    collapse=st.booleans(),
)
def test_shares_add_up_and_every_bar_has_the_width_for_any_times(
    spans: list[Span],
    status: str,
    width: int,
    left: float,
    *,
    collapse: bool,
) -> None:
    run = run_of(spans, status)
    found = steps(run, NOTHING, NOW)
    plan = timeline(found, run.summary, NOW, collapse=collapse)
    assert plan.work + plan.wait + plan.gap == plan.wall
    assert min(plan.work, plan.wait, plan.gap) >= timedelta()
    view = Viewport(left, 1.0)
    breaks = break_columns(plan.axis, width, view)
    for step in found:
        drawn = bars(step, plan, width, NOW, view)
        assert all(0 <= bar.start < bar.end <= width for bar in drawn)
        assert text.cells(words(draw(drawn, breaks, width, timedelta(seconds=9)))) == width


@given(
    spots=st.lists(st.integers(0, 10_000_000), min_size=2, max_size=6, unique=True),
    cuts=st.lists(st.integers(0, 10_000_000), min_size=2, max_size=2, unique=True),
)
def test_collapsing_changes_no_order(spots: list[int], cuts: list[int]) -> None:
    def micros(n: int) -> datetime:
        return BASE + timedelta(microseconds=n)

    low, high = sorted(cuts)
    whole = Interval(BASE, micros(10_000_000))
    axis = Axis.over(whole, [Interval(micros(low), micros(high))])
    drawn = [axis.position(micros(spot)) for spot in sorted(spots)]
    assert drawn == sorted(drawn)


@pytest.mark.parametrize("width", range(8, 90))
def test_the_lengths_of_idle_stretches_that_touch_are_told_apart(width: int) -> None:
    idle = (Interval(at(0), at(30)), Interval(at(30.01), at(80.01)))
    axis = Axis.over(Interval(at(0), at(80.5)), idle)
    shown = words(break_line(axis, width, FIT)).replace("┄", " ").split()
    assert set(shown) <= {"30.0s", "50.0s"}
    assert width < 64 or len(shown) == 2  # an eighth of the width, less a cell on either side
