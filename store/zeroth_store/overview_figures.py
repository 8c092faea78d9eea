"""Counting what an overview shows: runs by status and graph, visits by node."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple, TypeVar

from zeroth_store.overview import (
    ENOUGH,
    GraphFigures,
    Lengths,
    NodeFigures,
    RunFigures,
    Spending,
    StatusFigures,
    Stretch,
    Visit,
)
from zeroth_store.overview_stretch import bar_of
from zeroth_store.status import LIVE, RunStatus

T = TypeVar("T")


class RunFact(NamedTuple):
    """What is counted of a run."""

    status: str | None
    graph: str | None
    started: int
    """In microseconds since 1970."""
    spent: int | None
    """Microseconds from start to last write; None where they cannot be read, and of live runs."""
    cost: float | None


class VisitFact(NamedTuple):
    """What is counted of a node's execution."""

    node: str
    ended: int
    """In microseconds since 1970."""
    visit: Visit


def nearest_rank(ordered: Sequence[T], percent: int) -> T | None:
    """Return the smallest value that so many percent of all do not exceed; None of too few."""
    if len(ordered) < ENOUGH:
        return None
    return ordered[ceil(len(ordered) * percent / 100) - 1]


def count_runs(facts: Iterable[RunFact], stretch: Stretch) -> RunFigures:
    """Return the figures of runs that started within a stretch."""
    every = list(facts)
    by_status: defaultdict[str | None, Counter[int]] = defaultdict(Counter)
    by_graph: defaultdict[str | None, list[RunFact]] = defaultdict(list)
    for fact in every:
        by_status[fact.status][bar_of(stretch, fact.started)] += 1
        by_graph[fact.graph].append(fact)
    statuses = [
        StatusFigures(status, bars.total(), _row(bars, stretch))
        for status, bars in by_status.items()
    ]
    graphs = [_graph(graph, runs) for graph, runs in by_graph.items()]
    return RunFigures(
        total=len(every),
        over=sum(one.total for one in statuses if one.status not in LIVE),
        failed=_failed(every),
        bars=_row(sum(by_status.values(), Counter()), stretch),
        statuses=tuple(sorted(statuses, key=lambda one: (-one.total, one.status or ""))),
        graphs=tuple(sorted(graphs, key=lambda one: (-one.total, one.graph or ""))),
    )


def count_visits(facts: Iterable[VisitFact]) -> tuple[NodeFigures, ...]:
    """Return the figures of each node, the one with the longest visit first."""
    by_node: defaultdict[str, list[VisitFact]] = defaultdict(list)
    for fact in facts:
        by_node[fact.node].append(fact)
    nodes = [_node(node, visits) for node, visits in by_node.items()]
    return tuple(sorted(nodes, key=lambda one: (-_took(one.longest), -one.visits, one.node)))


def lengths(values: Iterable[int]) -> Lengths:
    """Return the percentiles of durations; those below zero are none."""
    ordered = sorted(value for value in values if value >= 0)
    p50, p95 = nearest_rank(ordered, 50), nearest_rank(ordered, 95)
    return Lengths(len(ordered), p50, p95, _at_least(ordered, p50), _at_least(ordered, p95))


def _graph(graph: str | None, runs: Sequence[RunFact]) -> GraphFigures:
    over = (run.spent for run in runs if run.status not in LIVE and run.spent is not None)
    return GraphFigures(
        graph, len(runs), _failed(runs), lengths(over), _spending(run.cost for run in runs)
    )


def _node(node: str, facts: Sequence[VisitFact]) -> NodeFigures:
    visits = [fact.visit for fact in facts]
    timed = sorted((visit for visit in visits if visit.took is not None), key=_took)
    paid = [visit for visit in visits if visit.cost]
    return NodeFigures(
        node=node,
        visits=len(visits),
        timed=len(timed),
        latest=max(facts, key=lambda fact: fact.ended).visit,
        p50=nearest_rank(timed, 50),
        p95=nearest_rank(timed, 95),
        longest=timed[-1] if timed else None,
        cost=_spending(visit.cost for visit in visits),
        costliest=max(paid, key=lambda visit: visit.cost or 0) if paid else None,
    )


def _took(visit: Visit | None) -> int:
    return -1 if visit is None or visit.took is None else visit.took


def _failed(runs: Iterable[RunFact]) -> int:
    return sum(run.status == RunStatus.FAILED for run in runs)


def _spending(costs: Iterable[float | None]) -> Spending:
    known = [cost for cost in costs if cost is not None and cost >= 0]
    return Spending(len(known), sum(known) if known else None)


def _at_least(ordered: Sequence[int], limit: int | None) -> int:
    return 0 if limit is None else sum(value >= limit for value in ordered)


def _row(bars: Counter[int], stretch: Stretch) -> tuple[int, ...]:
    return tuple(bars[at] for at in range(stretch.bars))
