"""Counting an overview: percentiles, statuses, graphs and nodes, each value worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.browse import RunKey
from zeroth_store.overview import Spending, Stretch, Visit
from zeroth_store.overview_figures import (
    RunFact,
    VisitFact,
    count_runs,
    count_visits,
    lengths,
    nearest_rank,
)
from zeroth_store.overview_stretch import micros

SINCE = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
STRETCH = Stretch(
    since=SINCE,
    until=None,
    end=SINCE + timedelta(seconds=25),
    step=timedelta(seconds=10),
    bars=3,
)


def run(
    status: str | None, second: float = 0, *, graph: str | None = "g@1", **rest: float | None
) -> RunFact:
    cost, spent = rest.get("cost"), rest.get("spent")
    started = micros(SINCE) + int(second * 1_000_000)
    return RunFact(status, graph, started, None if spent is None else int(spent), cost)


def visit(
    node: str, took: int | None, run_id: str, *, at: int = 0, cost: float | None = None
) -> VisitFact:
    return VisitFact(node, at, Visit(RunKey("default", "null", run_id), took, cost))


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        (range(1, 21), 50, 10),
        (range(1, 21), 95, 19),
        (range(1, 22), 50, 11),
        (range(1, 22), 95, 20),  # 19.95 is more than 19 of 21
        (range(1, 101), 95, 95),
        ([7] * 20, 50, 7),
        (range(1, 20), 50, None),  # 19 are too few
        ([], 95, None),
    ],
)
def test_percentiles_are_by_nearest_rank(
    values: Sequence[int], percent: int, expected: int | None
) -> None:
    assert nearest_rank(values, percent) == expected


@given(st.lists(st.integers(0, 50), min_size=20, max_size=60), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_enough_do_not_exceed(
    values: list[int], percent: int
) -> None:
    ordered = sorted(values)
    found = nearest_rank(ordered, percent)
    assert found in values
    assert found is not None
    needed = percent * len(values)
    assert 100 * sum(value <= found for value in values) >= needed
    assert 100 * sum(value < found for value in values) < needed


def test_how_many_took_as_long_as_a_percentile_or_longer() -> None:
    found = lengths([-5, *([10] * 10), *range(11, 21)])
    assert (found.n, found.p50, found.p95) == (20, 10, 19)
    assert (found.from_p50, found.from_p95) == (20, 2)
    assert lengths([3, 1, 2]).n == 3
    assert lengths([3, 1, 2]).p50 is None


def test_runs_are_counted_by_status_over_time() -> None:
    facts = [
        run("RUNNING", 0),
        run("FAILED", 9.999999),
        run("FAILED", 10),
        run("COMPLETED", 25),
        run("COMPLETED", 400),  # to come: in the last bar
        run("ZOMBIE", 12),
        run(None, 12),
    ]
    found = count_runs(facts, STRETCH)
    assert (found.total, found.over, found.failed) == (7, 6, 2)
    assert found.bars == (2, 3, 2)
    assert {one.status: (one.total, one.bars) for one in found.statuses} == {
        "RUNNING": (1, (1, 0, 0)),
        "FAILED": (2, (1, 1, 0)),
        "COMPLETED": (2, (0, 0, 2)),
        "ZOMBIE": (1, (0, 1, 0)),
        None: (1, (0, 1, 0)),
    }


def test_graphs_are_told_apart_and_only_what_is_over_has_a_length() -> None:
    facts = [run("COMPLETED", graph="a@1", spent=number) for number in range(1, 21)]
    facts += [
        run("RUNNING", graph="a@1", spent=None, cost=0.5),
        run("FAILED", graph="a@1", spent=None, cost=0.25),
        run("COMPLETED", graph="a@1", spent=-3, cost=-9.0),
        run("FAILED", graph=None, spent=4),
    ]
    first, second = count_runs(facts, STRETCH).graphs
    assert (first.graph, first.total, first.failed) == ("a@1", 23, 1)
    assert (first.over.n, first.over.p50, first.over.p95) == (20, 10, 19)
    assert first.cost == Spending(2, 0.75)
    assert (second.graph, second.total, second.failed, second.over.n) == (None, 1, 1, 1)
    assert second.cost == Spending(0, None)


def test_nodes_name_the_visits_behind_their_figures() -> None:
    facts = [visit("slow", 100 * number, f"r{number}", at=number) for number in range(1, 21)]
    facts += [visit("slow", None, "branch", at=99, cost=2.0), visit("slow", 50, "dear", cost=3.0)]
    facts += [visit("quick", 7, "q", cost=0.0), visit("never timed", None, "n")]
    slow, quick, never = count_visits(facts)
    assert (slow.node, slow.visits, slow.timed) == ("slow", 22, 21)
    # 21 measured: 50, 100, 200, ... 2000; the 11th is 1000, the 20th 1900.
    assert [one and one.key.run_id for one in (slow.p50, slow.p95, slow.longest)] == [
        "r10",
        "r19",
        "r20",
    ]
    assert slow.latest.key.run_id == "branch"
    assert (slow.cost, slow.costliest and slow.costliest.key.run_id) == (Spending(2, 5.0), "dear")
    assert (quick.node, quick.p50, quick.cost, quick.costliest) == (
        "quick",
        None,
        Spending(1, 0.0),
        None,
    )
    assert (never.node, never.longest, never.cost.total) == ("never timed", None, None)
