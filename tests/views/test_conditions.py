"""The conditions pane: grouping, outcomes in words, operands, and why it can be empty."""

from __future__ import annotations

import msgspec
import pytest

from tests.views.build import NOW, detail, edge, entry, summary, texts
from zeroth_store.browse import CellProblem, ConditionEntry, RelatedRows, RunDetail
from zeroth_tui.line import Row
from zeroth_tui.text import MASK
from zeroth_tui.views import edges
from zeroth_tui.views.conditions import condition_rows
from zeroth_tui.views.step import EdgeItem, StepItem
from zeroth_tui.views.steps import steps

NOTHING = RelatedRows()


def rows_of(run: RunDetail, width: int = 100) -> tuple[Row, ...]:
    return condition_rows(run, steps(run, NOTHING, NOW), width)


def test_decisions_are_grouped_by_visit_with_winners_and_losers() -> None:
    run = detail(
        [entry(0, "a", 1), entry(1, "a", 2), entry(2, "b", 3)],
        [
            edge(0, "a", "again", "a", expression="n < 2"),
            edge(1, "a", "leave", "b", expression="n >= 2", matched=False, value=False),
            edge(2, "a", "again", "a", expression="n < 2", matched=False, value=False),
            edge(3, "a", "leave", "b", expression="n >= 2"),
        ],
    )
    rows = rows_of(run)
    assert texts(rows) == [
        "a  2 edges, 1 taken",
        "  ◆ again -> a  taken",
        "      n < 2  true  matched yes",
        "  ◇ leave -> b  not taken: condition false",
        "      n >= 2  false  matched no",
        "a #2  2 edges, 1 taken",
        "  ◇ again -> a  not taken: condition false",
        "      n < 2  false  matched no",
        "  ◆ leave -> b  taken",
        "      n >= 2  true  matched yes",
    ]
    # Headings name the visit, taken edges the step they led to, others themselves.
    assert [row.item for row in rows] == [
        StepItem(0),
        *[StepItem(1)] * 2,
        *[EdgeItem(1)] * 2,
        StepItem(1),
        *[EdgeItem(2)] * 2,
        *[StepItem(2)] * 2,
    ]


@pytest.mark.parametrize(
    ("considered", "said"),
    [
        (edge(0, "a", "e", "b"), "taken"),
        (
            edge(0, "a", "e", "b", suppressed="visit_limit"),
            "not taken: visit limit reached: the condition matched, and the edge was used up",
        ),
        (
            edge(0, "a", "e", "b", matched=False, suppressed="edge_disabled"),
            "not taken: the edge is disabled in the graph",
        ),
        (edge(0, "a", "e", "b", suppressed="new\x1breason"), "not taken: new␛reason"),
        (edge(0, "a", "e", "b", matched=False), "not taken: condition false"),
        (edge(0, "a", "e", "b", matched=None), "not taken: whether it matched is not recorded"),
    ],
)
def test_the_outcome_says_why_an_edge_was_not_taken(considered: ConditionEntry, said: str) -> None:
    assert edges.outcome(considered) == said


def test_an_unconditional_edge_reads_as_always() -> None:
    always = edge(0, "a", "e", "b", rule="passthrough", expression=None)
    assert edges.question(always) == "always (no condition)"


def test_a_rule_over_operands_shows_each_with_its_value_and_hides_secrets() -> None:
    rule = edge(
        0,
        "a",
        "e",
        "b",
        rule="all",
        expression="True",
        value=[True, 0.55, "s3"],
        operands=["payload.vip", "payload.score", "payload.api_key"],
    )
    assert edges.question(rule) == "all of payload.vip, payload.score, payload.api_key"
    assert edges.answer(rule) == (
        f"payload.vip = true, payload.score = 0.55, payload.api_key = {MASK}"
    )


def test_a_library_row_without_details_says_what_is_missing() -> None:
    bare = ConditionEntry(
        index=0,
        condition_id="c1",
        edge_id=None,
        source=None,
        target=None,
        rule=None,
        expression=None,
        value=None,
        operands=None,
        matched=True,
        selected_edge_id=None,
        suppression_reason=None,
        evaluated=summary().started,
    )
    assert texts(rows_of(detail([entry(0, "a", 1)], [bare]))) == [
        "source not recorded  (visit not in the history)",
        "  ◆ c1 -> (target not recorded)  taken",
        "      condition not recorded  value not recorded  matched yes",
    ]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (msgspec.structs.replace(detail(), erased=True), "Retention erased this run's decisions."),
        (detail(), "Nothing has been evaluated: no node has completed."),
        (
            detail([entry(0, "a", 1)]),
            "No edge was considered: the nodes that ran have none that lead on.",
        ),
    ],
)
def test_no_conditions_says_why(run: RunDetail, said: str) -> None:
    assert texts(rows_of(run)) == [said]


def test_unreadable_entries_are_said() -> None:
    problem = CellProblem("condition_results[2]", "no object")
    run = msgspec.structs.replace(detail(conditions=[edge(0, "a", "e", "b")]), problems=(problem,))
    assert texts(rows_of(run))[0] == "! condition_results[2] is not readable: no object"


def test_an_edge_recorded_twice_with_the_same_outcome_is_one_edge() -> None:
    run = detail(
        [entry(0, "split", 1), entry(1, "work", 2)],
        [edge(0, "split", "each", "work"), edge(1, "split", "each", "work")],
    )
    assert texts(rows_of(run))[:2] == [
        "split  1 edge, 1 taken",
        "  ◆ each -> work  taken  recorded 2 times",
    ]


def test_an_edge_that_came_out_otherwise_the_second_time_is_shown_twice() -> None:
    run = detail(
        [entry(0, "split", 1), entry(1, "work", 2)],
        [edge(0, "split", "each", "work"), edge(1, "split", "each", "work", matched=False)],
    )
    assert texts(rows_of(run))[0] == "split  2 edges, 1 taken"
