"""How often a database is asked: at once after a write, hardly ever while nothing happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.screens.pace import BETWEEN, FIRST_TRY, LAST_TRY, SELDOM, SOONEST, Pace

Step = Callable[[Pace], None]


def quiet(pace: Pace) -> None:
    pace.after_nothing(woken=False)


def woken(pace: Pace) -> None:
    pace.after_nothing(woken=True)


def trouble(pace: Pace) -> None:
    pace.after_trouble()


def change(took: float) -> Step:
    return lambda pace: pace.after_change(took)


STEPS = st.one_of(st.sampled_from([quiet, woken, trouble]), st.floats(0, 5).map(change))


def after(*steps: Step) -> Pace:
    pace = Pace()
    for step in steps:
        step(pace)
    return pace


def test_an_idle_database_is_asked_once_a_second() -> None:
    pace = after(*[quiet] * 40)
    assert (pace.rest, pace.wait) == (0.0, SELDOM)


@pytest.mark.parametrize("seconds", [0.1, 30.0])
def test_how_seldom_it_is_asked_can_be_set(seconds: float) -> None:
    pace = Pace(seconds)
    for _ in range(60):
        quiet(pace)
    assert (pace.rest, pace.wait) == (0.0, seconds)


def test_it_takes_seconds_to_fall_asleep() -> None:
    """A worker that writes every second is met half asleep at most, where no event wakes us."""
    pace, passed = Pace(), 0.0
    for _ in range(30):
        passed += pace.rest + pace.wait
        quiet(pace)
    assert pace.wait == SELDOM
    assert passed > 3


def test_an_event_that_comes_too_early_is_looked_after_at_once() -> None:
    pace = after(*[quiet] * 40, woken)
    assert pace.rest + pace.wait <= 2 * SOONEST
    # And then less and less often: 2, 4, 8 ... ms.
    quiet(pace)
    assert (pace.rest, pace.wait) == (0.0, 2 * SOONEST)


def test_a_long_write_that_does_not_end_costs_ten_looks_a_second() -> None:
    assert after(*[woken] * 20).rest == BETWEEN


@pytest.mark.parametrize(("took", "rest"), [(0.0, 0.1), (0.02, 0.08), (0.05, 0.15), (0.5, 1.5)])
def test_changes_come_ten_times_a_second_and_take_a_quarter_of_the_time(
    took: float, rest: float
) -> None:
    assert after(change(took)).rest == pytest.approx(rest)


def test_what_cannot_be_read_is_left_alone_longer_and_longer() -> None:
    rests = [after(*[trouble] * tries).rest for tries in range(1, 9)]
    assert rests == [FIRST_TRY, 0.5, 1.0, 2.0, 4.0, LAST_TRY, LAST_TRY, LAST_TRY]


@given(st.lists(STEPS, max_size=30))
def test_after_anything_the_next_change_is_seen_within_a_second(steps: list[Step]) -> None:
    pace = after(*steps, quiet)
    assert pace.rest == 0
    assert 0 < pace.wait <= SELDOM or steps[-1:] == [trouble]
