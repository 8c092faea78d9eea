"""Where a graph's rows stand and how its lines run, for any graph at all."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import words
from zeroth_store.browse import GraphEdge, GraphNode, GraphShape
from zeroth_tui.views.graph_gutter import TAIL, gutters
from zeroth_tui.views.graph_layout import Layout, layout

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


def shape(*ways: tuple[int, int] | str, nodes: int = 8, entry: int | None = None) -> GraphShape:
    """Return a graph of nodes n0, n1, ... with an edge for each pair."""
    pairs = [(int(way[0]), int(way[1])) for way in ways]
    return GraphShape(
        nodes=tuple(GraphNode(id=f"n{at}") for at in range(nodes)),
        edges=tuple(
            GraphEdge(id=f"e{at}", source=f"n{source}", target=f"n{target}")
            for at, (source, target) in enumerate(pairs)
        ),
        entry=None if entry is None else f"n{entry}",
    )


def node_rows(plan: Layout) -> dict[str, int]:
    return {slot.node: at for at, slot in enumerate(plan.slots) if slot.edge is None}


def order(plan: Layout) -> str:
    return " ".join(slot.node.removeprefix("n") for slot in plan.slots if slot.edge is None)


def picture(graph: GraphShape, taken: set[int], most: int = 9) -> list[str]:
    plan = layout(graph)
    lines = gutters(plan, graph.edges, taken, most)
    return [
        words(line) + (slot.node if slot.edge is None else f"e{slot.edge}")
        for slot, line in zip(plan.slots, lines, strict=True)
    ]


@given(PAIRS)
def test_every_node_and_edge_has_one_row_and_edges_stand_below_their_source(
    ways: list[tuple[int, int]],
) -> None:
    graph = shape(*ways)
    plan = layout(graph)
    edges = [slot.edge for slot in plan.slots if slot.edge is not None]
    assert sorted(node_rows(plan)) == [f"n{at}" for at in range(8)]
    assert sorted(edges) == list(range(len(ways)))
    for above, slot in pairwise(plan.slots):
        if slot.edge is not None:
            assert graph.edges[slot.edge].source == slot.node == above.node


@given(PAIRS)
def test_every_edge_that_does_not_lead_back_leads_down(ways: list[tuple[int, int]]) -> None:
    graph = shape(*ways)
    plan = layout(graph)
    rows = node_rows(plan)
    for at, edge in enumerate(graph.edges):
        down = rows[edge.source] < rows[edge.target]
        assert down or at in plan.back


@given(PAIRS)
def test_without_a_cycle_nothing_leads_back_and_rows_go_by_the_longest_way(
    ways: list[tuple[int, int]],
) -> None:
    forward = [(a, b) for a, b in ways if a < b]
    plan = layout(shape(*forward))

    def longest(node: int) -> int:
        return max((longest(a) + 1 for a, b in forward if b == node), default=0)

    assert plan.back == frozenset()
    expected = sorted(range(8), key=lambda node: (longest(node), node))
    assert order(plan) == " ".join(map(str, expected))


@given(PAIRS, st.sets(st.integers(0, 19)), st.integers(0, 4))
def test_the_lines_are_equally_wide_and_every_line_that_begins_ends(
    ways: list[tuple[int, int]], taken: set[int], most: int
) -> None:
    graph = shape(*ways)
    plan = layout(graph)
    lines = [words(line) for line in gutters(plan, graph.edges, taken, most)]
    lanes = {
        len(line) - (TAIL if slot.edge is not None else 1)
        for slot, line in zip(plan.slots, lines, strict=True)
    }
    assert len(lanes) == 1
    assert lanes.pop() <= most
    text = "".join(lines)
    assert sum(map(text.count, "┌┏")) == sum(map(text.count, "└┗")) == text.count(">")


def test_an_entry_comes_first_and_a_loop_is_cut_where_it_leads_back_to_the_way_here() -> None:
    plan = layout(shape("21", "10", "02", "22", nodes=3, entry=2))
    # From 2 by 1 to 0; the edges from 0 to 2 and from 2 to itself lead back.
    assert order(plan) == "2 1 0"
    assert plan.back == {2, 3}


def test_two_ways_of_different_length_meet_below_the_longer_one() -> None:
    assert order(layout(shape("03", "01", "12", "23", nodes=4, entry=0))) == "0 1 2 3"


def test_a_long_chain_and_a_hundred_lanes_are_no_trouble() -> None:
    chain = [(at, at + 1) for at in range(299)] + [(0, at) for at in range(1, 299)]
    graph = shape(*chain, nodes=300, entry=0)
    assert order(layout(graph)) == " ".join(map(str, range(300)))
    assert all(len(line) < 300 for line in picture(graph, set(), most=5))


def test_the_taken_way_is_heavy_from_where_it_began() -> None:
    # 0 to 1 was taken, 0 to 2 was not; both lead on to 3, and only 1 did.
    graph = shape("01", "02", "13", "23", nodes=4, entry=0)
    assert picture(graph, {0, 2}) == [
        "   n0",
        " ┏━━━e0",
        "┌╂───e1",
        "│┗>n1",
        "│┏━━━e2",
        "└╂>n2",
        " ┠───e3",
        " ┗>n3",
    ]
    assert picture(graph, {1, 3})[-4:] == [
        "┃┌───e2",
        "┗┿>n2",
        " ┢━━━e3",
        " ┗>n3",
    ]


def test_ways_beyond_the_room_for_lines_are_left_out() -> None:
    graph = shape("01", "02", "13", "23", nodes=4, entry=0)
    # The way from 0 to 2 is the longest one, so it is drawn farthest out, and left out first.
    assert picture(graph, set(), most=1) == [
        "  n0",
        "┌───e0",
        "│   e1",
        "└>n1",
        "┌───e2",
        "│ n2",
        "├───e3",
        "└>n3",
    ]
