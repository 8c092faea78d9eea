"""The graph pane on names, conditions and sizes that nobody would choose."""

from __future__ import annotations

import msgspec
import pytest

from tests.views.build import detail, entry, texts
from tests.views.test_graph import REFINE, drawn, rows_of
from zeroth_store.browse import GraphEdge, GraphNode, GraphShape
from zeroth_tui import text
from zeroth_tui.views.step import StepItem


@pytest.mark.parametrize("width", [20, 40, 100])
def test_hostile_names_fit_any_width_and_stay_harmless(width: int) -> None:
    odd = ("\x1b[2J", "[/]", "名前" * 80, "", "a\nb", "\u202e")
    shape = GraphShape(
        nodes=tuple(GraphNode(id=name, kind=name, label=f"{name}!", subgraph=name) for name in odd),
        edges=tuple(
            GraphEdge(id=name, source=name, target=target, condition=name or None)
            for name in odd
            for target in odd
        ),
    )
    run = detail([entry(at, name, at) for at, name in enumerate(odd)])
    rows = rows_of(run, shape, width)
    shown = "".join(texts(rows))
    assert not any(bad in shown for bad in ("\x1b", "\n", "\u202e"))
    assert max(sum(text.cells(piece.text) for piece in row.line) for row in rows) <= width
    assert {StepItem(at) for at in range(6)} <= {row.item for row in rows}


def test_secrets_in_conditions_are_masked() -> None:
    way = GraphEdge(id="e", source="draft", target="publish", condition="password=hunter2-12345678")
    shown = "".join(drawn(detail(), msgspec.structs.replace(REFINE, edges=(way,))))
    assert "12345678" not in shown


def test_of_a_very_large_graph_a_part_is_drawn_and_the_rest_counted() -> None:
    shape = GraphShape(
        nodes=tuple(GraphNode(id=f"n{at}") for at in range(1_200)),
        edges=(GraphEdge(id="e", source="n0", target="n1100"),),
    )
    found = drawn(detail(), shape)
    assert found[0] == "! a very large graph: 200 nodes are not drawn"
    assert len(found) == 1 + 1_000
