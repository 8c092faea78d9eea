"""What an overview says around its figures: how fresh they are, and what they leave out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from tests.views.build import NOW, key, summary
from zeroth_store.overview import (
    Attention,
    NodeFigures,
    Nodes,
    Overview,
    OverviewQuery,
    RunFigures,
    Spending,
    StatusFigures,
    Stretch,
    Visit,
)
from zeroth_tui.line import Line
from zeroth_tui.text import cells
from zeroth_tui.views.overview_head import head
from zeroth_tui.views.overview_parts import right_half
from zeroth_tui.views.overview_runs import left_half
from zeroth_tui.views.overview_table import Choice, Section, table

SINCE = NOW - timedelta(minutes=15)
STRETCH = Stretch(since=SINCE, until=None, end=NOW, step=timedelta(seconds=30), bars=31)
PLAIN = Overview(stretch=STRETCH, newest=NOW, undated=0, nodes=Nodes(known=True))


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def words(sections: tuple[Section, ...], width: int = 79) -> str:
    return "\n".join(text(row.line) for row in table(sections, width, Choice(None, 0)))


def first_line(
    overview: Overview | None = PLAIN,
    *,
    name: str = "runs.db",
    trouble: str = "",
    width: int = 80,
    read: datetime = NOW,
) -> str:
    line = head(
        overview, OverviewQuery(), name=name, trouble=trouble, read=read, zone=UTC, width=width
    )
    return text(line)


def test_the_first_line_says_what_is_looked_at_and_when_it_was_read() -> None:
    said = first_line()
    assert " ".join(said.split()) == "Overview runs.db the last 15 min read 11:00:00 UTC"
    assert len(said) == 79  # a blank remains at the right
    assert first_line(None).endswith("reading …")
    assert "about, read 11:00:00" in first_line(msgspec.structs.replace(PLAIN, exact=False))
    assert first_line(trouble="the file is gone\x1b").endswith("the file is gone␛")


@pytest.mark.parametrize("width", [0, 1, 12, 40, 200])
def test_the_first_line_fits(width: int) -> None:
    said = first_line(name="名前" * 60 + "\x1b", trouble="x" * 300, width=width)
    assert cells(said) <= width
    assert "\x1b" not in said


def test_what_is_left_out_is_said() -> None:
    assert "Only the newest" not in words(right_half(PLAIN, by_cost=False))
    part = msgspec.structs.replace(
        PLAIN, most=10_000, looked_at=1_000, nodes=Nodes(known=True, most=2_000)
    )
    said = words(right_half(part, by_cost=False))
    assert "Only the newest 10,000 runs are counted" in said
    assert "Only the newest 1,000 runs are looked at until the index is built" in said
    assert "Only the newest 2,000 visits of nodes are counted" in said


def test_missing_audits_are_said() -> None:
    without = msgspec.structs.replace(PLAIN, nodes=Nodes())
    assert "No table node_audits" in words(right_half(without, by_cost=False))
    assert "No table node_audits" not in words(right_half(PLAIN, by_cost=False))


def test_undated_runs_and_those_beyond_a_limit_are_said() -> None:
    some = msgspec.structs.replace(
        PLAIN, undated=3, stuck=Attention(7, False, (summary("WAITING_INTERRUPT"),))
    )
    said = words(left_half(some, NOW, UTC, 79))
    assert "without a start that can be read" in said
    assert "7+" in said
    assert "nothing resumes it" in said


def test_many_statuses_and_nodes_are_cut_and_the_rest_counted() -> None:
    statuses = tuple(StatusFigures(f"S{number}", 1, (1,)) for number in range(20))
    many = msgspec.structs.replace(PLAIN, runs=RunFigures(20, 20, 0, (20,), statuses))
    assert "and 8 more statuses" in words(left_half(many, NOW, UTC, 79))
    nodes = tuple(node(f"n{number}", number, 0.0) for number in range(50))
    many = msgspec.structs.replace(PLAIN, nodes=Nodes(True, nodes))
    assert "and 10 more" in words(right_half(many, by_cost=False))


def node(name: str, took: int, cost: float) -> NodeFigures:
    visit = Visit(key(), took, cost)
    spent = Spending(1, cost)
    return NodeFigures(name, 1, 1, visit, None, None, visit, spent, visit)


def test_nodes_are_sorted_by_time_or_by_cost() -> None:
    nodes = (node("slow", 9_000_000, 0.25), node("dear", 2_000_000, 1.5))
    both = msgspec.structs.replace(PLAIN, nodes=Nodes(True, nodes))
    by_time = words(right_half(both, by_cost=False))
    by_cost = words(right_half(both, by_cost=True))
    assert by_time.index("slow") < by_time.index("dear")
    assert by_cost.index("dear") < by_cost.index("slow")
    assert "longest first" in by_time
    assert "costliest first" in by_cost
    row = next(line for line in by_time.splitlines() if "slow" in line)
    assert row.split() == ["slow", "1", "1", "n<20", "n<20", "9.0s", "$0.25"]


def test_without_any_start_there_are_no_bars_but_what_needs_a_person() -> None:
    undated = Overview(stretch=None, newest=None, undated=2)
    said = words(left_half(undated, NOW, UTC, 79))
    assert "without a start that can be read" in said
    assert "Waiting for approval" in said
    assert right_half(undated, by_cost=False) == ()
