"""The graph pane: what became of nodes and edges, and what is said where the graph is not known."""

from __future__ import annotations

import msgspec
import pytest

from tests.views.build import NOW, at, detail, edge, entry, summary, texts
from zeroth_store.browse import (
    ApprovalEntry,
    GraphEdge,
    GraphNode,
    GraphShape,
    RelatedRows,
    RunDetail,
)
from zeroth_store.times import Moment
from zeroth_tui.line import Row
from zeroth_tui.views.graph import graph_rows, last_visit
from zeroth_tui.views.step import EdgeItem, StepItem
from zeroth_tui.views.steps import steps

NOTHING = RelatedRows()

REFINE = GraphShape(
    nodes=(
        GraphNode(id="draft", kind="agent", label="Draft"),
        GraphNode(id="critique", kind="agent"),
        GraphNode(id="publish", kind="executable_unit"),
    ),
    edges=(
        GraphEdge(id="e-dc", source="draft", target="critique"),
        GraphEdge(id="again", source="critique", target="draft", condition="n < 3"),
        GraphEdge(id="out", source="critique", target="publish", condition="n >= 3"),
    ),
    entry="draft",
)


def rows_of(
    run: RunDetail,
    shape: GraphShape | None,
    width: int = 100,
    related: RelatedRows = NOTHING,
) -> tuple[Row, ...]:
    return graph_rows(shape, run, steps(run, related, NOW), width)


def drawn(run: RunDetail, shape: GraphShape | None, width: int = 100) -> list[str]:
    """Return the rows without the legend."""
    return texts(rows_of(run, shape, width))[:-1]


def looped() -> RunDetail:
    """Return a run that drafted twice, was not let round again, and ended there."""
    return detail(
        [
            entry(0, "draft", 1),
            entry(1, "critique", 2),
            entry(2, "draft", 3),
            entry(3, "critique", 4),
        ],
        [
            edge(0, "draft", "e-dc", "critique", rule="passthrough"),
            edge(1, "critique", "again", "draft"),
            edge(2, "critique", "out", "publish", matched=False),
            edge(3, "draft", "e-dc", "critique", rule="passthrough"),
            edge(4, "critique", "again", "draft", suppressed="visit_limit"),
            edge(5, "critique", "out", "publish", matched=False),
        ],
    )


def test_visits_decisions_and_the_way_taken() -> None:
    rows = rows_of(looped(), REFINE)
    assert texts(rows) == [
        "  ✔ draft     x2  agent",
        "┏━━━◆ -> critique  taken  always  e-dc",
        "┗>✔ critique  x2  agent",
        "    ◆ ↺ to draft  taken 1 of 2, then visit limit  n < 3  again",
        "┌───◇ -> publish  not taken: false  n >= 3  out",
        "└>· publish   unit",
        "◆ ━ taken  ◇ not taken  · never reached  ↺ leads back  x2 two visits",
    ]
    # A node is its last visit, an edge its last decision, what was never reached is nothing.
    assert [row.item for row in rows] == [
        StepItem(2),
        EdgeItem(3),
        StepItem(3),
        EdgeItem(4),
        EdgeItem(5),
        None,
        None,
    ]


def test_nothing_moves_while_a_run_goes_on() -> None:
    run = looped()
    names = []
    for seen in range(5):
        part = msgspec.structs.replace(
            run, history=run.history[:seen], conditions=run.conditions[: seen + 1]
        )
        rows = drawn(part, REFINE)
        names.append([next(n for n in ("draft", "critique", "publish") if n in r) for r in rows])
    # The rows are: draft, its edge, critique, its edges to draft and publish, publish.
    assert names == [["draft", "critique", "critique", "draft", "publish", "publish"]] * 5


def test_a_failed_visit_is_marked_with_sign_word_and_role() -> None:
    run = detail(
        [entry(0, "draft", 1, 2, status="failed"), entry(1, "draft", 3, 4, status="failed")],
        run=summary("FAILED"),
    )
    rows = rows_of(run, REFINE)
    assert texts(rows)[0] == "  ✖ draft     x2  failed  failed before x1  agent"
    assert {piece.role for piece in rows[0].line if piece.text.strip() in {"✖", "draft"}} == {
        "error"
    }


