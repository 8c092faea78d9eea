"""Decisions: which visit evaluated which conditions, and where a taken edge led."""

from __future__ import annotations

from tests.views.build import NOW, detail, edge, entry
from zeroth_store.browse import RelatedRows
from zeroth_tui.views.steps import find, led_to, steps

NOTHING = RelatedRows()


def test_the_kth_group_of_a_source_belongs_to_its_kth_completed_visit() -> None:
    history = [
        entry(0, "loop", 1),
        entry(1, "loop", 2, 2.5, status="failed"),
        entry(2, "loop", 3),
        entry(3, "out", 4),
    ]
    conditions = [
        edge(0, "loop", "again", "loop"),
        edge(1, "loop", "leave", "out", matched=False),
        edge(2, "loop", "again", "loop", matched=False),
        edge(3, "loop", "leave", "out"),
        edge(4, None, "unplaced", "x"),
    ]
    found = steps(detail(history, conditions), NOTHING, NOW)
    held = {step.index: [c.index for c in step.conditions] for step in found}
    assert held == {0: [0, 1], 1: [], 2: [2, 3], 3: []}


def test_a_fan_out_that_evaluates_its_edges_again_keeps_them_together() -> None:
    conditions = [edge(0, "split", "f1", "work"), edge(1, "split", "f1", "work")]
    (step,) = steps(detail([entry(0, "split", 1)], conditions), NOTHING, NOW)
    assert [c.index for c in step.conditions] == [0, 1]


def test_a_taken_edge_leads_to_the_targets_next_visit() -> None:
    history = [entry(0, "b", 1), entry(1, "a", 2), entry(2, "b", 3), entry(3, "b", 4)]
    taken = edge(0, "a", "e", "b")
    held_back = edge(1, "a", "f", "b", suppressed="visit_limit")
    found = steps(detail(history, [taken, held_back]), NOTHING, NOW)
    source = find(found, 1)
    assert source is not None
    reached = led_to(found, source, taken)
    assert reached is not None
    assert reached.index == 2
    assert led_to(found, source, held_back) is None