def test_running_and_pending_nodes_are_marked() -> None:
    running = msgspec.structs.replace(
        detail([entry(0, "draft", 1)], run=summary("RUNNING")), in_flight_node="critique"
    )
    assert drawn(running, REFINE)[2] == "└>▶ critique  x1  running  agent"
    pending = msgspec.structs.replace(detail(run=summary("PENDING")), pending_nodes=("draft",))
    assert drawn(pending, REFINE)[0] == "  · draft     pending  agent"


def test_a_waiting_approval_is_marked_and_named() -> None:
    shape = GraphShape(nodes=(GraphNode(id="gate", kind="human_approval", label='Is "it" good?'),))
    approval = ApprovalEntry(
        approval_id="a1",
        node_id="gate",
        status="pending",
        created=Moment(at(5), "5"),
        updated=Moment(at(5), "5"),
    )
    rows = rows_of(
        detail(run=summary("WAITING_APPROVAL")), shape, related=RelatedRows(approvals=(approval,))
    )
    assert texts(rows)[0] == ' ◷ gate  x1  waiting  approval, "Is "it" good?"'


def test_kinds_are_named() -> None:
    shape = GraphShape(
        nodes=(
            GraphNode(id="a", kind="subgraph", subgraph="credit-check"),
            GraphNode(id="b", kind="agent", fan_out=True, label="B"),
            GraphNode(id="c", kind="oracle"),
        )
    )
    assert drawn(detail(), shape) == [
        " · a     subgraph credit-check",
        " · b     agent, fan-out",
        " · c     oracle",
    ]


@pytest.mark.parametrize(
    ("enabled", "erased", "said"),
    [
        (True, False, "never evaluated"),
        (False, False, "disabled"),
        (True, True, "erased"),
    ],
)
def test_an_edge_without_a_decision_says_why(enabled: bool, erased: bool, said: str) -> None:
    ways = (GraphEdge(id="e", source="draft", target="publish", enabled=enabled),)
    run = msgspec.structs.replace(detail(), erased=erased)
    found = drawn(run, msgspec.structs.replace(REFINE, edges=ways))
    assert f"┌───· -> publish  {said}  always  e" in found
    assert ("Retention erased which edges were taken." in found) is erased


def test_ends_that_no_node_has_and_nodes_that_no_graph_has_are_shown_as_such() -> None:
    shape = GraphShape(
        nodes=(GraphNode(id="a"),), edges=(GraphEdge(id="e", source="a", target="ghost"),)
    )
    assert drawn(detail([entry(0, "a", 1), entry(1, "stranger", 2)]), shape) == [
        "  ✔ a      x1",
        "┌───· -> ghost  never evaluated  always  e",
        "└>· ghost  not in the deployed graph",
        "These ran, and are not in the deployed graph:",
        "✔ stranger                           x1",
    ]


def test_a_child_run_is_found_in_its_graph_under_the_names_it_writes() -> None:
    run = detail(
        [entry(0, "subgraph:inner:1:draft", 1)],
        [edge(0, "subgraph:inner:1:draft", "subgraph:inner:1:e-dc", "subgraph:inner:1:critique")],
    )
    assert drawn(run, REFINE)[:3] == [
        "  ✔ draft     x1  agent",
        "┏━━━◆ -> critique  taken  always  e-dc",
        "┗>· critique  agent",
    ]


def test_without_a_deployment_the_history_tells() -> None:
    assert drawn(looped(), None) == [
        "From the history: only what ran is known.",
        "  ✔ draft     x2",
        "┏━━━◆ -> critique  taken  always  e-dc",
        "┗>✔ critique  x2",
        "    ◆ ↺ to draft  taken 1 of 2, then visit limit  payload.x > 1  again",
        "┌───◇ -> publish  not taken: false  payload.x > 1  out",
        "└>· publish",
    ]


def test_a_graph_that_cannot_be_read_says_so_and_the_history_tells() -> None:
    broken = GraphShape(problem="not JSON: \x1b at character 0")
    assert texts(rows_of(detail(), broken)) == [
        "! the deployed graph is not readable: not JSON: ␛ at character 0",
        "From the history: only what ran is known.",
        "No node is known: nothing has run.",
    ]


def test_the_selected_step_is_its_node_s_last_visit() -> None:
    found = steps(looped(), NOTHING, NOW)
    assert last_visit(found, 0) == last_visit(found, 2) == StepItem(2)
    assert last_visit(found, 99) is None
